"""``report.html`` of a data set: what each step dropped and changed, and what is left.

A single static file without scripts or external resources; its size is bounded.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

from corpus_commons.pages import encodable, pages_in
from refinery.dataset.account import Built
from refinery.dataset.statistics import most_frequent

_TEMPLATE: Final = "report.html"
_MOST_ROWS: Final = 12


def report_html(built: Built) -> str:
    """The report as HTML."""
    whole = built.whole
    charts = {
        "languages": _largest(whole.languages),
        "genres": _largest(whole.genres),
        "page types": _largest(whole.page_types),
        "hosts": _largest(whole.hosts),
        "licences": _largest(whole.licences),
        "words of a document": _lengths(whole.lengths),
    }
    template = pages_in(Path(__file__).parent).get_template(_TEMPLATE)
    html = template.render(built=built, whole=whole, charts=charts, funnel=_funnel(built))
    return encodable(html)


def _funnel(built: Built) -> list[tuple[str, int]]:
    """Documents of the corpora, and after each step."""
    steps = [(f"{step.number}. {step.name}", step.kept) for step in built.steps]
    return [("corpora", built.documents), *steps]


def _largest(counts: Counter[str]) -> list[tuple[str, int]]:
    return most_frequent(counts, _MOST_ROWS)


def _lengths(counts: Counter[str]) -> list[tuple[str, int]]:
    """A histogram by powers of two."""
    powers = sorted(map(int, counts))
    every = range(powers[0], powers[-1] + 1) if powers else ()
    return [(f"under {2**power:,}", counts[str(power)]) for power in every]
