"""Train the boosted block classifier, or cross-validate it by site."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import orjson

from extraction.methods.boosted_blocks.extractor import SHIPPED_MODEL, BoostedBlocks
from extraction.methods.boosted_blocks.fitting import (
    fit_blocks,
    fit_model,
    folds_of,
    probabilities_of,
)
from extraction.methods.boosted_blocks.held_out import HeldOut, report
from extraction.methods.boosted_blocks.model import model_of, save
from extraction.methods.boosted_blocks.samples import Sample, samples
from extraction.result import Extraction

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    import numpy.typing as npt

    from extraction.methods.boosted_blocks.decoding import Floats

logger = logging.getLogger(__name__)

_FOLDS = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, nargs="+", required=True, metavar="FILE")
    parser.add_argument("--out", type=Path, default=SHIPPED_MODEL, help="the model file to write")
    parser.add_argument("--trees", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--untyped", metavar="TYPE", help="the page type of pages whose data names none"
    )
    parser.add_argument(
        "--cross-validate",
        type=int,
        metavar="FOLDS",
        help="write no model; extract every page by trees that have not seen its site",
    )
    parser.add_argument(
        "--tell-genre", action="store_true", help="with --cross-validate: extract it so"
    )
    parser.add_argument(
        "--texts",
        type=Path,
        metavar="OUT.jsonl",
        help="with --cross-validate: the texts, for `python -m evaluation extraction --from`",
    )


def run(args: argparse.Namespace) -> None:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    everything = list(samples(args.data, untyped=args.untyped))
    pages = [page for page in everything if page.texts]
    logger.info("%d pages, %d blocks", len(pages), sum(len(page.labels) for page in pages))
    folds = folds_of(pages, args.cross_validate or _FOLDS)
    trees, unseen = _out_of_fold(pages, folds, args)
    if args.cross_validate:
        results = list(_held_out(pages, folds, trees, unseen, args))
        results += [HeldOut(page, Extraction("")) for page in everything if not page.texts]
        logger.info("held out:\n%s", report(results))
        if args.texts:
            args.texts.write_bytes(b"".join(map(_line, results)))
        return
    blocks = fit_blocks(pages, trees=args.trees, seed=args.seed)
    save(args.out, fit_model(pages, unseen, blocks, seed=args.seed))
    logger.info("wrote %s, %d bytes", args.out, args.out.stat().st_size)


def _out_of_fold(
    pages: list[Sample], folds: npt.NDArray[np.intp], args: argparse.Namespace
) -> tuple[dict[int, str], list[Floats]]:
    """The block trees of every fold, and what they say of the pages that they have not seen."""
    trees: dict[int, str] = {}
    unseen: list[Floats] = [np.empty(0)] * len(pages)
    for fold in sorted(set(folds.tolist())):
        seen = [page for page, its in zip(pages, folds, strict=True) if its != fold]
        trees[fold] = fit_blocks(seen, trees=args.trees, seed=args.seed)
        held = np.flatnonzero(folds == fold).tolist()
        found = probabilities_of(trees[fold], [pages[place] for place in held])
        for place, probabilities in zip(held, found, strict=True):
            unseen[place] = probabilities
        logger.info("fold %d: %d pages", fold + 1, len(held))
    return trees, unseen


def _held_out(
    pages: list[Sample],
    folds: npt.NDArray[np.intp],
    trees: dict[int, str],
    unseen: list[Floats],
    args: argparse.Namespace,
) -> Iterator[HeldOut]:
    """Every page as the model of its fold extracts it."""
    for fold, blocks in trees.items():
        seen = np.flatnonzero(folds != fold).tolist()
        contents = fit_model(
            [pages[place] for place in seen],
            [unseen[place] for place in seen],
            blocks,
            seed=args.seed,
        )
        extractor = BoostedBlocks(model_of(contents))
        for place in np.flatnonzero(folds == fold).tolist():
            page = pages[place].page
            genre = pages[place].page_type if args.tell_genre else None
            extraction = extractor.extract(page.html, url=page.url, genre=genre)
            yield HeldOut(pages[place], extraction)


def _line(result: HeldOut) -> bytes:
    """The page's text as a line of ``python -m evaluation extraction --per-page``."""
    record = {
        "id": result.sample.page.id,
        "set": result.sample.set_name,
        "method": BoostedBlocks.name,
        "text": result.extraction.text,
        "seconds": 0.0,
        "error": None,
    }
    return orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)
