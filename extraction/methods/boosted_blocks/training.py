"""Train the boosted block classifier, or cross-validate it by site."""

from __future__ import annotations

import logging
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import orjson

from corpus_commons.kinds import KINDS
from corpus_commons.terminal.arguments import (
    add_labelled_pages,
    add_model_file,
    folds,
    output_file,
    positive,
    whole,
)
from corpus_commons.terminal.commands import UsageError
from corpus_commons.terminal.output import write_output
from extraction.labelled import DataError
from extraction.methods.boosted_blocks.cross_fitting import CrossFitting
from extraction.methods.boosted_blocks.extractor import BoostedBlocks
from extraction.methods.boosted_blocks.held_out import HeldOut, report
from extraction.methods.boosted_blocks.lexicon_fitting import Vocabulary
from extraction.methods.boosted_blocks.model import save
from extraction.methods.boosted_blocks.samples import Sample, samples
from extraction.result import Extraction
from genre_model.scoring.prediction_file import read_predictions

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt


_log = logging.getLogger(__name__)

_FOLDS = 5
_TYPES = frozenset({*KINDS, None})
_NAMES_SHOWN = 10
# What `genre-crawler evaluate extraction` adds to the name of a method that knows the site.
WITH_SITE = " + site"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_labelled_pages(parser)
    add_model_file(parser, "boosted-blocks.zst")
    parser.add_argument("--trees", type=positive, default=200, help="(default: %(default)s)")
    parser.add_argument("--seed", type=whole, default=1, help="(default: %(default)s)")
    parser.add_argument(
        "--untyped", metavar="TYPE", help="the page type of pages for which the data gives none"
    )
    parser.add_argument(
        "--cross-validate",
        type=folds,
        metavar="FOLDS",
        help="write no model; extract every page with a model trained without its site",
    )
    parser.add_argument(
        "--tell-genre",
        action="store_true",
        help="with --cross-validate: pass each page's genre to the extractor",
    )
    parser.add_argument(
        "--site-memory",
        action="store_true",
        help="with --cross-validate: extract every page once more, knowing its site's others",
    )
    parser.add_argument(
        "--page-types",
        type=Path,
        metavar="FILE",
        help="with --cross-validate: out-of-fold predictions of `genre-crawler genre train-url`, "
        "for the pages that the shipped HTML classifier has learned from",
    )
    parser.add_argument(
        "--texts",
        type=output_file,
        metavar="OUT.jsonl",
        help="with --cross-validate: write the texts, for "
        "`genre-crawler evaluate extraction --from`",
    )


def run(args: argparse.Namespace) -> None:
    chosen = (args.texts, args.tell_genre, args.site_memory, args.page_types)
    if any(chosen) and not args.cross_validate:
        raise UsageError(
            "--texts, --tell-genre, --site-memory and --page-types need --cross-validate"
        )
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    vocabulary = Vocabulary()
    everything = list(samples(args.data, vocabulary, untyped=args.untyped))
    _warn_of_types(everything)
    pages = [page for page in everything if page.texts]
    fold_of = _folds(pages, args.cross_validate or _FOLDS)
    _log.info("%d pages, %d blocks", len(pages), sum(len(page.labels) for page in pages))
    page_types = _read_types(args.page_types) if args.page_types else {}
    fitting = CrossFitting(pages, fold_of, vocabulary, args.trees, args.seed, page_types)
    if args.cross_validate:
        results = [*fitting.held_out(tell_genre=args.tell_genre, site_memory=args.site_memory)]
        empty = [page for page in everything if not page.texts]
        results += [HeldOut(page, Extraction(""), False) for page in empty]
        if args.site_memory:
            results += [HeldOut(page, Extraction(""), True) for page in empty]
        _report(results)
        if args.texts:
            write_output(args.texts, b"".join(map(_line, results)))
    else:
        save(args.out, fitting.model())
        _log.info("wrote %s, %d bytes", args.out, args.out.stat().st_size)


def _folds(pages: Sequence[Sample], count: int) -> npt.NDArray[np.intp]:
    """The fold of every page. Raises DataError if all pages are in one, or there are none."""
    if not pages:
        raise DataError("there is no page with text to train on")
    fold_of = np.array([page.fold(count) for page in pages])
    if (fold_of == fold_of[0]).all():
        sites = sorted({page.site for page in pages})
        raise DataError(
            f"the pages come from too few sites to hold any of them out ({len(sites)}, such as "
            f'"{sites[0]}"); add pages of other sites, of ten or more if you can'
        )
    return fold_of


def _report(results: Sequence[HeldOut]) -> None:
    alone = [result for result in results if not result.on_site]
    _log.info("held out:\n%s", report(alone))
    if on_site := [result for result in results if result.on_site]:
        _log.info("held out, with the other pages of the site known:\n%s", report(on_site))


def _read_types(file: Path) -> dict[str, Mapping[str, float]]:
    try:
        predicted = read_predictions(file)
    except (OSError, ValueError) as error:
        raise DataError(str(error)) from error
    return {page: its.prediction.page_type_scores for page, its in predicted.items()}


def _warn_of_types(samples: Sequence[Sample]) -> None:
    """Types that the product does not know are learned all the same, but may be misspelt."""
    unknown = Counter(sample.page_type for sample in samples if sample.page_type not in _TYPES)
    if unknown:
        shown = ", ".join(f"{name} ({pages})" for name, pages in unknown.most_common(_NAMES_SHOWN))
        _log.warning("unknown page types, with their number of pages: %s", shown)


def _line(result: HeldOut) -> bytes:
    """The page's text as a line for ``genre-crawler evaluate extraction --from``.

    ``genre-crawler genre fit-stacking`` reads the scores.
    """
    record = {
        "id": result.sample.page.id,
        "set": result.sample.set_name,
        "method": BoostedBlocks.name + (WITH_SITE if result.on_site else ""),
        "text": result.extraction.text,
        "page_type_scores": result.extraction.page_type_scores,
        "seconds": None,
        "error": None,
    }
    return orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)
