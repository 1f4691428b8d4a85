"""``scrapy`` as a user types it in the project's folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def scrapy(
    *arguments: object, standard_input: str = "", stdout: int = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "scrapy", *map(str, arguments)],
        cwd=ROOT,
        input=standard_input,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=100,
    )
