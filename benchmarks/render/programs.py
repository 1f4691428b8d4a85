"""The programs to compare; each is a process that writes a line for each finished page.

Ours is the real crawl: ``python -m crawler run`` with a job that renders, classifies and extracts
every page.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

CRAWL: Final = "ours, the whole pipeline"
_REPORTER: Final = {"benchmarks.render.spiders.Reporter": 0}
_JOB = """name = "benchmark"
[seeds]
urls = {urls}
[scope]
depth = 0
[limits]
pages = 1_000_000
[politeness]
delay = 0
concurrency_per_host = 100
[outputs]
folder = "{folder}/out"
[rendering]
mode = "always"
"""


@dataclass(frozen=True)
class Setup:
    """The settings of the programs.


    rendering: keys of the job's ``[rendering]`` for our crawl. browser: of the peer.
    peer_settings: Scrapy settings for the peer, on top of the defaults.
    """

    urls: list[str] = field(repr=False)
    rendering: dict[str, int]
    browser: str | None
    peer_settings: dict[str, Any]


@contextlib.contextmanager
def started(name: str, setup: Setup) -> Iterator[subprocess.Popen[str]]:
    """The running program; its standard output has one line of JSON per page."""
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "errors").open("w+") as errors:
        crawls = name == CRAWL
        command = _crawl(Path(folder), setup) if crawls else _spider()
        process = subprocess.Popen(  # noqa: S603 - our own program
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
        )
        try:
            if process.stdin is not None:
                process.stdin.write("" if crawls else json.dumps(_task(name, setup)))
                process.stdin.close()
            yield process
            if process.wait():
                errors.seek(0)
                raise SystemExit(f"{name}: exit code {process.returncode}\n{errors.read()[-2000:]}")
        finally:
            process.kill()
            process.wait()


def _spider() -> list[str]:
    return [sys.executable, "-m", "benchmarks.render.spiders"]


def _task(name: str, setup: Setup) -> dict[str, Any]:
    return {
        "spider": name,
        "urls": setup.urls,
        "concurrency": setup.rendering["concurrency"],
        "browser": setup.browser,
        "peer_settings": setup.peer_settings,
    }


def _crawl(folder: Path, setup: Setup) -> list[str]:
    lines = [f"{key} = {value}\n" for key, value in setup.rendering.items()]
    job = folder / "job.toml"
    text = _JOB.format(folder=folder, urls=json.dumps(setup.urls)) + "".join(lines)
    job.write_text(text, encoding="utf-8")
    settings = ["-s", "LOG_LEVEL=WARNING", "-s", f"EXTENSIONS={json.dumps(_REPORTER)}"]
    return [sys.executable, "-m", "crawler", "run", str(job), *settings]
