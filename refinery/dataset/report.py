"""``report.html`` of a data set: what each step dropped, with examples, and what is left.

A single static file without scripts or external resources; its size is bounded.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final, NamedTuple

from corpus_commons.templates import templates_in
from refinery.dataset.account import Built
from refinery.dataset.statistics import most_frequent

_TEMPLATE: Final = "report.html"
_MOST_ROWS: Final = 12


class Bar(NamedTuple):
    """A row of a chart. share: of the largest, for the bar's length."""

    label: str
    number: int
    share: float


def report_html(built: Built) -> str:
    """The report as HTML."""
    environment = templates_in(Path(__file__).parent)
    environment.filters["number"] = "{:,}".format
    whole = built.whole
    charts = {
        "languages": _bars(whole.languages),
        "genres": _bars(whole.genres),
        "page types": _bars(whole.page_types),
        "hosts": _bars(whole.hosts),
        "licences": _bars(whole.licences),
        "words of a document": _lengths(whole.lengths),
    }
    html = environment.get_template(_TEMPLATE).render(
        built=built, whole=whole, charts=charts, funnel=_funnel(built)
    )
    return html.strip().encode("utf-8", "replace").decode() + "\n"


def _funnel(built: Built) -> list[Bar]:
    """Documents of the corpora, and after each step."""
    levels = [("corpora", built.documents)]
    levels += [(f"{step.number}. {step.name}", step.kept) for step in built.steps]
    most = max(1, built.documents)
    return [Bar(label, count, count / most) for label, count in levels]


def _bars(counts: Counter[str]) -> list[Bar]:
    return _scaled(most_frequent(counts, _MOST_ROWS))


def _lengths(counts: Counter[str]) -> list[Bar]:
    """A histogram by powers of two."""
    powers = sorted(map(int, counts))
    every = range(powers[0], powers[-1] + 1) if powers else ()
    return _scaled([(f"under {2**power:,}", counts[str(power)]) for power in every])


def _scaled(rows: list[tuple[str, int]]) -> list[Bar]:
    most = max((count for _, count in rows), default=1)
    return [Bar(label, count, count / most) for label, count in rows]
