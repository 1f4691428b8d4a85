"""Train the boosted block classifier, or cross-validate it by site."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import orjson

from corpus_commons.kinds import KINDS
from corpus_commons.markup.dom import parse
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
from extraction.methods.boosted_blocks.extractor import BoostedBlocks
from extraction.methods.boosted_blocks.fitting import Blocks, fit_blocks, fit_model
from extraction.methods.boosted_blocks.held_out import HeldOut, report
from extraction.methods.boosted_blocks.lexicon_fitting import Vocabulary
from extraction.methods.boosted_blocks.model import model_of, save
from extraction.methods.boosted_blocks.samples import Sample, samples
from extraction.methods.boosted_blocks.site_fitting import site_memories
from extraction.result import Extraction, ExtractionError
from extraction.source import Page
from genre_model.html.classifier import HtmlClassifier
from genre_model.scoring.prediction_file import read_predictions

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping, Sequence

    import numpy.typing as npt

    from corpus_commons.markup.dom import Dom
    from extraction.methods.boosted_blocks.arrays import Floats
    from extraction.methods.boosted_blocks.model import Contents

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
    if not pages:
        raise DataError("there is no page with text to train on")
    _log.info("%d pages, %d blocks", len(pages), sum(len(page.labels) for page in pages))
    fold_of = np.array([page.fold(args.cross_validate or _FOLDS) for page in pages])
    if len(set(fold_of.tolist())) < 2:
        sites = sorted({page.site for page in pages})
        raise DataError(
            f"the pages come from too few sites to hold any of them out ({len(sites)}, such as "
            f'"{sites[0]}"); add pages of other sites, of ten or more if you can'
        )
    page_types = _read_types(args.page_types) if args.page_types else {}
    trained = _Training(pages, fold_of, vocabulary, args.trees, args.seed, page_types)
    if args.cross_validate:
        results = list(trained.held_out(tell_genre=args.tell_genre, site_memory=args.site_memory))
        results += [
            HeldOut(page, Extraction(""), on_site)
            for page in everything
            for on_site in ((False, True) if args.site_memory else (False,))
            if not page.texts
        ]
        _log.info("held out:\n%s", report([result for result in results if not result.on_site]))
        if args.site_memory:
            on_site = [result for result in results if result.on_site]
            _log.info("held out, with the other pages of the site known:\n%s", report(on_site))
        if args.texts:
            write_output(args.texts, b"".join(map(_line, results)))
        return
    save(args.out, trained.model())
    _log.info("wrote %s, %d bytes", args.out, args.out.stat().st_size)


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


@dataclass(frozen=True)
class _Training:
    """Pages with blocks, the fold of each, and the training settings.

    page_types: out-of-fold predictions by the id of the page.
    """

    pages: Sequence[Sample]
    folds: npt.NDArray[np.intp]
    vocabulary: Vocabulary
    trees: int
    seed: int
    page_types: Mapping[str, Mapping[str, float]]

    def model(self) -> Contents:
        """The model trained on all pages."""
        return self._model(np.arange(len(self.pages)), self._fit(self.pages))

    def held_out(self, *, tell_genre: bool, site_memory: bool) -> Iterator[HeldOut]:
        """Every page, extracted with the model that was trained without its fold.

        site_memory: whether every page is extracted once more, with the other pages of its site.
        """
        memories = site_memories(self.pages) if site_memory else {}
        for fold, blocks in self._by_fold.items():
            extractor = BoostedBlocks(
                model_of(self._model(np.flatnonzero(self.folds != fold), blocks))
            )
            for place in np.flatnonzero(self.folds == fold).tolist():
                sample = self.pages[place]
                is_known = tell_genre and sample.page_type in KINDS
                genre = sample.page_type if is_known else None
                dom = parse(sample.page.html)
                types = self._page_types(sample, dom)
                page = Page(dom, sample.page.url, genre, page_type_scores=types)
                pages = [page, page._replace(site=memories[sample.site])] if site_memory else [page]
                for found, known in zip(extractor.extract_many(pages), pages, strict=True):
                    if isinstance(found, ExtractionError):
                        raise found
                    yield HeldOut(sample, found, known.site is not None)

    def _page_types(self, sample: Sample, dom: Dom) -> Mapping[str, float]:
        """What the HTML classifier says that has not seen the page's site."""
        found = self.page_types.get(sample.page.id)
        # Without the URL: the shipped evidence of URLs has learned from most of the sets.
        return found or HtmlClassifier.shipped().predict([dom])[0].page_type_scores

    @cached_property
    def _by_fold(self) -> dict[int, Blocks]:
        """For every fold, the block trees trained without it."""
        by_fold = {}
        for fold in sorted(set(self.folds.tolist())):
            seen = np.flatnonzero(self.folds != fold).tolist()
            by_fold[fold] = self._fit([self.pages[place] for place in seen])
            _log.info("fold %d: trained on %d pages", fold + 1, len(seen))
        return by_fold

    @cached_property
    def _unseen(self) -> list[Floats]:
        """The out-of-fold probabilities of every page's blocks."""
        unseen: list[Floats] = [np.empty(0)] * len(self.pages)
        for fold, blocks in self._by_fold.items():
            held = np.flatnonzero(self.folds == fold).tolist()
            found = blocks.probabilities([self.pages[place] for place in held])
            for place, probabilities in zip(held, found, strict=True):
                unseen[place] = probabilities
        return unseen

    def _fit(self, pages: Sequence[Sample]) -> Blocks:
        return fit_blocks(pages, self.vocabulary, trees=self.trees, seed=self.seed)

    def _model(self, places: npt.NDArray[np.intp], blocks: Blocks) -> Contents:
        """The model of these block trees, with page trees trained on the pages at ``places``."""
        return fit_model(
            [self.pages[place] for place in places.tolist()],
            [self._unseen[place] for place in places.tolist()],
            blocks,
            self.vocabulary,
            seed=self.seed,
        )


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
