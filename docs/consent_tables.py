"""Writes the tables of signals, presets and agents into docs/explanation/consent.md.

They are between marks, and made of ``crawler/consent/signals.toml`` and ``agents.toml``. A test
compares the page with them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).parent / "explanation" / "consent.md"
REGION: Final = re.compile(
    r"(<!-- begin consent: (?P<name>\w+) -->\n).*?(<!-- end consent -->)", re.DOTALL
)


def _presets() -> Iterator[str]:
    from crawler.consent.signals import Signals  # noqa: PLC0415 - of this folder, see below

    yield "| preset | for |"
    yield "| --- | --- |"
    for name, meaning in Signals.shipped().presets.items():
        yield f"| `{name}` | {meaning} |"


def _signals() -> Iterator[str]:
    from crawler.consent.signals import Signals  # noqa: PLC0415

    shipped = Signals.shipped()
    yield f"| signal | says no | {' | '.join(shipped.presets)} | specification |"
    yield f"| --- | --- |{' :-: |' * len(shipped.presets)} --- |"
    for name, signal in shipped.signals.items():
        marks = " | ".join("yes" if preset in signal.presets else "" for preset in shipped.presets)
        yield f"| `{name}` | {signal.meaning} | {marks} | {signal.specification} |"


def _agents() -> Iterator[str]:
    from crawler.consent.trainers import list_date, trainers  # noqa: PLC0415

    names = ", ".join(f"`{name}` ({operator})" for name, operator in trainers().items())
    yield f"As of {list_date()}: {names}."


TABLES: Final[dict[str, Callable[[], Iterator[str]]]] = {
    "presets": _presets,
    "signals": _signals,
    "agents": _agents,
}


def filled(page: str) -> str:
    """The page with its tables written anew."""
    return REGION.sub(lambda m: f"{m[1]}{chr(10).join(TABLES[m['name']]())}\n{m[3]}", page)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
