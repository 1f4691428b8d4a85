"""A real worker of a fleet as a subprocess, whose pages ``page_sink`` writes down."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import loaded_program
from loaded_program import Program
from small_web import PAGE, Web


def job_file(folder: Path, urls: Sequence[str] = ("http://localhost/",), **tables: str) -> Path:
    path = folder / "job.toml"
    more = "".join(f"[{name}]\n{lines}\n" for name, lines in tables.items())
    path.write_text(f'name = "fleet"\n{more}[seeds]\nurls = {list(urls)}\n')
    return path


def job_of_pages(folder: Path, web: Web, *, delay: float = 0.4) -> Path:
    """Of 60 pages of the site: so slow that it is not over before something has happened to it."""
    web.answers = {f"/{number}": (200, {}, PAGE) for number in range(60)}
    urls = [f"{web.base}{path}" for path in web.answers]
    return job_file(folder, urls, politeness=f"delay = {delay}", outputs=f'folder = "{folder}/o"')


def wait_for_pages(web: Web, *workers: Program) -> None:
    """Until some were asked for, which a worker that goes on has to do."""
    while len(web.asked) < 3:
        assert None in [process.poll() for process in workers]
        time.sleep(0.02)


def worker(job: Path, *there: str) -> Program:
    """Crawls the job; ``there``: further arguments, where its frontier is."""
    sink = ["-s", 'ITEM_PIPELINES={"page_sink.PageSink": 100}']
    return loaded_program.start("crawler", "run", str(job), *there, *sink)


def ended(process: Program) -> tuple[int, str]:
    """Its exit code, and what it wrote to standard error."""
    _, errors = process.communicate(timeout=60)
    return process.returncode, errors
