"""Workers that share a folder are called differently, and a killed one's name is taken up."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from fleet_worker import job_file
from redis_process import RedisProcess, needs_redis
from scrapy_command import scrapy

from crawler.frontier.worker_name import FOLDER, WORKER, NameInUseError, checked_name, worker_name

ROOT = Path(__file__).parents[2]
KILLED = """
import os, sys
from pathlib import Path
from crawler.frontier.worker_name import worker_name
with worker_name(Path(sys.argv[1]), "pod"):
    os._exit(9)
"""


def test_no_two_at_a_time_have_one(tmp_path: Path) -> None:
    together = Barrier(8)

    def live(_: int) -> str:
        together.wait()
        with worker_name(tmp_path, "pod") as own:
            together.wait()
            return own.name

    with ThreadPoolExecutor(8) as pool:
        names = set(pool.map(live, range(8)))
    assert names == {f"pod-{number}" for number in range(1, 9)}


def test_a_name_is_free_again_in_the_end(tmp_path: Path) -> None:
    for _ in range(2):
        with worker_name(tmp_path, "pod") as own:
            assert own.name == "pod-1"
            own.retire()
    assert not list((tmp_path / FOLDER).iterdir())


def test_the_name_of_a_killed_one_goes_before_a_free_one(tmp_path: Path) -> None:
    with worker_name(tmp_path, "pod") as own:
        subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], cwd=ROOT, check=False)  # noqa: S603
        own.retire()
    with worker_name(tmp_path, "pod") as own:
        assert own.name == "pod-2"


@pytest.mark.parametrize(
    ("host", "name"),
    [("böse/../host", "b-se-host-1"), ("--", "worker-1"), ("h" * 99, "h" * 48 + "-1")],
)
def test_it_fits_into_file_names_and_keys(host: str, name: str, tmp_path: Path) -> None:
    with worker_name(tmp_path, host) as own:
        assert checked_name(own.name) == name


@pytest.mark.parametrize("name", ["", "../a", "a/b", ".a", "-a", "ä", "a\n", "a" * 65])
def test_a_name_that_is_no_file_name_is_refused(name: str) -> None:
    with pytest.raises(
        ValueError, match=f'must have at most 64 ASCII letters.* such as "{WORKER}"'
    ):
        checked_name(name)


def test_machines_do_not_take_each_others(tmp_path: Path) -> None:
    with worker_name(tmp_path, "one"), worker_name(tmp_path, "two") as own:
        assert own.name == "two-1"


def test_nor_those_of_a_machine_whose_name_goes_on(tmp_path: Path) -> None:
    with worker_name(tmp_path, "pod-a"):
        pass
    with worker_name(tmp_path, "pod") as own:
        assert own.name == "pod-1"


def test_none_is_made_that_equals_one_that_was_given(tmp_path: Path) -> None:
    with worker_name(tmp_path, given="pod-1"), worker_name(tmp_path, "pod") as own:
        assert own.name == "pod-2"
        again = worker_name(tmp_path, given="pod-2")
        with pytest.raises(NameInUseError, match=r"another process works in .* as 'pod-2'"), again:
            pass


def test_a_given_one_is_locked_by_its_worker(tmp_path: Path) -> None:
    needs_redis()
    job = job_file(tmp_path, outputs=f'folder = "{tmp_path}/out"')
    with RedisProcess(tmp_path) as server, worker_name(tmp_path / "out", given="pod-1"):
        there = ("-s", f"FRONTIER={server.url}", "-a", f"job={job}")
        second = scrapy("crawl", "corpus", "-a", "worker=pod-1", *there)
    assert (second.returncode, second.stderr.count("\n")) == (4, 1), second.stderr
    assert "as 'pod-1'; choose another worker name" in second.stderr
