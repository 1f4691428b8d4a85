"""The real program as a subprocess, and a look at what it leaves."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import loaded_program

from crawler.frontier import DeadLetter, SqliteFrontier, Stats


@dataclass
class Crawling:
    """A job in ``folder``, whose pages ``page_sink.PageSink`` writes down.

    settings: of Scrapy, as for ``-s``.
    """

    folder: Path
    job: str
    page_sink_seconds: float = 0.0
    settings: list[str] = field(default_factory=list)

    @property
    def output(self) -> Path:
        return self.folder / "out"

    def start(self) -> loaded_program.Program:
        """For what disturbs it."""
        return loaded_program.start("crawler", *self._arguments())

    def run(self) -> tuple[int, str]:
        """The exit code and what was written to standard error."""
        done = loaded_program.run("crawler", *self._arguments(), seconds=60)
        return done.returncode, done.stderr

    def _arguments(self) -> list[str]:
        self.folder.mkdir(exist_ok=True)
        file = self.folder / "job.toml"
        file.write_text(f'name = "test"\n{self.job}\n[outputs]\nfolder = "{self.output}"\n')
        settings = [
            "LOG_LEVEL=WARNING",
            'ITEM_PIPELINES={"page_sink.PageSink": 100}',
            f"PAGE_SINK_SECONDS={self.page_sink_seconds}",
            *self.settings,
        ]
        return ["run", str(file), *(part for setting in settings for part in ("-s", setting))]

    def pages(self) -> list[dict[str, Any]]:
        file = self.output / "pages.jsonl"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def wait_for(self, condition: Callable[[], bool], seconds: float = 30) -> None:
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, "the crawl did not come so far"
            time.sleep(0.02)

    def stats(self) -> Stats:
        async def read() -> Stats:
            async with await SqliteFrontier.attach(self.output) as frontier:
                return await frontier.stats()

        return asyncio.run(read())

    def dead(self) -> list[DeadLetter]:
        async def read() -> list[DeadLetter]:
            async with await SqliteFrontier.attach(self.output) as frontier:
                return await frontier.dead_letters()

        return asyncio.run(read())
