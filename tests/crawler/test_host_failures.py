"""Hosts that refuse: when a crawl gives them up, what becomes of their URLs, and what of others."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from crawling import Crawling
from small_web import PAGE, Web

from crawler.frontier import SqliteFrontier

PATHS = [f"/{number}" for number in range(20)]
LINKS = "".join(f"<a href={path}>x</a>" for path in PATHS)
TROUBLE = (503, {}, "")


def job(*bases: str, longest_delay: str = "20ms", more: str = "") -> str:
    urls = ", ".join(f'"{base}/"' for base in bases)
    return f"""
seeds.urls = [{urls}]
[politeness]
delay = "10ms"
longest_delay = "{longest_delay}"
[frontier]
tries = 1
host_tries = 4
{more}"""


def refuse(web: Web, paths: list[str]) -> None:
    web.answers |= {"/": (200, {}, PAGE + LINKS), **dict.fromkeys(PATHS, (200, {}, PAGE))}
    web.answers |= dict.fromkeys(paths, TROUBLE)


async def retry(folder: Path) -> int:
    async with await SqliteFrontier.attach(folder) as frontier:
        return await frontier.retry_dead(reason="host-down")


def reasons(crawling: Crawling) -> list[str]:
    return [letter.reason for letter in crawling.dead()]


def test_a_host_that_refuses_again_and_again_is_given_up(web: Web, tmp_path: Path) -> None:
    refuse(web, PATHS)
    with Web("127.0.0.2") as other:
        refuse(other, [])
        crawling = Crawling(tmp_path, job(web.base, other.base))
        code, said = crawling.run()
        assert len(other.asked) == 22
    assert code == 0
    assert web.asked == ["/robots.txt", "/", *PATHS[:4]]
    assert sorted(reasons(crawling)) == [*["host-down"] * 17, *["http-503"] * 3]
    assert said.count("127.0.0.1 is given up (http-503, 4 failed visits in a row)") == 1
    assert "127.0.0.2" not in said
    # As the log says, and as if nothing had been.
    refuse(web, [])
    assert asyncio.run(retry(crawling.output)) == 17
    assert crawling.run()[0] == 0
    assert reasons(crawling) == ["http-503"] * 3


def test_a_host_that_answers_in_between_is_not(web: Web, tmp_path: Path) -> None:
    refuse(web, [path for path in PATHS if not path.endswith("3")])
    crawling = Crawling(tmp_path, job(web.base).replace("host_tries = 4", "host_tries = 11"))
    assert crawling.run()[0] == 0
    assert reasons(crawling) == ["http-503"] * 18


def test_a_site_without_a_delay_is_ones_own(web: Web, tmp_path: Path) -> None:
    refuse(web, PATHS)
    crawling = Crawling(tmp_path, job(web.base).replace('delay = "10ms"', "delay = 0", 1))
    assert crawling.run()[0] == 0
    assert reasons(crawling) == ["http-503"] * 20


@pytest.mark.parametrize("asked", ["61", "86400"])
def test_a_host_that_asks_for_more_than_the_longest_delay_is_given_up_at_once(
    web: Web, tmp_path: Path, asked: str
) -> None:
    refuse(web, [])
    web.answers |= dict.fromkeys(PATHS[2:], (429, {"Retry-After": asked}, ""))
    crawling = Crawling(tmp_path, job(web.base))
    code, said = crawling.run()
    assert code == 0
    assert web.asked == ["/robots.txt", "/", *PATHS[:3]]
    assert reasons(crawling) == ["host-down"] * 18
    assert f"given up (http-429, Retry-After {int(asked):,} s)" in said


def test_a_known_page_of_such_a_host_is_not_gone(web: Web, tmp_path: Path) -> None:
    refuse(web, PATHS)
    again = '[recrawl]\npolicy = "fixed"\ninterval = "1h"'
    crawling = Crawling(tmp_path, job(web.base, more=again))
    assert crawling.run()[0] == 0
    outcomes = crawling.stats().outcomes
    assert (outcomes["failed: host-down"], outcomes["failed: http-503"]) == (17, 3)
    assert crawling.stats().dead == 0
