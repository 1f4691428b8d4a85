"""A page that is fetched without a job obeys the rules of a crawl."""

from __future__ import annotations

import asyncio

import pytest
from scrapy import Request
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from crawler.fetching.single_page import RobotsGate, without_frontier
from crawler.politeness.robots import RobotsForbiddenError
from settings.tables.politeness import Politeness


class Gate(RobotsGate):
    """Of a site that refuses one crawler."""

    async def _fetch(self, url: str) -> Response:
        return Response(url, body=b"User-agent: my-bot\nDisallow: /")


@pytest.mark.parametrize(("agent", "refused"), [("my-bot/2.0", True), ("other-bot", False)])
def test_it_obeys_the_rules_for_the_crawler_that_it_says_it_is(agent: str, refused: bool) -> None:
    crawler = get_crawler(settings_dict=without_frontier(Politeness(user_agent=agent)))
    visit = Gate.from_crawler(crawler).process_request(Request("http://example.com/"))
    if refused:
        with pytest.raises(RobotsForbiddenError):
            asyncio.run(visit)
    else:
        asyncio.run(visit)
