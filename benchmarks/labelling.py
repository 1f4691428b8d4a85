"""What a model is worth that was trained on a few hundred labels made with ``annotate``.

A script takes the person's place: on the tool's desk, it keeps the blocks of a page that fit the
set's gold text best, and is done with it. The data set that the tool writes is what ``genre-crawler
train boosted-blocks`` is given. Both models are judged by the gold text of pages without labels:
of other pages of the same sites, and of sites without any label.
"""

from __future__ import annotations

import random
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np
import orjson

from annotate.desk import Choices, Desk
from annotate.journal import Journal
from annotate.labels import DROPPED, KEPT, spans_of
from annotate.opinions import Machine
from annotate.sources import SourcePage
from annotate.worklist import worklist
from benchmarks.report import Cell, Report
from corpus_commons.counts import number_of
from corpus_commons.markup.page_site import page_site
from corpus_commons.terminal.arguments import positive
from corpus_commons.terminal.commands import UsageError
from evaluation.bootstrap import mean_intervals
from evaluation.metrics.words import words
from extraction.__main__ import main as train
from extraction.labelled import LabelledPage, read_pages
from extraction.methods.boosted_blocks.extractor import BoostedBlocks
from extraction.methods.boosted_blocks.labels import block_labels
from extraction.methods.boosted_blocks.model import load

SUMMARY = "train on labels that a script made with annotate, and compare with the shipped model"

_PERSON: Final = "script"
_SEED: Final = 1

# Rounds: the pages to train on, and those to judge.
Parts = Sequence[tuple[list[int], list[int]]]


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="labelled pages with gold text")
    parser.add_argument("--lang", help="only pages in this language")
    parser.add_argument(
        "--labels", type=positive, default=200, help="pages to train on (default: %(default)s)"
    )
    parser.add_argument("--type", default="article", help="their page type (default: %(default)s)")


def run(arguments: Namespace, report: Report) -> int:
    pages = [
        page
        for page in read_pages(arguments.data)
        if page.gold_text and arguments.lang in (None, page.lang)
    ]
    if len(pages) <= arguments.labels:
        raise UsageError(
            f"--labels {arguments.labels}: {arguments.data} has {number_of(len(pages), 'page')} "
            "to choose from, which leaves none to judge"
        )
    with TemporaryDirectory() as folder:
        lines = _labelled(pages, Path(folder) / "labels.jsonl")
        by_hand = [
            words(orjson.loads(lines[page.id])["gold_text"], page.gold_text).f1 for page in pages
        ]
        report.say(f"{len(pages)} pages; F1 of the labels themselves {fmean(by_hand):.3f}")
        rounds = {
            "other pages of these sites": _by_page(len(pages), arguments.labels),
            "other sites": _by_site([page_site(page.html) for page in pages], arguments.labels),
        }
        experiment = _Experiment(pages, lines, arguments.type, Path(folder))
        columns = {
            "judged on": "",
            "pages": "d",
            "shipped model": ".3f",
            f"{arguments.labels} labels": ".3f",
            "difference": "+.3f",
            "from": "+.3f",
            "to": "+.3f",
        }
        report.table(
            "models",
            columns,
            (experiment.row(name, parts) for name, parts in rounds.items()),
        )
    return 0


def _labelled(pages: Sequence[LabelledPage], out: Path) -> dict[str, bytes]:
    """The lines of the data set that the tool writes, by id."""
    gold = {page.id: page.gold_text for page in pages}
    sources = (SourcePage(page.id, page.html, page.url, page.lang) for page in pages)
    machine = Machine()
    with Journal.beside(out) as journal:
        works = worklist(sources, machine, task="content", most=len(pages), labelled=())
        desk = Desk(works, machine, journal, out, Choices())
        for number, work in enumerate(works):
            shown = desk.blocks(number, _PERSON)
            kept = block_labels(shown["texts"], gold[work.page.id]).tolist()
            spans = list(spans_of([KEPT if keep else DROPPED for keep in kept]))
            said = {"by": _PERSON, "done": True, "spans": spans, "blocks": shown["blocks"]}
            desk.save(number, said)
        desk.write()
    return {orjson.loads(line)["id"]: line for line in out.read_bytes().splitlines(keepends=True)}


def _by_page(count: int, labels: int) -> Parts:
    """Rounds of pages to train on, and to judge; every page is judged once."""
    order = list(range(count))
    random.Random(_SEED).shuffle(order)
    held = count - labels
    return [
        (random.Random(start).sample([one for one in order if one not in part], labels), part)
        for start in range(0, count, held)
        if (part := order[start : start + held])
    ]


def _by_site(sites: Sequence[str], labels: int) -> Parts:
    """The same, with the pages of a site either all trained on or all judged."""
    order = sorted(set(sites))
    random.Random(_SEED).shuffle(order)
    rounds: list[tuple[list[int], list[int]]] = []
    part: list[int] = []
    for site in order:
        mine = [page for page, its in enumerate(sites) if its == site]
        if part and len(part) + len(mine) > len(sites) - labels:
            rounds.append((_others(part, len(sites), labels), part))
            part = []
        part = [*part, *mine]
    return [*rounds, (_others(part, len(sites), labels), part)]


def _others(part: Sequence[int], count: int, labels: int) -> list[int]:
    others = sorted(set(range(count)) - set(part))
    return random.Random(len(part)).sample(others, min(labels, len(others)))


@dataclass(frozen=True, slots=True)
class _Experiment:
    """lines: of the tool's data set, by id. page_type: of all pages. folder: for files."""

    pages: Sequence[LabelledPage]
    lines: Mapping[str, bytes]
    page_type: str
    folder: Path

    def row(self, name: str, parts: Parts) -> list[Cell]:
        scores = np.array(list(self._scores(parts)))
        shipped, own = scores.mean(axis=0).tolist()
        ((low,), (high,)) = mean_intervals(scores[:, 1:] - scores[:, :1])
        return [name, len(scores), shipped, own, own - shipped, float(low), float(high)]

    def _scores(self, parts: Parts) -> Iterator[tuple[float, float]]:
        """For every page that is judged, the F1 of the shipped model and of one's own."""
        shipped = BoostedBlocks()
        for trained, judged in parts:
            own = self._trained([self.pages[place].id for place in trained])
            for page in (self.pages[place] for place in judged):
                yield _f1(shipped, page), _f1(own, page)

    def _trained(self, ids: Sequence[str]) -> BoostedBlocks:
        data, model = self.folder / "part.jsonl", self.folder / "own.zst"
        data.write_bytes(b"".join(self.lines[one] for one in ids))
        options = ["--data", str(data), "--untyped", self.page_type, "--out", str(model)]
        train(["train", "boosted-blocks", *options])
        return BoostedBlocks(load(model))


def _f1(extractor: BoostedBlocks, page: LabelledPage) -> float:
    return words(extractor.extract(page.html, url=page.url).text, page.gold_text).f1
