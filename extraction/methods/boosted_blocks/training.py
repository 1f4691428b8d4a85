"""Train the boosted block classifier, or cross-validate it by site."""

from __future__ import annotations

import logging
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import orjson

from extraction.blocks import join
from extraction.labelled import LabelledPage, read_pages
from extraction.methods.boosted_blocks.decoding import decide
from extraction.methods.boosted_blocks.extractor import SHIPPED_MODEL
from extraction.methods.boosted_blocks.features import columns, matrix
from extraction.methods.boosted_blocks.labels import block_labels
from extraction.methods.boosted_blocks.model import save
from extraction.methods.boosted_blocks.view import PageView, view
from markup.dom import parse
from markup.error import MarkupError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator

    import lightgbm

logger = logging.getLogger(__name__)

_PARAMETERS = {
    "objective": "binary",
    "learning_rate": 0.05,
    "num_leaves": 63,
    "min_data_in_leaf": 40,
    "lambda_l2": 5.0,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.6,
    "bagging_freq": 1,
    "max_bin": 63,
    "num_threads": 1,
    "force_col_wise": True,
    "deterministic": True,
    "verbose": -1,
}
# A page counts as a page, however many blocks it has; within it, longer blocks count for more.
_LEAST_WORDS = 0.5


@dataclass(frozen=True, eq=False)
class Sample:
    """A page ready for training.

    rows: (blocks, features); labels: which blocks are main content; words: of every block.
    """

    page: LabelledPage
    set_name: str
    site: str
    rows: npt.NDArray[np.float32]
    labels: npt.NDArray[np.bool_]
    words: npt.NDArray[np.float32]

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        """One a block; their sum is the same for every page."""
        weights: npt.NDArray[np.float64] = np.sqrt(self.words.astype(np.float64) + _LEAST_WORDS)
        return weights * (100 / weights.sum()) if len(weights) else weights


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, nargs="+", required=True, metavar="FILE")
    parser.add_argument("--out", type=Path, default=SHIPPED_MODEL, help="the model file to write")
    parser.add_argument("--trees", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--cross-validate",
        type=int,
        metavar="FOLDS",
        help="write no model; extract every page by trees that have not seen its site",
    )
    parser.add_argument(
        "--texts",
        type=Path,
        metavar="OUT.jsonl",
        help="with --cross-validate: the texts, for `python -m evaluation extraction --from`",
    )


def run(args: argparse.Namespace) -> None:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    samples = list(_samples(args.data))
    logger.info("%d pages, %d blocks", len(samples), sum(len(s.labels) for s in samples))
    if args.cross_validate:
        _cross_validate(samples, args)
    else:
        save(args.out, _feature_names(), _fit(samples, args).model_to_string())
        logger.info("wrote %s, %d bytes", args.out, args.out.stat().st_size)


def _samples(files: Iterable[Path]) -> Iterator[Sample]:
    """Every page as the features and labels of its blocks; a page without text has none."""
    names = _feature_names()
    for file in files:
        for page in read_pages(file):
            page_view = _view(page)
            empty = np.empty(0, dtype=np.float32)
            yield Sample(
                page=page,
                set_name=file.name.split(".")[0],
                site=_site(page),
                rows=matrix(page_view, names) if page_view else empty.reshape(0, len(names)),
                labels=block_labels(page_view.texts if page_view else [], page.gold_text),
                words=page_view.words if page_view else empty,
            )


def _view(page: LabelledPage) -> PageView | None:
    try:
        return view(parse(page.html))
    except MarkupError as error:
        logger.warning("page %s has no text for us: %s", page.id, error)
        return None


def _site(page: LabelledPage) -> str:
    """The registered domain; pages without a URL are sites of their own."""
    import tldextract  # noqa: PLC0415 - training alone needs it

    # No list is fetched: the one in the package serves.
    extract = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
    parts = extract(page.url or "")
    return parts.top_domain_under_public_suffix or parts.domain or page.id


def _feature_names() -> tuple[str, ...]:
    page_view = view(parse("<p>text"))
    if page_view is None:
        raise AssertionError("a page with text has a view")
    return tuple(columns(page_view))


def _fit(samples: list[Sample], args: argparse.Namespace) -> lightgbm.Booster:
    import lightgbm  # noqa: PLC0415 - extraction itself does without, see boosting.booster

    data = lightgbm.Dataset(
        np.concatenate([sample.rows for sample in samples]),
        np.concatenate([sample.labels for sample in samples]).astype(np.float32),
        weight=np.concatenate([sample.weights for sample in samples]),
    )
    return lightgbm.train(_PARAMETERS | {"seed": args.seed}, data, args.trees)


def _cross_validate(samples: list[Sample], args: argparse.Namespace) -> None:
    folds = [zlib.crc32(sample.site.encode()) % args.cross_validate for sample in samples]
    lines: list[bytes] = []
    for fold in range(args.cross_validate):
        seen = [sample for sample, its in zip(samples, folds, strict=True) if its != fold]
        unseen = [sample for sample, its in zip(samples, folds, strict=True) if its == fold]
        trees = _fit(seen, args)
        for sample in unseen:
            rows = sample.rows
            probabilities = trees.predict(rows, num_threads=1) if len(rows) else np.empty(0)
            lines.append(_result(sample, np.asarray(probabilities)))
        logger.info("fold %d of %d: %d pages", fold + 1, args.cross_validate, len(unseen))
    if args.texts:
        args.texts.write_bytes(b"".join(lines))


def _result(sample: Sample, probabilities: npt.NDArray[np.float64]) -> bytes:
    """The page's text as a line of ``python -m evaluation extraction --per-page``."""
    page_view = _view(sample.page)
    text = ""
    if page_view is not None:
        kept = decide(probabilities, sample.words).kept
        segmentation = page_view.segmentation
        text = join(segmentation.kept_blocks(np.append(kept, False)[segmentation.block_of]))
    record = {
        "id": sample.page.id,
        "set": sample.set_name,
        "method": "boosted-blocks",
        "text": text,
        "seconds": 0.0,
        "error": None,
    }
    return orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)
