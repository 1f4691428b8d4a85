"""``report.html``: the numbers of a run and of its job, and a sample of the run's pages.

A single static file without scripts or external resources. Page content is escaped, and a content
security policy allows only inline styles and embedded images.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import Final

from crawler.frontier.base import DeadLetter
from crawler.items import timestamp
from pipelines.reporting.counts import UNSURE
from pipelines.reporting.ending import ending
from pipelines.reporting.report_style import STYLE, choosing
from pipelines.reporting.sample_pages import Exhibit
from pipelines.reporting.summary import Part, Summary, label_of

_LONGEST_URL: Final = 300
_LONGEST_BEGIN: Final = 400
_MOST_ROWS: Final = 12
_MOST_KINDS: Final = 12

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

Kind = Callable[[Exhibit], str]


def report_html(summary: Summary, documents: Sequence[Exhibit], rejects: Sequence[Exhibit]) -> str:
    """The report as HTML; its size is bounded by the number of exhibits."""
    return "\n".join(_parts(summary, documents, rejects)) + "\n"


def _parts(
    summary: Summary, documents: Sequence[Exhibit], rejects: Sequence[Exhibit]
) -> Iterator[str]:
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{_text(summary.job)}: report</title><style>{STYLE}</style></head><body>"
    failed = ' class="failure"' if summary.failure else ""
    yield f"<header><h1>{_text(summary.job)}</h1><p>Started {timestamp(summary.started)}. Corpus:"
    yield f"<code>{_text(str(summary.corpus))}</code>. Reports of all runs:"
    yield f"<code>{_text(str(summary.own_report.parent))}</code>.</p>"
    yield f"<p{failed}>{_text(ending(summary))}</p></header>"
    for part in (summary.this_run(), summary.whole_job()):
        yield from _numbers(part)
    yield from _section("Documents", documents, summary.totals.documents, _page_type)
    yield from _section("Rejects", rejects, summary.totals.rejects, _reason)
    yield from _dead(summary.dead, summary.frontier.dead)
    yield "</body></html>"


def _numbers(part: Part) -> Iterator[str]:
    yield f'<h2>{_text(part.title.capitalize())}</h2><div class="numbers">'
    for name, value in part.shown().items():
        yield f"<div><b>{_text(value)}</b>{_text(name)}</div>"
    yield '</div><div class="groups">'
    for name, counts in part.groups.items():
        yield _table(label_of(name), counts)
    yield "</div>"


def _table(caption: str, counts: Mapping[str, int]) -> str:
    shown = list(counts.items())[:_MOST_ROWS]
    most = max(counts.values())
    cells = "".join(
        f'<tr><td><i style="width:{100 * count / most:.0f}%"></i><span>{_text(name)}</span></td>'
        f'<td class="number">{count:,}</td></tr>'
        for name, count in shown
    )
    more = len(counts) - len(shown)
    rest = f'<tr><td colspan="2">and {more:,} more</td></tr>' if more else ""
    return f"<table><caption>{_text(caption)}</caption>{cells}{rest}</table>"


def _section(title: str, exhibits: Sequence[Exhibit], total: int, kind: Kind) -> Iterator[str]:
    """The exhibits, with buttons that show only those of one kind."""
    if not exhibits:
        return
    name = title.lower()
    kinds = Counter(map(kind, exhibits)).most_common(_MOST_KINDS)
    numbers = {label: number for number, (label, _) in enumerate(kinds)}
    which = f"all {total:,}"
    if len(exhibits) < total:
        which = f"a random sample of {len(exhibits):,} out of {total:,}"
    yield f"<h2>{title} of this run: {which}</h2><section>"
    yield f"<style>{choosing(name, numbers.values())}</style>"
    yield f'<input type="radio" name="{name}" id="{name}-all" checked>'
    for number in numbers.values():
        yield f'<input type="radio" name="{name}" id="{name}-{number}">'
    yield f'<div class="chips"><label for="{name}-all">all</label>'
    for number, (label, count) in enumerate(kinds):
        yield f'<label for="{name}-{number}">{_text(label)} {count:,}</label>'
    yield "</div>"
    for exhibit in exhibits:
        yield _article(exhibit, numbers.get(kind(exhibit)))
    yield "</section>"


def _page_type(exhibit: Exhibit) -> str:
    return exhibit.document.page_type or UNSURE


def _reason(exhibit: Exhibit) -> str:
    return exhibit.rejection.reason if exhibit.rejection is not None else ""


def _article(exhibit: Exhibit, number: int | None) -> str:
    document, picture = exhibit.document, ""
    if exhibit.thumbnail is not None:
        data = b64encode(exhibit.thumbnail).decode()
        picture = f'<img alt="screenshot" loading="lazy" src="data:image/jpeg;base64,{data}">'
    text = ""
    if document.text:
        cut = ", beginning shown" if exhibit.characters > len(document.text) else ""
        text = (
            f'<details><summary><p class="begin" dir="auto">{_begin(document.text)}</p>'
            f"<small>{exhibit.characters:,} characters{cut}</small></summary>"
            f'<pre dir="auto">{_text(document.text)}</pre></details>'
        )
    return (
        f'<article class="k{number}">{picture}'
        f"<div><h3>{_text(document.title or '(no title)')}</h3>"
        f'<div class="url">{_text(document.url[:_LONGEST_URL])}</div>'
        f'<div class="facts">{" · ".join(_facts(exhibit))}</div>{text}</div></article>'
    )


def _begin(text: str) -> str:
    """The beginning of the text, on one line."""
    return _text(" ".join(text[:_LONGEST_BEGIN].split()))


def _facts(exhibit: Exhibit) -> Iterator[str]:
    document = exhibit.document
    if exhibit.rejection is not None:
        detail = f": {exhibit.rejection.detail}" if exhibit.rejection.detail else ""
        yield f'<span class="reason">{_text(exhibit.rejection.reason + detail)}</span>'
    for name, label, scores in (
        ("genre", document.genre, document.genre_scores),
        ("type", document.page_type, document.page_type_scores),
    ):
        if scores:
            best, score = max(scores.items(), key=lambda pair: pair[1])
            shown = f"<b>{_text(label)}</b>" if label else f"{UNSURE}, most likely {_text(best)}"
            yield f"{name} {shown} {score:.2f}"
    for value in (document.language, document.extractor):
        if value:
            yield _text(value)
    if document.rendered:
        yield "rendered"


def _dead(letters: Sequence[DeadLetter], total: int) -> Iterator[str]:
    if not letters:
        return
    yield f"<h2>Dead URLs of the job: {len(letters):,} of {total:,}</h2><table>"
    for letter in letters:
        url = _text(letter.url[:_LONGEST_URL])
        yield f'<tr><td class="url">{url}</td><td>{_text(letter.reason)}</td></tr>'
    yield "</table>"


def _text(value: str) -> str:
    """Escaped; lone surrogates, which UTF-8 cannot encode, become question marks."""
    return escape(value.encode("utf-8", "replace").decode())
