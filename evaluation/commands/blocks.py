"""``blocks``: compare methods block by block on the Web2Text paper's test pages of CleanEval."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

import orjson

from corpus_commons.terminal.arguments import names_of, output_file
from corpus_commons.terminal.commands import UsageError
from corpus_commons.terminal.console import OutputConsole
from evaluation.block_table import BlockScores, repaired, score_blocks, split_pages
from evaluation.tables import Table, show
from extraction.base import Extractor
from extraction.labelled import LabelledPage, read_pages
from extraction.registry import extractor

# The shipped models of these are trained on CleanEval, without the test pages of this split.
_TRAINED_ON_CLEANEVAL = frozenset(("web2text", "victor"))
_SPLIT_OF_SHIPPED_MODELS = "w2t"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, required=True, metavar="FILE", help="cleaneval.jsonl.zst"
    )
    parser.add_argument(
        "--split",
        choices=["w2t", "w2t_ce_test"],
        default="w2t",
        help="the authors' own 148 test pages, or CleanEval's 676 (default: %(default)s)",
    )
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
        help="a folder of models METHOD.npz to use instead of the shipped ones",
    )
    parser.add_argument(
        "--repair",
        action="store_true",
        help="repair the pages with an HTML5 tree builder first, for methods without a tree "
        "builder of their own (boilerpy3)",
    )
    parser.add_argument("--format", choices=["text", "markdown"], default="text")
    parser.add_argument("--json", type=output_file, metavar="OUT", help="write the table as JSON")


def run(arguments: Namespace) -> None:
    extractors = {
        name: _extractor(name, arguments.split, arguments.models) for name in arguments.methods
    }
    pages = _pages(arguments.data, arguments.split)
    if arguments.repair:
        pages = [repaired(page) for page in pages]
    scores = score_blocks(pages, extractors)
    if arguments.json:
        document = {
            "run": {
                "data": str(arguments.data),
                "split": arguments.split,
                "repair": arguments.repair,
                "pages": len(pages),
            },
            "methods": {name: score.as_dict() for name, score in scores.items()},
        }
        arguments.json.write_bytes(orjson.dumps(document, option=orjson.OPT_INDENT_2))
    title = f"blocks of the {len(pages)} test pages of {arguments.split}"
    show([_table(title, scores)], arguments.format, OutputConsole())


def _pages(data: Path, split: str) -> list[LabelledPage]:
    try:
        pages = list(split_pages(read_pages(data), split))
    except (ValueError, OSError) as error:
        raise UsageError(str(error)) from error
    if not pages:
        raise UsageError(f"{data}: no test pages of the split {split}")
    return pages


def _extractor(name: str, split: str, models: Path | None) -> Extractor:
    """The method with its model from the folder, if there is one, or with its shipped model."""
    try:
        shipped = extractor(name)
    except (ValueError, ImportError) as error:
        raise UsageError(f"the method {name} cannot be loaded: {error}") from error
    model = models / f"{name}.npz" if models else None
    if model and model.is_file():
        factory: type[Extractor] = type(shipped)
        try:
            return factory(model)  # type: ignore[call-arg]  # the protocol knows no models
        except (OSError, ValueError, KeyError) as error:
            raise UsageError(f"{model} is not a model of {name}: {error}") from error
    if name in _TRAINED_ON_CLEANEVAL and split != _SPLIT_OF_SHIPPED_MODELS:
        raise UsageError(
            f"the shipped model of {name} was trained on test pages of {split}; train another with "
            f"`python -m extraction train {name} --split {split} --out DIR/{name}.npz` and give "
            "--models DIR"
        )
    return shipped


def _table(title: str, scores: dict[str, BlockScores]) -> Table:
    rows = [(name, score.confusion, score.failures) for name, score in scores.items()]
    return Table(
        title,
        ("method", "accuracy", "precision", "recall", "F1", "failures"),
        tuple(
            (
                name,
                f"{confusion.accuracy:.3f}",
                f"{confusion.score.precision:.3f}",
                f"{confusion.score.recall:.3f}",
                f"{confusion.score.f1:.3f}",
                str(failures),
            )
            for name, confusion, failures in rows
        ),
    )
