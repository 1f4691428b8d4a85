"""What a host's files say is read once, and looked up for each page."""

from __future__ import annotations

import asyncio

from scrapy.http import Response

from crawler.consent.host_signals import HostSignals
from crawler.consent.trainers import trainers
from crawler.fetching.single_page import no_pace
from crawler.politeness.robots import Robots
from tests.cpu_time import bounded_time

SITE = "https://provider.com"


def signals_of(robots: str) -> HostSignals:
    async def fetch(url: str) -> Response:
        is_there = url == f"{SITE}/robots.txt"
        return Response(url, 200 if is_there else 404, body=robots.encode())

    return HostSignals(Robots(fetch, no_pace, "my-bot", trainers=trainers()), fetch)


def test_a_page_takes_little_time_whatever_robots_txt_says() -> None:
    shared = "".join(f"User-agent: {name}\n" for name in trainers())
    rules = "".join(f"Disallow: /{number}\n" for number in range(25_000))
    own = "".join(f"User-agent: {name}\nAllow: /{name}\n" for name in trainers())

    async def work() -> None:
        signals = signals_of(shared + rules + own)
        for number in range(20):
            await signals.of_host(f"{SITE}/page/{number}")

    with bounded_time():
        asyncio.run(work())


def test_lines_on_the_use_count_in_any_group_that_is_for_us_or_for_trainers() -> None:
    robots = """Content-Signal: ai-train=no
    User-agent: GPTBot
    content-usage : /a train-ai=n
    User-agent: other
    Content-Usage: search=n
    Allow: /
    User-agent: my-bot
    Content-Signal: /a search=yes # for us
    """
    _, found = asyncio.run(signals_of(robots).of_host(f"{SITE}/a"))
    assert {one.text for one in found} == {
        "Content-Signal: ai-train=no",
        "Content-Usage: train-ai=n",
        "Content-Signal: search=yes",
    }
