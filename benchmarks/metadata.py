"""Accuracy and cost of titles, authors and dates, compared with peers.

Each page is an already decoded string. The readers take turns page by page, so that other load
affects all of them; times are CPU times.

Our rules for dates were developed on the first half of WCXB's sites; ``--sites second`` measures
them on the others.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from statistics import fmean, median

from htmldate import find_date
from trafilatura.metadata import extract_metadata

from benchmarks import sample
from benchmarks.report import Cell, Report
from corpus_commons.markup import Dom, parse
from corpus_commons.markup.sites import registered_domain
from corpus_commons.terminal.arguments import positive
from corpus_commons.terminal.commands import UsageError
from extraction.labelled import LabelledPage
from pipelines.metadata import page_metadata

SUMMARY = "compare titles, authors and dates of pages with trafilatura's and htmldate's"

FIELDS = ("title", "author", "date")
# Two titles or names count as equal if at least this share of their words is in both.
_ALIKE = 0.5
_WORD = re.compile(r"\w+")
_HALVES = ("first", "second")

Found = dict[str, str | None]
Read = Callable[[LabelledPage, Dom], Found]


@dataclass(slots=True)
class Tally:
    """For one reader and every field: how often it was right, how often it gave a value.

    beyond: how often it gave a value for a page without a gold value.
    seconds: per page.
    """

    given: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FIELDS, 0))
    beyond: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FIELDS, 0))
    right: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FIELDS, 0))
    seconds: list[float] = field(default_factory=list)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    sample.add_arguments(parser)
    parser.add_argument(
        "--rounds", type=positive, default=1, help="the fastest one counts (default: 1)"
    )
    parser.add_argument("--sites", choices=_HALVES, help="only the pages of one half of the sites")


def run(arguments: argparse.Namespace, report: Report) -> int:
    logging.disable(logging.CRITICAL)
    pages = [page for page in sample.sample(arguments) if arguments.sites in {None, half_of(page)}]
    if not pages:
        raise UsageError(f"--sites {arguments.sites}: {arguments.data} has no page of these")
    readers = _readers(datetime.now(UTC))
    tallies = {name: Tally() for name in readers}
    known = dict.fromkeys(FIELDS, 0)
    for page in sample.shown(pages):
        dom = parse(page.html)
        for name in FIELDS:
            known[name] += bool(page.meta.get(name))
        for name, read in readers.items():
            _count(tallies[name], page, dom, read, arguments.rounds)
    columns = {
        f"{arguments.data.name}, {len(pages)} pages": "",
        **{f"{name}: right / given / known": ">" for name in FIELDS},
        "date: given, none in gold": "d",
        **dict.fromkeys(("mean ms", "median ms", "largest ms"), ".1f"),
    }
    rows = [_row(name, tally, known) for name, tally in tallies.items()]
    report.table("metadata", columns, rows)
    return 0


def _readers(now: datetime) -> dict[str, Read]:
    """By name. The first one has the cost in the pipeline, where the page is already parsed."""

    def ours(page: LabelledPage, dom: Dom) -> Found:
        found = page_metadata(dom, url=page.url or "", fetched_at=now)
        return {"title": found.title, "author": found.author, "date": found.published}

    def trafilatura(page: LabelledPage, _: Dom) -> Found:
        found = extract_metadata(page.html, default_url=page.url)
        return {"title": found.title, "author": found.author, "date": found.date}

    def htmldate(page: LabelledPage, *, extensive: bool) -> Found:
        date = find_date(
            page.html, extensive_search=extensive, original_date=True, url=page.url or None
        )
        return {"date": date}

    return {
        "ours, already parsed": ours,
        "ours, with the parse": lambda page, _: ours(page, parse(page.html)),
        "trafilatura extract_metadata": trafilatura,
        "htmldate, extensive (its default)": lambda page, _: htmldate(page, extensive=True),
        "htmldate, fast": lambda page, _: htmldate(page, extensive=False),
    }


def _count(tally: Tally, page: LabelledPage, dom: Dom, read: Read, rounds: int) -> None:
    taken = []
    found: Found = {}
    for _ in range(rounds):
        begin = time.process_time()
        try:
            found = read(page, dom)
        except Exception:
            # A peer that fails has found nothing; its time counts.
            found = {}
        taken.append(time.process_time() - begin)
    tally.seconds.append(min(taken))
    for name in FIELDS:
        value, gold = found.get(name), page.meta.get(name)
        tally.given[name] += bool(value and gold)
        tally.beyond[name] += bool(value and not gold)
        tally.right[name] += is_right(name, value, gold)


def is_right(name: str, found: str | None, gold: str | None) -> bool:
    """Whether a date is the same day, or a title or name has half of its words in common.

    >>> is_right("date", "2024-05-12T10:00:00+00:00", "2024-05-12")
    True
    >>> is_right("author", "By Jane Doe", "Jane Doe"), is_right("title", "A page", "Another")
    (True, False)
    """
    if not found or not gold:
        return False
    if name == "date":
        return found[:10] == gold[:10]
    ours, theirs = (set(_WORD.findall(text.casefold())) for text in (found, gold))
    return len(ours & theirs) >= _ALIKE * len(ours | theirs) > 0


def half_of(page: LabelledPage) -> str:
    """Which half of the sites the page is in, by a hash of its registered domain."""
    site = registered_domain(page.url or "") or page.url or page.id
    return _HALVES[hashlib.sha1(site.encode(), usedforsecurity=False).digest()[0] % 2]


def _row(name: str, tally: Tally, known: dict[str, int]) -> list[Cell]:
    answers = [
        f"{tally.right[key]} / {tally.given[key]} / {known[key]}" if tally.given[key] else None
        for key in FIELDS
    ]
    milliseconds = [seconds * 1000 for seconds in tally.seconds]
    costs = (fmean(milliseconds), median(milliseconds), max(milliseconds))
    return [name, *answers, tally.beyond["date"], *costs]
