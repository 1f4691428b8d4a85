"""``report.html``: the numbers of a run and of its job, and a sample of the run's pages.

A single static file without scripts or external resources. The template escapes what pages say, and
its content security policy allows only inline styles and embedded images.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from jinja2 import Environment

from corpus_commons.kinds import UNSURE
from corpus_commons.markup.beginnings import beginning
from corpus_commons.pages import encodable, pages_in
from crawler.items import timestamp
from pipelines.reporting.sample_pages import PageSample, SampledPage
from pipelines.reporting.summary import Summary, label_of

_TEMPLATE: Final = "report.html"
# The numbers of rows in a table of counts, and of buttons that choose a kind of page.
_MOST_ROWS: Final = 12
_MOST_KINDS: Final = 12
# In characters.
_LONGEST_URL: Final = 300
_LONGEST_BEGIN: Final = 400


class _Section(NamedTuple):
    """Pages, each with the number of its kind in ``kinds``; None for rare kinds.

    total: how many pages the sample was drawn from. kinds: with their counts in the sample.
    """

    pages: list[tuple[int | None, SampledPage]]
    total: int
    kinds: list[tuple[str, int]]


def report_html(summary: Summary, sample: PageSample) -> str:
    """The report as HTML; its size is bounded by that of the sample."""
    html = (
        _environment()
        .get_template(_TEMPLATE)
        .render(
            summary=summary,
            documents=_section(sample.documents, summary.totals.documents, _page_type),
            rejects=_section(sample.rejects, summary.totals.rejects, _reason),
        )
    )
    return encodable(html)


def _environment() -> Environment:
    environment = pages_in(Path(__file__).parent)
    filters: dict[str, Callable[..., str]] = {
        "beginning": beginning,
        "base64": lambda content: b64encode(content).decode(),
        "label": label_of,
        "timestamp": timestamp,
    }
    environment.filters.update(filters)
    environment.globals.update(
        unsure=UNSURE, most_rows=_MOST_ROWS, longest_url=_LONGEST_URL, longest_begin=_LONGEST_BEGIN
    )
    return environment


def _section(
    pages: Sequence[SampledPage], total: int, kind: Callable[[SampledPage], str]
) -> _Section:
    kinds = Counter(map(kind, pages)).most_common(_MOST_KINDS)
    numbers = {label: number for number, (label, _) in enumerate(kinds)}
    return _Section([(numbers.get(kind(page)), page) for page in pages], total, kinds)


def _page_type(page: SampledPage) -> str:
    return page.document.page_type or UNSURE


def _reason(page: SampledPage) -> str:
    return page.rejection.reason if page.rejection is not None else ""
