"""Where the live page is served, by the job file and the environment."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from scrapy.exceptions import NotConfigured
from scrapy.utils.test import get_crawler

from benchmarks.free_port import free_port
from corpus_commons.web.door import Door, listen
from crawler.crawl.crawl import Crawl, register
from live.extension import LivePage
from live.place import TOKEN, place_of
from settings import Job, JobError, parse_job
from settings.tables.live import Live
from settings.toml_text import to_toml

SECRET = "a-token-of-24-characters"  # noqa: S105 - of the test


def door_of(**keys: object) -> Door:
    door, listener = place_of(Live(port=free_port(), **keys))  # type: ignore[arg-type]
    listener.close()
    return door


def test_by_default_only_this_machine_reaches_it_and_needs_no_token() -> None:
    door = door_of()
    assert (door.is_local, door.token) == (True, "")
    assert door.address == f"http://127.0.0.1:{door.port}/"


def test_who_can_be_reached_from_elsewhere_has_a_token() -> None:
    first, second = door_of(address="0.0.0.0"), door_of(address="0.0.0.0")  # noqa: S104
    assert len(first.token) >= 24
    assert first.token != second.token
    assert first.address == f"http://127.0.0.1:{first.port}/{first.token}/"
    assert SECRET in door_of(address="0.0.0.0", token=SECRET).address  # noqa: S104


def test_the_token_of_the_environment_counts_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOKEN, SECRET)
    assert door_of(token="another-token-of-the-job").token == SECRET  # noqa: S106
    monkeypatch.setenv(TOKEN, "short")
    with pytest.raises(ValueError, match=f"{TOKEN} must be 16 to 100 letters"):
        door_of()


def test_at_the_port_of_http_browsers_do_not_name_it() -> None:
    door = Door(80)
    assert all(map(door.knows, ("127.0.0.1", "localhost", "127.0.0.1:80")))
    assert not any(map(door.knows, (None, "", "evil.com", "evil.com:80")))
    assert not Door(8080).knows("localhost")


def test_a_port_that_is_taken_is_left_to_who_has_it() -> None:
    with listen(0) as taken:
        port = taken.getsockname()[1]
        door, listener = place_of(Live(port=port))
        listener.close()
        assert door.port != port


def test_an_address_of_another_machine_is_told() -> None:
    with pytest.raises(OSError, match=r'live\.address = "192\.0\.2\.1", live\.port = 8750'):
        place_of(Live(address="192.0.2.1"))


def test_ipv6_is_written_in_brackets() -> None:
    door = Door(8750, "::1", "")
    assert door.address == "http://[::1]:8750/"
    assert door.knows("[::1]:8750")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('address = "localhost"', 'live.address is "localhost"; it must be an IP address'),
        ("port = 70000", "live.port is 70000; it must be at most 65535"),
        ('token = "short"', "it must be 16 to 100 letters"),
        ("enable = false", "live.enable is not a known key; did you mean enabled?"),
    ],
)
def test_what_is_wrong_is_told(line: str, told: str) -> None:
    text = f'name = "x"\nseeds.urls = ["http://localhost/"]\n[live]\n{line}\n'
    with pytest.raises(JobError) as caught:
        parse_job(text, source="job.toml")
    assert "job.toml:4: " in str(caught.value)
    assert told in str(caught.value)
    assert "short" not in str(caught.value), "a secret is not repeated"


def test_a_token_is_not_shown_with_the_job() -> None:
    text = f'name = "x"\nseeds.urls = ["http://localhost/"]\nlive.token = "{SECRET}"\n'
    job = parse_job(text, source="job.toml")
    assert SECRET not in to_toml(job)
    assert job.live.token == SECRET


def test_who_comes_first_when_the_crawl_is_about_to_end_is_answered(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def answer() -> bytes:
        crawl = Crawl(job)
        register(crawler := get_crawler(), crawl)
        page = LivePage.from_crawler(crawler)
        await crawl.open()
        await page.begin()
        await crawl.close("finished")
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            lines = (
                "GET /metrics HTTP/1.1",
                f"Host: localhost:{port}",
                "Connection: close",
                "",
                "",
            )
            writer.write("\r\n".join(lines).encode())
            found = await asyncio.wait_for(reader.read(), 20)
            writer.close()
        finally:
            await page.end()
        return found

    port = free_port()
    job = Job.model_validate(
        {
            "name": "job",
            "seeds": {"urls": ["http://127.0.0.1/"]},
            "outputs": {"folder": str(tmp_path)},
            "live": {"port": port},
        }
    )
    assert asyncio.run(answer()).startswith(b"HTTP/1.1 200 ")
    assert not [one for one in caplog.records if one.levelname == "ERROR"]


def test_that_a_job_wants_no_page_is_no_warning() -> None:
    job = Job.model_validate(
        {"name": "job", "seeds": {"urls": ["http://127.0.0.1/"]}, "live": {"enabled": False}}
    )
    crawler = get_crawler()
    register(crawler, Crawl(job))
    with pytest.raises(NotConfigured) as found:
        LivePage.from_crawler(crawler)
    # Scrapy logs a reason, if there is one, as a warning.
    assert not str(found.value)
