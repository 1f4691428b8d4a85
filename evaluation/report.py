"""The HTML report: the tables, and the worst pages of each method with a word diff."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

from evaluation.difference import stretches
from evaluation.pages import Gold
from evaluation.results import PageKey
from evaluation.summary import Summary
from evaluation.tables import NOTHING, Table, tables
from evaluation.worst import Bad, Worst

_STYLE = Path(__file__).with_name("report.css")

# Longer gold text is truncated; the diff above it is more complete.
_GOLD_CHARACTERS = 20_000


def report(
    summary: Summary, worst: Worst, golds: Mapping[PageKey, Gold], facts: Mapping[str, object]
) -> Iterator[str]:
    """The report, piece by piece.

    facts: the settings of the run, for the header; None and empty values are not shown.
    """
    yield _HEAD.format(style=_STYLE.read_text(encoding="utf-8"))
    yield "<header><h1>Extraction methods compared</h1><dl>"
    for name, value in {"pages": f"{summary.pages:,}", **facts}.items():
        if value not in (None, [], ""):
            shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            yield f"<div><dt>{escape(name)}</dt><dd>{escape(shown)}</dd></div>"
    yield "</dl></header><main>"
    judged = [method for method in summary.methods if worst.of(method)]
    if judged:
        yield "<nav><span>Worst pages of</span>"
        for number, method in enumerate(judged):
            yield f'<a href="#method-{number}">{escape(method)}</a>'
        yield "</nav>"
    for table in tables(summary):
        yield _table(table)
    if judged:
        yield _LEGEND
    for number, method in enumerate(judged):
        yield f'<section id="method-{number}"><h2>{escape(method)}</h2>'
        for rank, bad in enumerate(worst.of(method), start=1):
            yield _page(rank, bad, golds[bad.result.page])
        yield "</section>"
    yield "</main></body></html>\n"


_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>Extraction methods compared</title>
<style>
{style}</style></head><body>
"""

_LEGEND = """<p class="legend"><span class="kept">kept</span> extracted, and in the gold
<span class="noise">noise</span> extracted, not in the gold
<span class="missed">missed</span> in the gold, not extracted</p>
"""


def _table(table: Table) -> str:
    heads = "".join(f'<th scope="col">{escape(column)}</th>' for column in table.columns)
    rows = "".join(
        f'<tr><th scope="row">{escape(cells[0])}</th>'
        + "".join(
            f"<td{' class=best' if (row, column) in table.best else ''}>{escape(cell)}</td>"
            for column, cell in enumerate(cells[1:], start=1)
        )
        + "</tr>"
        for row, cells in enumerate(table.rows)
    )
    return (
        f'<div class="table"><table><caption>{escape(table.title)}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>\n"
    )


def _page(rank: int, bad: Bad, gold: Gold) -> str:
    page = bad.result.page
    failed = f'<p class="error">{escape(bad.result.error)}</p>' if bad.result.error else ""
    return (
        f'<details class="page"{" open" if rank == 1 else ""}><summary>'
        f'<span class="rank">{rank}</span>'
        f'<span class="score" title="F1"><i style="width:{100 * bad.f1:.0f}%"></i>'
        f"<b>{bad.f1:.3f}</b></span>"
        f'<span class="id">{escape(page.set)} / {escape(page.id)}</span>'
        f'<span class="tag">{escape(gold.genre)}</span>'
        f'<span class="detail">precision {bad.precision:.3f}, recall {bad.recall:.3f}, '
        f"{_time(bad.result.seconds)}</span></summary>"
        f"{_address(gold.url)}{failed}"
        f'<div class="text">{_coloured(bad.result.text, gold.text)}</div>'
        f'<details class="gold"><summary>gold text</summary>'
        f'<div class="text">{_cut(gold.text)}</div></details></details>\n'
    )


def _coloured(text: str, gold: str) -> str:
    parts = [
        f'<span class="{part.role}">{escape(part.text)}</span>' for part in stretches(text, gold)
    ]
    return "".join(parts) or '<span class="left-out">both texts are empty</span>'


def _cut(text: str) -> str:
    rest = len(text) - _GOLD_CHARACTERS
    note = f'<span class="left-out">{rest:,} more characters</span>' if rest > 0 else ""
    return escape(text[:_GOLD_CHARACTERS]) + note


def _address(url: str | None) -> str:
    """The page's URL; a link only if it is HTTP(S), because data sets are not trusted."""
    if url is None:
        return ""
    try:
        scheme = urlsplit(url).scheme
    except ValueError:
        scheme = ""
    shown = escape(url)
    if scheme in {"http", "https"}:
        shown = f'<a href="{shown}" rel="noopener noreferrer">{shown}</a>'
    return f'<p class="url">{shown}</p>'


def _time(seconds: float | None) -> str:
    return NOTHING if seconds is None else f"{1000 * seconds:.0f} ms"
