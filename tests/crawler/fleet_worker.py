"""A real worker of a fleet as a subprocess, whose pages ``page_sink`` writes down."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parents[1]


def job_file(folder: Path, urls: Sequence[str] = ("http://localhost/",), **tables: str) -> Path:
    path = folder / "job.toml"
    more = "".join(f"[{name}]\n{lines}\n" for name, lines in tables.items())
    path.write_text(f'name = "fleet"\n{more}[seeds]\nurls = {list(urls)}\n')
    return path


def worker(job: Path, *there: str) -> subprocess.Popen[str]:
    """Crawls the job; ``there``: further arguments, where its frontier is."""
    command = [sys.executable, "-m", "crawler", "run", str(job), *there]
    command += ["-s", 'ITEM_PIPELINES={"page_sink.PageSink": 100}']
    return subprocess.Popen(  # noqa: S603 - our own program
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{TESTS}"},
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Its exit code, and what it wrote to standard error."""
    _, errors = process.communicate(timeout=60)
    return process.returncode, errors
