"""Train Victor's CRF on CleanEval's pages with crfsuite (L-BFGS) and write its weight table."""

from __future__ import annotations

import json
import logging
import random
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.dom import parse
from corpus_commons.terminal.arguments import add_model_file, folds, positive, whole
from corpus_commons.terminal.output import write_output
from extraction.labelled import DataError, LabelledPage, read_pages
from extraction.methods.victor.binning import Binning
from extraction.methods.victor.blocks import cut
from extraction.methods.victor.crf import LABELS, OTHER, Crf
from extraction.methods.victor.extractor import Decoding, labels_of
from extraction.methods.victor.features import features
from extraction.methods.victor.labels import block_labels
from extraction.training.cleaneval import add_split, part_of

_log = logging.getLogger("extraction.victor")


@dataclass(frozen=True, slots=True)
class Settings:
    """The hyperparameters.

    window: the number of blocks before and after the labelled one whose features are used.
    c1, c2: weights of the L1 and the L2 penalty. iterations: the maximum for L-BFGS.
    """

    window: int = 1
    c1: float = 10.0
    c2: float = 1.0
    iterations: int = 60
    binning: Binning = field(default_factory=Binning)


@dataclass(frozen=True, eq=False)
class Example:
    """A training page: classes (blocks, features) and labels (blocks,)."""

    names: tuple[str, ...]
    classes: npt.NDArray[np.int32]
    labels: npt.NDArray[np.int64]


def add_arguments(parser: ArgumentParser) -> None:
    defaults = Settings()
    parser.add_argument("--data", type=Path, required=True, help="CleanEval as .jsonl.zst")
    add_split(parser)
    add_model_file(parser, "victor.npz")
    parser.add_argument("--window", type=whole, default=defaults.window)
    parser.add_argument("--c1", type=float, default=defaults.c1, help="weight of the L1 penalty")
    parser.add_argument("--c2", type=float, default=defaults.c2, help="weight of the L2 penalty")
    parser.add_argument("--iterations", type=positive, default=defaults.iterations)
    parser.add_argument("--linear-bins", type=positive, default=defaults.binning.linear)
    parser.add_argument("--logarithmic-bins", type=positive, default=defaults.binning.logarithmic)
    parser.add_argument("--seed", type=int, default=0, help="for the order of pages and the folds")
    parser.add_argument(
        "--cross-validate",
        type=folds,
        metavar="FOLDS",
        help="write no model; cross-validate these settings on the training pages",
    )


def run(args: Namespace) -> None:
    """Train on the training pages of the split and score its test pages."""
    logging.basicConfig(format="%(asctime)s %(message)s", datefmt="%H:%M:%S", level=logging.INFO)
    settings = Settings(
        args.window,
        args.c1,
        args.c2,
        args.iterations,
        Binning(linear=args.linear_bins, logarithmic=args.logarithmic_bins),
    )
    pages = [(part_of(page, args.split), page) for page in read_pages(args.data)]
    train = list(examples((page for part, page in pages if part == "train"), settings.binning))
    random.Random(args.seed).shuffle(train)  # noqa: S311 - an order of pages, not a secret
    if not train:
        wanted = 'meta.w2t = "train"' if args.split == "w2t" else f"meta without {args.split}"
        raise DataError(f"{args.data}: no page has both {wanted} and gold_tagged")
    _log.info("%d training pages, %d blocks", len(train), sum(len(e.labels) for e in train))
    if args.cross_validate:
        if len(train) < args.cross_validate:
            raise DataError(f"{len(train)} pages are too few for {args.cross_validate} folds")
        scores = cross_validated(train, settings, args.cross_validate)
        _log.info("%d folds: %s", args.cross_validate, _told(scores))
        return
    test = list(examples((page for part, page in pages if part == "test"), settings.binning))
    _write(args.out, settings, train, test)


def _write(
    out: Path, settings: Settings, train: Sequence[Example], test: Sequence[Example]
) -> None:
    """Train; write the model, and its settings and scores beside it."""
    crf = fit(train, settings)
    crf.save(out)
    by_part = {"train": block_scores(crf, train)}
    if test:
        by_part["test"] = block_scores(crf, test)
        by_part["test, viterbi"] = block_scores(crf, test, "viterbi")
    for part, scores in by_part.items():
        _log.info("%s: %s", part, _told(scores))
    report = out.with_suffix(".json")
    content = json.dumps({"settings": asdict(settings), **by_part}, indent=2) + "\n"
    write_output(report, content.encode())
    _log.info("wrote %s and %s", out, report)


def examples(pages: Iterable[LabelledPage], binning: Binning) -> Iterator[Example]:
    """The pages that have text and tagged gold as examples; other pages are left out."""
    for page in pages:
        if page.gold_tagged and page.gold_text:
            example = example_of(page, binning)
            if len(example.labels):
                yield example


def example_of(page: LabelledPage, binning: Binning) -> Example:
    """The features and the gold labels of a page."""
    blocks = cut(parse(page.html))
    columns = features(blocks, binning)
    return Example(
        columns.names, columns.classes, block_labels(blocks.texts, page.gold_tagged or "")
    )


def fit(train: Sequence[Example], settings: Settings) -> Crf:
    """Train a model. The result depends only on the arguments."""
    import pycrfsuite  # noqa: PLC0415 - for training only

    sizes = np.max([example.classes.max(axis=0) for example in train], axis=0) + 1
    places = 2 * settings.window + 1
    symbols = [[f"{row}:{place}" for row in range(sizes.sum())] for place in range(places)]
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(
        {
            "c1": settings.c1,
            "c2": settings.c2,
            "max_iterations": settings.iterations,
            "feature.possible_transitions": True,
        }
    )
    for example in train:
        trainer.append(
            _attributes(example.classes, sizes, symbols), list(map(str, example.labels.tolist()))
        )
    trained = _trained(trainer)
    weights = np.zeros((int(sizes.sum()), places, len(LABELS)))
    for (symbol, label), weight in trained.state_features.items():
        row, place = map(int, symbol.split(":"))
        weights[row, place, int(label)] = weight
    transitions = np.zeros((len(LABELS), len(LABELS)))
    for (label, following), weight in trained.transitions.items():
        transitions[int(label), int(following)] = weight
    return Crf(train[0].names, tuple(sizes.tolist()), weights, transitions, settings.binning)


def _trained(trainer: Any) -> Any:
    """What crfsuite has learned, which it tells only of a model in a file."""
    import pycrfsuite  # noqa: PLC0415 - for training only

    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "crf")
        trainer.train(path)
        tagger = pycrfsuite.Tagger()
        tagger.open(path)
        trained = tagger.info()
        tagger.close()
    return trained


def _attributes(
    classes: npt.NDArray[np.int32], sizes: npt.NDArray[np.int32], symbols: list[list[str]]
) -> list[list[str]]:
    """The attributes of every block: a symbol for each nonzero class in its window."""
    firsts = np.cumsum(sizes) - sizes
    rows = np.where(classes > 0, firsts + classes, -1).tolist()
    rows = [[row for row in block if row >= 0] for block in rows]
    window = len(symbols) // 2
    return [
        [
            symbols[window + other - block][row]
            for other in range(max(0, block - window), min(len(rows), block + window + 1))
            for row in rows[other]
        ]
        for block in range(len(rows))
    ]


def cross_validated(train: Sequence[Example], settings: Settings, folds: int) -> dict[str, float]:
    """Mean scores over the folds."""
    by_fold = []
    for fold in range(folds):
        crf = fit([e for i, e in enumerate(train) if i % folds != fold], settings)
        by_fold.append(block_scores(crf, train[fold::folds]))
        _log.info("fold %d of %d: %s", fold + 1, folds, _told(by_fold[-1]))
    return {name: float(np.mean([scores[name] for scores in by_fold])) for name in by_fold[0]}


def block_scores(
    crf: Crf, pages: Iterable[Example], decoding: Decoding = "marginal"
) -> dict[str, float]:
    """Accuracy, precision, recall and F1 of main content, and accuracy of the five labels.

    Pooled over the blocks of all pages.
    """
    predicted, gold = [], []
    for example in pages:
        predicted.append(labels_of(crf, example.classes, decoding)[0])
        gold.append(example.labels)
    found, wanted = np.concatenate(predicted), np.concatenate(gold)
    hits = int(np.count_nonzero((found != OTHER) & (wanted != OTHER)))
    kept, main = int(np.count_nonzero(found != OTHER)), int(np.count_nonzero(wanted != OTHER))
    return {
        "accuracy": float(np.mean((found != OTHER) == (wanted != OTHER))),
        "precision": hits / max(1, kept),
        "recall": hits / max(1, main),
        "f1": 2 * hits / max(1, kept + main),
        "label_accuracy": float(np.mean(found == wanted)),
    }


def _told(scores: Mapping[str, float]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {value:.3f}" for name, value in scores.items())
