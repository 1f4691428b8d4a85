"""Content Signals: ``Content-Signal: search=yes, ai-train=no`` in robots.txt.

https://contentsignals.org, as of 24 September 2025. A signal that is missing grants nothing and
forbids nothing. The line belongs to a group of robots.txt, and may begin with a path.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from crawler.consent.statement import Answer, Statement
from crawler.consent.usage_lines import values_for

FIELD: Final = "Content-Signal"
_SIGNALS: Final = {
    "ai-train": "content-signal",
    "ai-input": "content-signal-input",
    "search": "content-signal-search",
}
_ANSWERS: Final[dict[str, Answer]] = {"yes": "yes", "no": "no"}


def statements(group: str, url: str, where: str) -> Iterator[Statement]:
    """What the lines of a group say about a URL. where: the file, for the statements."""
    for value in values_for(FIELD, group, url):
        for pair in value.lower().split(","):
            name, _, said = (part.strip() for part in pair.partition("="))
            if name in _SIGNALS and said in _ANSWERS:
                yield Statement.of(_SIGNALS[name], _ANSWERS[said], where, f"{FIELD}: {pair}")
