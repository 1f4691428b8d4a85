"""``scrapy schedule`` as a user types it; its crawls are real, and end at once."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from scrapy_command import scrapy

from genre_crawler.command_line import main
from settings import load_job
from settings.frontier_address import frontier_url

ROOT = Path(__file__).parents[2]
# Of no frontier, which is why a crawl ends with 5.
NO_DATABASE = "no database"
JOB = """
name = "news"
[seeds]
urls = ["http://localhost/"]
[outputs]
folder = "{folder}"
[schedule]
"""


def job_file(folder: Path, schedule: str, *, out: Path | None = None, more: str = "") -> Path:
    file = folder / "job.toml"
    text = JOB.format(folder=out or folder / "out") + f"{schedule}\n{more}"
    file.write_text(text)
    return file


def listed(*paths: Path) -> Any:
    done = scrapy("schedule", "list", "--json", *paths)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["jobs"]


@pytest.fixture
def spoiled(tmp_path: Path) -> Path:
    """A job whose crawls end at once, with exit code 5."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "frontier.sqlite").write_text(NO_DATABASE)
    return job_file(tmp_path, 'every = "1h"')


@pytest.fixture
def scheduler(spoiled: Path) -> Iterator[subprocess.Popen[str]]:
    words = [sys.executable, "-m", "scrapy", "schedule", "run", str(spoiled.parent)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "GENRE_CRAWLER_LOG": "json"}
    with subprocess.Popen(  # noqa: S603 - our own program
        words, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True
    ) as process:
        yield process
        process.kill()


def test_the_scheduler_crawls_and_what_it_did_is_listed(
    spoiled: Path, scheduler: subprocess.Popen[str]
) -> None:
    assert scheduler.stderr is not None
    for line in scheduler.stderr:
        if "run 1 ended: exit code 5" in line:
            break
    assert json.loads(line)["logger"] == "crawler.schedule.crawl_run"
    scheduler.send_signal(signal.SIGTERM)
    assert scheduler.wait(20) == 0
    (job,) = listed(spoiled)
    assert (job["job"], job["doing"], job["run"], job["exit_code"]) == ("news", "waits", 1, 5)
    assert job["started"] < job["ended"] < job["next"]


def test_times_are_shown_in_the_zone_of_the_job(tmp_path: Path) -> None:
    job = job_file(tmp_path, 'cron = "30 3 * * *"\ntimezone = "Asia/Tokyo"')
    lines = scrapy("schedule", "next", "--count", 2, job).stdout.splitlines()
    assert [line.split()[2:] for line in lines[1:]] == [["03:30:00", "JST"]] * 2
    starts = json.loads(scrapy("schedule", "next", "--count", 2, "--json", job).stdout)
    assert [start[10:] for start in starts["next"]["news"]] == ["T18:30:00+00:00"] * 2
    assert not (tmp_path / "out").exists(), "looking leaves nothing behind"


def test_no_more_starts_are_listed_than_can_be_found_soon(tmp_path: Path) -> None:
    done = scrapy("schedule", "next", "--count", 1001, job_file(tmp_path, 'every = "1h"'))
    assert done.returncode == 2
    assert "argument --count: must be at most 1,000" in done.stderr


def test_a_pause_lasts_until_it_is_resumed(tmp_path: Path) -> None:
    job = job_file(tmp_path, 'every = "1h"')
    assert scrapy("schedule", "pause", job).stdout == "news is paused\n"
    assert [(one["doing"], one["next"]) for one in listed(job)] == [("paused", None)]
    assert scrapy("schedule", "resume", job).stdout == "news is scheduled again\n"
    assert [one["doing"] for one in listed(job)] == ["waits"]


def test_a_folder_that_cannot_be_written_is_named_with_its_job(tmp_path: Path) -> None:
    job = job_file(tmp_path, 'every = "1h"')
    (tmp_path / "out").touch()
    done = scrapy("schedule", "pause", job)
    assert done.returncode == 3
    assert done.stderr == f"{job}: {tmp_path / 'out' / 'schedule'}: Not a directory\n"


def test_a_job_that_is_wrong_is_told_of_and_the_others_are_listed(tmp_path: Path) -> None:
    job = job_file(tmp_path, 'every = "1h"')
    (tmp_path / "a.toml").write_text("name = 5\n")
    done = scrapy("schedule", "list", tmp_path)
    assert done.returncode == 2
    assert "a.toml:1: name is 5" in done.stderr
    assert "news  waits" in done.stdout
    record = tmp_path / "out" / "schedule" / "runs.json"
    record.parent.mkdir(parents=True)
    record.write_text("{")
    damaged = scrapy("schedule", "list", job)
    assert damaged.returncode == 3
    assert f"{record} is damaged" in damaged.stderr
    assert scrapy("schedule", "list", tmp_path / "none.toml").returncode == 2


@pytest.mark.parametrize("action", ["list", "pause", "run-now"])
def test_a_folder_without_job_files_is_no_success(
    action: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".hidden.toml").touch()
    assert main(["schedule", action, str(tmp_path)]) == 2
    assert f"{tmp_path}: has no job files, whose names end in .toml" in capsys.readouterr().err


def export(kind: str, job: Path, *options: object) -> subprocess.CompletedProcess[str]:
    return scrapy("schedule", "export", job, f"--{kind}", job.parent / "made", *options)


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        (
            'cron = "*/20 6-7 L * *"\ntimezone = "Europe/Berlin"\njitter = "5min"',
            "OnCalendar=*-*~1 6,7:0,20,40:00 Europe/Berlin",
        ),
        ('every = "90min"\nuntil = 2031-01-01', "OnUnitActiveSec=1h30min"),
    ],
    ids=["cron", "every"],
)
def test_units_for_systemd_are_sound(tmp_path: Path, schedule: str, expected: str) -> None:
    job = job_file(tmp_path, schedule)
    # A file that systemd finds, whatever is installed.
    done = export("systemd", job, "--program", "/bin/true", "--directory", tmp_path)
    assert done.returncode == 0, done.stderr
    service, timer = (
        tmp_path / "made" / f"genre-crawler-news.{one}" for one in ("service", "timer")
    )
    assert done.stdout.split() == [str(service), str(timer)]
    assert expected in timer.read_text().splitlines()
    lines = service.read_text().splitlines()
    assert f'ExecStart="/bin/true" "crawl" "{job}"' in lines
    assert "KillMode=mixed" in lines, "a clean shutdown needs the crawler's child processes"
    if systemd := shutil.which("systemd-analyze"):
        words = [systemd, "verify", str(service), str(timer)]
        checked = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603
        assert (checked.returncode, checked.stderr) == (0, "")


def test_the_program_is_that_of_the_environment_though_it_is_not_activated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin/genre-crawler"
    program.parent.mkdir()
    program.symlink_to("/bin/true")
    monkeypatch.setattr(sys, "executable", str(program.with_name("python")))
    monkeypatch.setenv("PATH", "")
    job = job_file(tmp_path, 'every = "1h"')
    assert main(["schedule", "export", str(job), "--systemd", str(tmp_path)]) == 0
    assert f'ExecStart="{program}"' in (tmp_path / "genre-crawler-news.service").read_text()


def test_what_cannot_be_exported_is_told_of(tmp_path: Path) -> None:
    done = export("systemd", job_file(tmp_path, ""), "--program", "/bin/true")
    assert done.returncode == 2
    assert "job.toml: has no [schedule]; add one" in done.stderr
    assert not any((tmp_path / "made").glob("*"))


def test_a_manifest_for_kubernetes_has_the_job_and_its_times(tmp_path: Path) -> None:
    job = job_file(
        tmp_path,
        'cron = "0 3 * * SUN"\ntimezone = "Europe/Berlin"',
        out=Path("/data"),
        more="# ends: with a colon, and two\n\n  # with a space\n",
    )
    job.write_text("  " + job.read_text().lstrip())  # the first line is indented
    redis = "redis://:$(REDIS_PASSWORD)@redis:6379/0"
    options = ("--image", "registry/crawler:1", "--workers", 4, "--frontier", redis)
    done = export("kubernetes", job, *options)
    assert done.returncode == 0, done.stderr
    made = tmp_path / "made" / "crawl-news.yaml"
    config, cron = yaml.safe_load_all(made.read_text())
    assert config["data"]["job.toml"].strip("\n") == job.read_text().strip("\n")
    spec = cron["spec"]
    assert (spec["schedule"], spec["timeZone"]) == ("0 3 * * SUN", "Europe/Berlin")
    assert spec["concurrencyPolicy"] == "Forbid"
    crawl = spec["jobTemplate"]["spec"]
    assert (crawl["completions"], crawl["parallelism"]) == (4, 4)
    pod = crawl["template"]["spec"]
    assert pod["terminationGracePeriodSeconds"] > load_job(job).limits.page_time
    (worker,) = pod["containers"]
    assert worker["image"] == "registry/crawler:1"
    assert worker["resources"]["limits"].keys() == {"cpu", "memory"}
    assert worker["args"][:4] == ["crawl", "corpus", "-a", "job=/job/job.toml"]
    name, _, url = worker["args"][-1].partition("=")
    assert name == "FRONTIER"
    frontier_url(url.replace("$(REDIS_PASSWORD)", "abc"))
    mounted = {mount["name"] for mount in worker["volumeMounts"]}
    assert mounted == {volume["name"] for volume in pod["volumes"]}
