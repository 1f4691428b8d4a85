"""``report.html``: a run at a glance, and its pages to look at.

One static file without scripts, which loads nothing: whatever a page holds is escaped text in it,
and a content security policy forbids everything but its own style and pictures.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final

from crawler.frontier.base import DeadLetter
from crawler.items import timestamp
from pipelines.gallery import Exhibit
from pipelines.summary import Summary

_LONGEST_URL: Final = 300
_MOST_ROWS: Final = 30

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_STYLE: Final = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1.1rem; margin: 2.5rem 0 .75rem }
.tables { display: flex; flex-wrap: wrap; gap: 2rem; align-items: flex-start }
table { border-collapse: collapse } caption { text-align: left; font-weight: 600 }
td, th { padding: .15rem 1rem .15rem 0; border-bottom: 1px solid var(--line); text-align: left }
td.number { text-align: right; font-variant-numeric: tabular-nums; padding-right: 0 }
article { border: 1px solid var(--line); border-radius: 6px; padding: .75rem 1rem;
  margin: 0 0 .75rem; display: flex; gap: 1rem }
article > div { min-width: 0; flex: 1 } article h3 { font-size: 1rem; margin: 0 }
article img { width: 160px; height: auto; align-self: flex-start; border: 1px solid var(--line) }
.url { overflow-wrap: anywhere; opacity: .75; font-size: .85rem }
.facts { font-size: .85rem } .facts b { font-weight: 600 }
.reason { background: #d332; border-radius: 4px; padding: 0 .35rem }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--soft); padding: .75rem;
  font: inherit; max-height: 28rem; overflow: auto }
summary { cursor: pointer; font-size: .85rem }
.failure { background: #d332; padding: .5rem 1rem; border-radius: 6px }
"""


def report_html(summary: Summary, documents: Sequence[Exhibit], rejects: Sequence[Exhibit]) -> str:
    """The report; its size is bounded by the number of exhibits."""
    return "\n".join(_parts(summary, documents, rejects)) + "\n"


def _parts(
    summary: Summary, documents: Sequence[Exhibit], rejects: Sequence[Exhibit]
) -> Iterator[str]:
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{_text(summary.job)}: report</title><style>{_STYLE}</style></head><body>"
    yield f"<h1>{_text(summary.job)}</h1>"
    yield f"<p>Begun {timestamp(summary.started)}. The corpus is in <code>"
    yield f"{_text(str(summary.corpus))}</code>.</p>"
    if summary.failure:
        yield f'<p class="failure">The run ended early: {_text(summary.failure)}</p>'
    yield '<div class="tables">'
    yield _table("this run", summary.totals())
    for title, counts in summary.groups.items():
        yield _table(title, {value: f"{count:,}" for value, count in counts.items()})
    yield "</div>"
    yield from _section("Documents", documents, summary.documents)
    yield from _section("Rejects", rejects, summary.rejects)
    yield from _dead(summary.dead, summary.frontier.dead)
    yield "</body></html>"


def _table(caption: str, rows: Mapping[str, str]) -> str:
    shown = list(rows.items())[:_MOST_ROWS]
    cells = "".join(
        f'<tr><td>{_text(name)}</td><td class="number">{_text(value)}</td></tr>'
        for name, value in shown
    )
    more = len(rows) - len(shown)
    rest = f'<tr><td colspan="2">and {more:,} more</td></tr>' if more else ""
    return f"<table><caption>{_text(caption)}</caption>{cells}{rest}</table>"


def _section(title: str, exhibits: Sequence[Exhibit], total: int) -> Iterator[str]:
    if not exhibits:
        return
    which = "all" if len(exhibits) >= total else f"a random {len(exhibits):,}"
    yield f"<h2>{title}: {which} of {total:,}</h2>"
    for exhibit in exhibits:
        yield _article(exhibit)


def _article(exhibit: Exhibit) -> str:
    picture = ""
    if exhibit.thumbnail is not None:
        data = b64encode(exhibit.thumbnail).decode()
        picture = f'<img alt="screenshot" loading="lazy" src="data:image/jpeg;base64,{data}">'
    text = ""
    if exhibit.text:
        cut = " (cut)" if exhibit.characters > len(exhibit.text) else ""
        text = (
            f"<details><summary>{exhibit.characters:,} characters{cut}</summary>"
            f'<pre dir="auto">{_text(exhibit.text)}</pre></details>'
        )
    return (
        f"<article>{picture}<div><h3>{_text(exhibit.title or 'without a title')}</h3>"
        f'<div class="url">{_text(exhibit.url[:_LONGEST_URL])}</div>'
        f'<div class="facts">{" · ".join(_facts(exhibit))}</div>{text}</div></article>'
    )


def _facts(exhibit: Exhibit) -> Iterator[str]:
    if exhibit.rejection is not None:
        detail = f": {exhibit.rejection.detail}" if exhibit.rejection.detail else ""
        yield f'<span class="reason">{_text(exhibit.rejection.reason + detail)}</span>'
    if exhibit.genre_scores:
        scores = ", ".join(f"{name} {score:.2f}" for name, score in exhibit.genre_scores.items())
        yield f"<b>{_text(exhibit.genre or 'unsure')}</b> ({_text(scores)})"
        yield _text(exhibit.page_type or "page type unsure")
    for value in (exhibit.language, exhibit.extractor):
        if value:
            yield _text(value)
    if exhibit.rendered:
        yield "rendered"


def _dead(letters: Sequence[DeadLetter], total: int) -> Iterator[str]:
    if not letters:
        return
    yield f"<h2>Given up: {len(letters):,} of {total:,} URLs</h2><table>"
    for letter in letters:
        url = _text(letter.url[:_LONGEST_URL])
        yield f'<tr><td class="url">{url}</td><td>{_text(letter.reason)}</td></tr>'
    yield "</table>"


def _text(value: str) -> str:
    """Escaped; what UTF-8 cannot hold becomes a question mark."""
    return escape(value.encode("utf-8", "replace").decode())
