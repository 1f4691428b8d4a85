"""What a crawl refuses before it begins: by a line on standard error and an exit code."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from redis_process import RedisProcess

from crawler.commands import runner
from crawler.commands.command_line import main
from crawler.commands.given_settings import check_given
from crawler.commands.runner import project_settings, run
from crawler.exit_codes import CrawlError
from crawler.frontier import SqliteFrontier
from crawler.frontier.opening import check_frontier
from pipelines.corpus.layout import Layout
from settings import Job
from settings.given_job import with_frontier
from settings.overrides import scrapy_settings

JOB = {"name": "x", "seeds": {"urls": ["http://localhost:1/"]}}


def job(folder: Path) -> Job:
    return Job.model_validate({**JOB, "outputs": {"folder": str(folder)}})


@pytest.mark.parametrize(
    ("name", "value", "right"),
    [
        ("CONCURRENT_ITEMS", "abc", "must be a whole number"),
        ("CONCURRENT_ITEMS", "1.5", "must be a whole number"),
        ("CONCURRENT_ITEMS", "0", "must be 1 or more"),
        ("DNS_TIMEOUT", "1s", "must be a number"),
        ("COOKIES_ENABLED", "maybe", "must be 0 or 1"),
        ("LOG_LEVEL", "FOO", "must be DEBUG, INFO, WARNING, ERROR or CRITICAL"),
        ("LOG_FILE", "/no/such/folder/x.log", "cannot be written: No such file or directory"),
        (
            "USER_AGENT",
            "me",
            "set politeness.user_agent in the job instead",
        ),
        ("DEPTH_LIMIT", "1", "set scope.depth in the job instead"),
        ("ROBOTSTXT_OBEY", "0", "set politeness.robots in the job instead"),
        ("STATS_CLASS", "nope.X", "cannot be imported: No module named 'nope'"),
        (
            "TWISTED_REACTOR",
            "twisted.internet.selectreactor.SelectReactor",
            "must be twisted.internet.asyncioreactor.AsyncioSelectorReactor",
        ),
        (
            "CONCURENT_REQUESTS",
            "4",
            "there is no such setting; did you mean CONCURRENT_REQUESTS?",
        ),
        ("log_level", "DEBUG", "there is no such setting; did you mean LOG_LEVEL?"),
    ],
)
def test_a_setting_that_cannot_be_used_is_told_in_a_line(
    name: str, value: str, right: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(job(tmp_path), project_settings({name: value})) == 2
    assert capsys.readouterr().err == f"-s {name}={value}: {right}\n"


def test_a_job_is_refused_in_the_folder_of_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = job(tmp_path)

    async def without_a_name() -> None:
        async with await SqliteFrontier.open(tmp_path):
            pass

    # As an earlier version left it: the next job that works there gives it its name.
    asyncio.run(without_a_name())
    for _ in range(2):
        asyncio.run(check_frontier(first))
    other = first.model_copy(update={"name": "other"})
    assert run(other, project_settings({})) == 2
    assert capsys.readouterr().err == (
        f"{tmp_path} holds the URLs of the job 'x', not of 'other'; choose another "
        "outputs.folder, or name the job 'x' again\n"
    )


def test_a_job_in_redis_that_was_renamed_is_refused_in_its_folder(
    tmp_path: Path, own: RedisProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    first = with_frontier(job(tmp_path), own.url)
    for _ in range(2):
        asyncio.run(check_frontier(first))
    assert run(first.model_copy(update={"name": "other"}), project_settings({})) == 2
    assert f"{tmp_path} holds the URLs of the job 'x', not of 'other'" in capsys.readouterr().err


def test_settings_that_can_be_used_are_let_by(tmp_path: Path) -> None:
    given = {
        "CONCURRENT_ITEMS": "4",
        "DNS_TIMEOUT": "1.5",
        "COOKIES_ENABLED": "false",
        "REFERRER_POLICY": "no-referrer",
        "STATS_CLASS": "scrapy.statscollectors.MemoryStatsCollector",
        "LOG_LEVEL": "DEBUG",
        "LOG_FILE": str(tmp_path / "x.log"),
        "ITEM_PIPELINES": '{"page_sink.PageSink": 100}',
        "FRONTIER": "embedded",
        "PLAYWRIGHT_MAX_CONTEXTS": "2",
        "OF_A_COMPONENT": "anything",
    }
    check_given(project_settings(given))
    with pytest.raises(CrawlError, match="RETRY_TIMES=x"):
        check_given(project_settings({**given, "RETRY_TIMES": "x"}))


def test_what_the_job_says_are_settings_of_scrapy() -> None:
    said = scrapy_settings(Job.model_validate(JOB))
    of_other_keys = {"DEFAULT_REQUEST_HEADERS", "DOWNLOAD_WARNSIZE"}
    for name, value in said.items():
        if name not in of_other_keys:
            with pytest.raises(CrawlError, match=f"-s {name}=.*in the job instead"):
                check_given(project_settings({name: str(value)}))


@pytest.mark.parametrize("mode", ["always", "auto"])
def test_pages_cannot_be_rendered_without_a_browser(
    mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(runner, "has_browser", lambda: False)
    table = {**JOB, "outputs": {"folder": str(tmp_path)}, "rendering": {"mode": mode}}
    assert run(Job.model_validate(table), project_settings({})) == 2
    assert capsys.readouterr().err == (
        f'rendering.mode is "{mode}", but no browser is installed; install '
        '`chromium-headless-shell` or `chromium` (`make browser`), or set it to "never"\n'
    )


@pytest.mark.parametrize("given", ["ITEM_PIPELINES=abc", "EXTENSIONS=3"])
def test_what_should_be_json_and_is_not_is_told(
    given: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "urls.txt"
    file.write_text("http://localhost:1/\n")
    assert main(["run", "--seeds", str(file), "-s", given]) == 2
    assert capsys.readouterr().err.startswith(f"-s {given}: must be a JSON object")


def test_what_a_crawl_cannot_do_without_is_not_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = project_settings({"DOWNLOADER_MIDDLEWARES": '{"mine.Middleware": 5}'})
    assert run(job(tmp_path), settings) == 2
    said = capsys.readouterr().err
    assert said.startswith(
        "the settings lack crawler.fetching.resource_limits.BoundedCompressionMiddleware, "
    )
    assert said.endswith("replaces the whole table\n")


@pytest.mark.parametrize("name", ["../../x", "a/b", "-x", "x" * 65])
def test_a_worker_is_called_what_a_file_can_be(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(job(tmp_path), project_settings({}), worker=name) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"-a worker={name}: must have at most 64 ASCII letters")
    assert said.count("\n") == 1
    with pytest.raises(ValueError, match="file names"):
        Layout(tmp_path, name)


@pytest.mark.parametrize("below", ["", "a/b"])
def test_a_file_in_the_place_of_the_folder_is_named(
    below: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.touch()
    assert run(job(file / below), project_settings({})) == 5
    assert capsys.readouterr().err == (
        f'cannot use outputs.folder "{file / below}": {file} is not a folder\n'
    )


def test_so_is_a_folder_that_cannot_be_made(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(job(Path("/proc/x")), project_settings({})) == 5
    said = capsys.readouterr().err
    assert said.startswith('cannot use outputs.folder "/proc/x": ')
    assert "Errno" not in said
