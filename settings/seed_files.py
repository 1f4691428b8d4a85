"""Reads files of seed URLs, one per line, as a stream, because there may be millions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from settings.addresses import seed_url
from settings.logins import without_login

_LONGEST_SHOWN: Final = 80


class SeedLine(NamedTuple):
    """A line that is neither blank nor a comment.

    text: its first word, which should be a URL. more: what follows that.
    """

    file: Path
    number: int
    text: str
    more: str = ""

    @property
    def place(self) -> str:
        return f"{self.file}:{self.number}"

    def problem(self) -> str | None:
        """Why it is not a usable seed, with its place; None if it is."""
        try:
            seed_url(self.text)
        except ValueError as error:
            # As JSON, so that control characters of a binary file do not reach the terminal.
            shown = json.dumps(without_login(self.text)[:_LONGEST_SHOWN], ensure_ascii=False)
            return f"{self.place}: {shown} {error}"
        return None


def seed_lines(files: Iterable[Path]) -> Iterator[SeedLine]:
    """The lines of all files, without blank lines and comments."""
    for file in files:
        with file.open(encoding="utf-8-sig", errors="replace") as lines:
            for number, line in enumerate(lines, 1):
                words = line.split(maxsplit=1)
                if words and not words[0].startswith("#"):
                    yield SeedLine(file, number, words[0], "".join(words[1:]).strip())


def problems(files: Iterable[Path]) -> Iterator[str]:
    """What is wrong with the lines that are skipped, with their places."""
    return filter(None, (line.problem() for line in seed_lines(files)))


def url_lines(files: Iterable[Path]) -> Iterator[SeedLine]:
    """The lines that are usable seeds."""
    return (line for line in seed_lines(files) if line.problem() is None)
