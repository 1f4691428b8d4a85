"""``scrapy crawl corpus`` and ``python -m crawler run``: one behaviour, and what they say."""

from __future__ import annotations

import fcntl
import json
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import loaded_program
import pytest
from small_web import PAGE, Web
from unread import full, unread

pytestmark = pytest.mark.timeout(400)

# Pages go to a file at once, so that no model is waited for.
SINK = ("-s", 'ITEM_PIPELINES={"page_sink.PageSink": 100}')
RUN = ("crawler", "run")
SCRAPY = ("scrapy", "crawl", "corpus", "-a")


@pytest.fixture
def web() -> Iterator[Web]:
    with Web() as server:
        server.answers["/"] = (200, {}, PAGE)
        yield server


def job_file(folder: Path, text: str, *, processes: int = 1) -> Path:
    """processes: page workers."""
    file = folder / "job.toml"
    limits = f"[limits]\nprocesses = {processes}"
    file.write_text(f'name = "test"\n{text}\n{limits}\n[outputs]\nfolder = "{folder}/out"\n')
    return file


def command(
    words: tuple[str, ...],
    job: Path,
    *more: str,
    stdout: int = subprocess.PIPE,
    **environment: str,
) -> subprocess.CompletedProcess[str]:
    named = f"job={job}" if words is SCRAPY else str(job)
    return loaded_program.run(
        *words, named, *more, cwd=job.parent, environment=environment, stdout=stdout
    )


def both(job: Path, *more: str, **environment: str) -> list[subprocess.CompletedProcess[str]]:
    # Scrapy finds its commands by the project's settings; ours needs no project.
    return [
        command(RUN, job, *more, **environment),
        command(SCRAPY, job, *more, SCRAPY_SETTINGS_MODULE="settings.local", **environment),
    ]


def test_a_wrong_job_is_told_in_a_line_and_by_the_exit_code(tmp_path: Path) -> None:
    job = job_file(tmp_path, '[seeds]\nurls = ["https://example.org/"]')
    for done in both(job):
        assert done.returncode == 2
        assert done.stderr.startswith(f"{job}: politeness.contact is missing")
        assert done.stderr.count("\n") == 1


def test_a_folder_in_use_is_told_by_the_exit_code(web: Web, tmp_path: Path) -> None:
    job = job_file(tmp_path, f'[seeds]\nurls = ["{web.base}/"]')
    assert command(RUN, job, *SINK).returncode == 0
    with (tmp_path / "out/frontier.lock").open("r+") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for done in both(job):
            assert done.returncode == 4, done.stderr
            assert "Traceback" not in done.stderr


def test_so_is_one_that_another_crawl_takes_in_the_same_instant(web: Web, tmp_path: Path) -> None:
    job = job_file(tmp_path, f'[seeds]\nurls = ["{web.base}/"]')
    taken = ('EXTENSIONS={"lock_taker.LockTaker": 1}', "LOG_LEVEL=WARNING")
    done = command(RUN, job, *(part for setting in taken for part in ("-s", setting)))
    assert done.returncode == 4
    assert "ERROR: the crawl cannot start: another crawl (process" in done.stderr
    assert done.stderr.count("\n") == 1
    assert web.asked == []


def test_a_crawl_that_can_connect_to_no_host_names_the_cause_at_once(tmp_path: Path) -> None:
    with Web() as web:
        base = web.base
    # Where it was, nobody listens now.
    job = job_file(tmp_path, f'[seeds]\nurls = ["{base}/", "{base}/other"]')
    done = command(RUN, job)
    assert done.returncode == 6
    assert "no host can be connected to: 127.0.0.1 (it refuses connections)\n" in done.stderr
    assert done.stderr.endswith("ERROR: test: no URL could be fetched\n")
    assert "Traceback" not in done.stderr
    # They were tried once, not as often as a server in trouble.
    assert re.search(r"URLs left +2\n", done.stdout)


def test_a_crawl_that_gets_no_answer_says_so_by_its_exit_code(web: Web, tmp_path: Path) -> None:
    job = job_file(tmp_path, f'[seeds]\nurls = ["{web.base}/"]\n[frontier]\ntries = 1')
    web.answers["/robots.txt"] = (503, {}, "")
    for done in both(job, *SINK):
        assert done.returncode == 6
        assert done.stderr.endswith("ERROR: test: no URL could be fetched\n")
        assert "Traceback" not in done.stderr


def test_a_crawl_whose_memory_is_used_up_says_so_at_its_end(web: Web, tmp_path: Path) -> None:
    job = job_file(tmp_path, f'[seeds]\nurls = ["{web.base}/"]')
    done = command(RUN, job, "-s", "MEMUSAGE_LIMIT_MB=1")
    assert done.returncode == 3
    assert (
        "\nended early: memory limit reached (MEMUSAGE_LIMIT_MB = 1); "
        "run the same command again to resume\n"
    ) in done.stdout


OUR_LOGGERS = ("crawler", "live", "pipelines")


def test_a_finished_crawl_says_where_its_corpus_is(web: Web, tmp_path: Path) -> None:
    job = job_file(tmp_path, f'[seeds]\nurls = ["{web.base}/"]')
    done = command(SCRAPY, job, SCRAPY_SETTINGS_MODULE="settings.local")
    assert done.returncode == 0
    assert "finished: every URL is done or dead" in done.stdout
    assert f"corpus  {tmp_path}/out/corpus" in done.stdout
    for line in done.stderr.splitlines():
        assert line.split("] ")[0].rpartition("[")[2].partition(".")[0] in OUR_LOGGERS


@pytest.mark.parametrize("output", [unread, full])
def test_one_whose_output_nobody_takes_ends_as_any_other(
    output: Callable[[], AbstractContextManager[int]], web: Web, tmp_path: Path
) -> None:
    job = job_file(tmp_path, f'[seeds]\nurls = ["{web.base}/"]')
    with output() as stdout:
        done = command(RUN, job, stdout=stdout)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "<h2>Whole job</h2>" in (tmp_path / "out/report.html").read_text()
    said = "could not print the summary: standard output: No space left on device"
    assert (said in done.stderr) == (output is full)
    with (tmp_path / "out/frontier.lock").open("r+") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_log_of_another_kind_is_refused(tmp_path: Path) -> None:
    job = job_file(tmp_path, '[seeds]\nurls = ["http://localhost:1/"]\n[rendering]\nmode = "never"')
    for done in both(job, GENRE_CRAWLER_LOG="jsn"):
        assert done.returncode == 2
        assert done.stderr == 'GENRE_CRAWLER_LOG is "jsn"; it must be "text" or "json"\n'


def test_every_line_of_a_json_log_is_an_object(web: Web, tmp_path: Path) -> None:
    job = job_file(tmp_path, f'[seeds]\nurls = ["{web.base}/"]')
    done = command(RUN, job, *SINK, GENRE_CRAWLER_LOG="json")
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert (done.returncode, done.stdout) == (0, "")
    assert all({"time", "level", "logger", "message"} == set(line) for line in lines)
    assert any("new seed" in line["message"] for line in lines)
    assert any("the frontier is embedded, in " in line["message"] for line in lines)
    file = tmp_path / "log.jsonl"
    with job.open("a") as more:
        more.write('log = "json"\n')
    done = command(RUN, job, *SINK, "-s", f"LOG_FILE={file}")
    assert done.stderr == ""
    assert all(map(json.loads, file.read_text().splitlines()))


def test_arguments_that_make_no_sense_are_told(tmp_path: Path) -> None:
    job = job_file(tmp_path, "")
    for more in (["-a", "jbo=x"], ["-a", "seeds=x"], ["another"]):
        done = command(SCRAPY, job, *more, SCRAPY_SETTINGS_MODULE="settings.local")
        assert done.returncode == 2, more
        assert "Traceback" not in done.stderr


# What the process does first of all of which page workers are forks.
KILLED = "import os; os.kill(os.getpid(), 9)"
WITHOUT_A_PACKAGE = "sys.modules['newspaper'] = None"


@pytest.mark.parametrize(
    ("first", "code", "said"),
    [
        (KILLED, 1, "could not start a worker process: the process that loads for all died"),
        (
            WITHOUT_A_PACKAGE,
            2,
            "could not load the job's extraction methods: ImportError: newspaper ",
        ),
    ],
    ids=["killed", "without a package"],
)
@pytest.mark.usefixtures("fresh_workers")
def test_page_workers_that_cannot_start_end_the_crawl_before_it_costs_a_url(
    first: str, code: int, said: str, web: Web, tmp_path: Path
) -> None:
    tables = f'[seeds]\nurls = ["{web.base}/"]\n[genres.extractors]\ndefault = "newspaper"'
    job = job_file(tmp_path, tables, processes=2)
    customized = (
        f"import sys\nif 'multiprocessing.forkserver' in str(sys.orig_argv):\n    {first}\n"
    )
    (tmp_path / "sitecustomize.py").write_text(customized)
    done = command(RUN, job, PYTHONPATH=f"{tmp_path}:{loaded_program.PYTHONPATH}")
    assert done.returncode == code, done.stderr
    assert f"ERROR: the crawl cannot start: {said}" in done.stderr.splitlines()[-1]
    assert web.asked == []
    done = command(RUN, job, *SINK)
    assert (done.returncode, web.asked) == (0, ["/robots.txt", "/"])


def test_a_crawl_to_which_nothing_is_due_ends_without_loading_the_models(
    web: Web, tmp_path: Path
) -> None:
    job = job_file(tmp_path, f'[seeds]\nurls = ["{web.base}/"]')
    loaded = []
    for _ in range(2):
        done = command(RUN, job)
        assert (done.returncode, "finished" in done.stdout) == (0, True), done.stderr
        loaded.append("loading the models" in done.stderr)
    assert loaded == [True, False]
    assert web.asked == ["/robots.txt", "/"]
