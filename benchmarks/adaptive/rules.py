"""Crawlee's rule of when to render, in our crawl."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from scrapy import signals
from scrapy.crawler import Crawler

from crawler.adaptive.decider import Decision, Outcome, kind_of, place_of
from crawler.adaptive.host_table import HostRendering
from crawler.crawl.crawl import crawl_of
from crawler.discovery.page_scan import ScannedPage


@dataclass(frozen=True, slots=True)
class _Prediction(Decision):
    """detects: whether the page is rendered to learn from it."""

    url: str = ""
    detects: bool = False


class CrawleeDecider:
    """Crawlee's own predictor, and what its ``AdaptivePlaywrightCrawler`` does with it.

    By the URLs of earlier pages, a page is predicted to be static or not. It is rendered if it is
    not, or to be compared with the static page. Here the two are equal if no word of the rendered
    text is missing in the static one; crawlee itself wants equal results. And a page is fetched
    once for both forms, not twice.
    """

    def __init__(self) -> None:
        # Imported here, so that everything else works without it.
        import crawlee  # noqa: PLC0415
        from crawlee.crawlers._adaptive_playwright import (  # noqa: PLC0415
            _rendering_type_predictor as predictors,
        )

        self._request = crawlee.Request.from_url
        self.predictor = predictors.DefaultRenderingTypePredictor()
        self._chance = random.Random(1)

    def decide(self, static: ScannedPage, left: int) -> Decision:
        url = static.page.url
        place = place_of(static, kind_of(static))
        found = self.predictor.predict(self._request(url))
        detects = self._chance.random() < found.detection_probability_recommendation
        renders = detects or found.rendering_type == "client only"
        reason = "detection" if detects else f"predicted {found.rendering_type}"
        return _Prediction(renders, reason, place, url=url, detects=detects)

    def learn(self, decision: Decision, outcome: Outcome | None) -> None:
        if isinstance(decision, _Prediction) and decision.detects and outcome is not None:
            request = self._request(decision.url)
            self.predictor.store_result(request, "client only" if outcome.gain else "static")

    def hosts(self) -> Sequence[HostRendering]:
        return ()


class CrawleeRule:
    """An extension: the crawl decides by crawlee's rule."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        crawler.signals.connect(self._opened, signals.spider_opened)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def _opened(self) -> None:
        decider = CrawleeDecider()
        await decider.predictor.initialize()
        crawl_of(self._crawler).decider = decider
