"""A crawl of a web by one of the rules, and what it found."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from benchmarks.adaptive.clock import FILE
from pipelines.corpus.folder import shards

ROOT: Final = Path(__file__).resolve().parents[2]
ALWAYS, NEVER, ADAPTIVE, CRAWLEE = "always", "never", "adaptive", "crawlee's rule"
RULES: Final = (ALWAYS, NEVER, ADAPTIVE, CRAWLEE)

_CLOCK: Final = "benchmarks.adaptive.clock.Clock"
_CRAWLEE: Final = "benchmarks.adaptive.rules.CrawleeRule"
_BROWSERS: Final = "benchmarks.adaptive.local_browsers.LocalBrowserProvider"
_JOB: Final = """name = "adaptive"
[seeds]
urls = {urls}
[scope]
depth = 0
[politeness]
delay = 0
concurrency_per_host = 8
[extraction]
site_memory = false
[filters]
min_words = 0
duplicates = "keep"
[rendering]
mode = "{mode}"
scroll = {scroll}
[outputs]
folder = "{folder}"
"""


@dataclass(frozen=True, slots=True)
class Found:
    """What became of a page. gain: that the rule saw; None if it saw none."""

    text: str = ""
    genre: str | None = None
    page_type: str | None = None
    rendered: bool = False
    reason: str = ""
    gain: float | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """pages: by address and path. rate: pages/s. cpu: seconds a page, of all processes."""

    pages: Mapping[tuple[str, str], Found] = field(repr=False)
    rate: float
    cpu: float


def crawl(
    rule: str, places: Iterable[tuple[str, str]], port: int, folder: Path, *, scroll: int
) -> Result:
    """Crawl these addresses and paths. Raises SystemExit if the crawl fails."""
    folder.mkdir(parents=True)
    urls = [f"http://{address}:{port}{path}" for address, path in places]
    random.Random(1).shuffle(urls)
    job, clock, out = folder / "job.toml", folder / "clock.json", folder / "out"
    mode = rule if rule in (ALWAYS, NEVER) else ADAPTIVE
    text = _JOB.format(urls=json.dumps(urls), mode=mode, scroll=scroll, folder=out)
    job.write_text(text, encoding="utf-8")
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "crawler", "run", str(job), *_settings(rule, clock)],
        cwd=ROOT,
        env=dict(os.environ),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode or not clock.exists():
        raise SystemExit(f"{rule}: exit code {done.returncode}\n{done.stderr[-3000:]}")
    return Result(dict(_pages(out / "corpus")), **json.loads(clock.read_text()))


def _settings(rule: str, clock: Path) -> list[str]:
    extensions = {_CLOCK: 0, **({_CRAWLEE: 0} if rule == CRAWLEE else {})}
    chosen = {"LOG_LEVEL": "WARNING", "EXTENSIONS": json.dumps(extensions), FILE: str(clock)}
    if rule != NEVER:
        chosen["PLAYWRIGHT_BROWSER_PROVIDER"] = _BROWSERS
    return [part for name, value in chosen.items() for part in ("-s", f"{name}={value}")]


def _pages(corpus: Path) -> Iterable[tuple[tuple[str, str], Found]]:
    for shard in shards(corpus):
        for line in shard.documents():
            metadata: dict[str, Any] = line["metadata"]
            parts = urlsplit(metadata["requested_url"])
            path = parts.path + (f"?{parts.query}" if parts.query else "")
            yield (
                (parts.hostname or "", path),
                Found(
                    line["text"] if shard.kind == "documents" else "",
                    metadata["genre"],
                    metadata["page_type"],
                    metadata["rendered"],
                    metadata["rendering_reason"] or "",
                    metadata["rendering_gain"],
                ),
            )
