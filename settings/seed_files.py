"""Files of URLs to begin with: one a line, read as a stream, since there may be millions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from settings.addresses import seed_url, without_login

_LONGEST_SHOWN: Final = 80


class SeedLine(NamedTuple):
    """A line that is neither blank nor a comment. text: its first word, which should be a URL."""

    file: Path
    number: int
    text: str

    @property
    def place(self) -> str:
        return f"{self.file}:{self.number}"

    def problem(self) -> str | None:
        """Why no crawl can begin with it, and where it stands; None if one can."""
        try:
            seed_url(self.text)
        except ValueError as error:
            # Whatever a binary file holds, no terminal is given its control characters.
            shown = json.dumps(without_login(self.text)[:_LONGEST_SHOWN], ensure_ascii=False)
            return f"{self.place}: {shown} {error}"
        return None


def seed_lines(files: Iterable[Path]) -> Iterator[SeedLine]:
    """The lines of all files that should be URLs."""
    for file in files:
        with file.open(encoding="utf-8-sig", errors="replace") as lines:
            for number, line in enumerate(lines, 1):
                words = line.split(maxsplit=1)
                if words and not words[0].startswith("#"):
                    yield SeedLine(file, number, words[0])


def url_lines(files: Iterable[Path]) -> Iterator[SeedLine]:
    """Those of them that are URLs."""
    return (line for line in seed_lines(files) if line.problem() is None)
