"""``blocks``: compare methods block by block, as in Table 1 of the Web2Text paper.

The blocks are Web2Text's, the leaves of the collapsed DOM; the gold text determines which are main
content (extraction.methods.web2text.labels). The text of a method is aligned with the blocks in the
same way, as in the paper; Web2Text's own labels are used directly.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from corpus_commons.counts import number_of
from corpus_commons.kinds import KINDS
from corpus_commons.markup.dom import parse, tamed
from corpus_commons.terminal.arguments import names_of
from corpus_commons.terminal.commands import UsageError, usage_errors
from evaluation.commands import output
from evaluation.metrics.score import Confusion, Labels
from evaluation.tables import table_of
from extraction.interface import Extractor
from extraction.labelled import LabelledPage, read_pages
from extraction.methods.web2text import Web2Text
from extraction.methods.web2text.cdom import CollapsedDom, collapse
from extraction.methods.web2text.labels import gold_labels
from extraction.registry import extractor
from extraction.result import ExtractionError
from extraction.training.cleaneval import add_split, part_of

# The shipped models of these are trained on CleanEval, without the test pages of this split.
_TRAINED_ON_CLEANEVAL = frozenset(("web2text", "victor"))
_SPLIT_OF_SHIPPED_MODELS = "w2t"

_COLUMNS = ("accuracy", "precision", "recall", "F1", "failures")


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, required=True, metavar="FILE", help="cleaneval.jsonl.zst"
    )
    add_split(parser)
    parser.add_argument(
        "--methods",
        type=names_of,
        required=True,
        metavar="A,B,…",
        help="names of extraction methods",
    )
    parser.add_argument(
        "--models",
        type=Path,
        metavar="DIR",
        help="a folder with web2text.npz and victor.npz, as far as --methods has them, to use "
        "instead of the shipped models",
    )
    parser.add_argument(
        "--repair",
        action="store_true",
        help="repair the pages with an HTML5 tree builder first, for methods without a tree "
        "builder of their own (boilerpy3)",
    )
    output.add_arguments(parser)


def run(arguments: Namespace) -> None:
    data, split = arguments.data, arguments.split
    extractors = {name: _extractor(name, split, arguments.models) for name in arguments.methods}
    with usage_errors():
        pages = [page for page in read_pages(data) if part_of(page, split) == "test"]
    if not pages:
        raise UsageError(f"{data}: no test pages of the split {split}")
    if arguments.repair:
        pages = [repaired(page) for page in pages]
    scores = score_blocks(pages, extractors)
    methods = {name: score.as_dict() for name, score in scores.items()}
    rows = {
        name: {column: score[column.lower()] for column in _COLUMNS}
        for name, score in methods.items()
    }
    table = table_of(f"blocks of {number_of(len(pages), 'test page')} of {split}", "method", rows)
    facts = {"data": str(data), "split": split, "repair": arguments.repair, "pages": len(pages)}
    output.publish(arguments, [table], {"run": facts, "methods": methods})


@dataclass
class BlockScores:
    """The decisions of one method on the blocks of all pages.

    failures: the number of pages with an error; all their blocks count as dropped.
    """

    confusion: Confusion = field(default_factory=Confusion)
    failures: int = 0

    def as_dict(self) -> dict[str, float]:
        """Accuracy, precision, recall and F1, and the underlying counts."""
        score = self.confusion.score
        return {
            "accuracy": self.confusion.accuracy,
            "precision": score.precision,
            "recall": score.recall,
            "f1": score.f1,
            "true_positives": self.confusion.tp,
            "false_positives": self.confusion.fp,
            "false_negatives": self.confusion.fn,
            "true_negatives": self.confusion.tn,
            "failures": self.failures,
        }


def score_blocks(
    pages: Iterable[LabelledPage], extractors: Mapping[str, Extractor]
) -> dict[str, BlockScores]:
    """The scores of every method, pooled over the blocks of all pages."""
    scores = {name: BlockScores() for name in extractors}
    for page in pages:
        cdom = collapse(parse(page.html))
        gold = gold_labels(cdom.texts, page.gold_text) == 1
        for name, method in extractors.items():
            try:
                predicted = block_labels(method, page, cdom)
            except ExtractionError:
                predicted = np.zeros(len(gold), dtype=np.bool_)
                scores[name].failures += 1
            scores[name].confusion += Confusion.of(predicted, gold)
    return scores


def block_labels(method: Extractor, page: LabelledPage, cdom: CollapsedDom) -> Labels:
    """For every block of a page, whether a method keeps it.

    Raises ExtractionError if the method does.
    """
    if isinstance(method, Web2Text):
        labels, _ = method.labels(cdom)
    else:
        genre = page.genre if page.genre in KINDS else None
        text = method.extract(page.html, url=page.url, genre=genre).text
        labels = gold_labels(cdom.texts, text)
    kept: Labels = labels == 1
    return kept


def repaired(page: LabelledPage) -> LabelledPage:
    """The page as repaired by an HTML5 tree builder, with all elements closed.

    >>> repaired(LabelledPage("1", "<P>one<P>two", "")).html
    '<html><head></head><body><p>one</p><p>two</p></body></html>'
    """
    return replace(page, html=LexborHTMLParser(tamed(page.html)).html or "")


def _extractor(name: str, split: str, models: Path | None) -> Extractor:
    """The method with its model from the folder; without a folder, with its shipped model."""
    model = models / f"{name}.npz" if models and name in _TRAINED_ON_CLEANEVAL else None
    if model and not model.is_file():
        raise UsageError(f"--models {models}: there is no {model.name} in it")
    if name in _TRAINED_ON_CLEANEVAL and split != _SPLIT_OF_SHIPPED_MODELS and not model:
        raise UsageError(
            f"the shipped model of {name} was trained on test pages of {split}; train another with "
            f"`genre-crawler train {name} --split {split} --out DIR/{name}.npz` and give "
            "--models DIR"
        )
    try:
        shipped = extractor(name)
    except (ValueError, ImportError) as error:
        raise UsageError(f"the method {name} cannot be loaded: {error}") from error
    if not model:
        return shipped
    factory: type[Extractor] = type(shipped)
    try:
        return factory(model)  # type: ignore[call-arg]  # the protocol knows no models
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(f"{model} is not a model of {name}: {error}") from error
