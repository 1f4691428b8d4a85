"""Labelled HTML pages as rows of features, from a labelled folder or from WCXB's file."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.dom import parse
from corpus_commons.markup.error import MarkupError
from corpus_commons.markup.sites import site_of
from genre_model.html.features import Reading, read
from genre_model.labels import genre_of, page_type_of
from genre_model.page_files import html_lines, page_lines
from genre_model.training.html.stripping import stripped
from genre_model.training.html.svm import goce_features
from genre_model.training.samples import read_samples, sites_of

_log = logging.getLogger(__name__)

_PAGES_A_LINE = 500
# WCXB has only page types; these clearly are one of the paper's genres.
_GENRE_OF_WCXB: Mapping[str, str] = {
    "article": "article",
    "collection": "list-view",
    "listing": "list-view",
}


@dataclass(frozen=True, slots=True)
class LabelledHtml:
    """One page. group: its site. record: its line in the data, without the HTML."""

    id: str
    group: str
    genre: str | None
    page_type: str | None
    html: str
    record: Mapping[str, object]


@dataclass(frozen=True, eq=False)
class Rows:
    """The features of one data set; everything has one entry per page.

    full, bare: of the page as it is, and stripped of scripts and style.
    goce: (pages, 11), for the paper's SVM.
    """

    name: str
    ids: Sequence[str]
    groups: Sequence[str]
    genres: Sequence[str | None]
    page_types: Sequence[str | None]
    records: Sequence[Mapping[str, object]]
    full: Sequence[Reading]
    bare: Sequence[Reading]
    goce: npt.NDArray[np.float64]


def read_folder(folder: Path, group_by: str) -> Iterator[LabelledHtml]:
    """The pages of a folder with labels.jsonl and html.jsonl.zst, in the order of the labels.

    group_by: the column with a page's site; a page without it is a site of its own.
    Raises ValueError for a labelled page without HTML, and for a line that is not a page.
    """
    file = folder / "html.jsonl.zst"
    html = dict(html_lines(file))
    samples = read_samples(folder)
    for sample, site in zip(samples, sites_of(samples, group_by), strict=True):
        if sample.id not in html:
            raise ValueError(f"{file}: no page {sample.id}")
        yield LabelledHtml(
            sample.id,
            site,
            sample.genre,
            sample.page_type,
            html[sample.id],
            sample.record,
        )


def read_wcxb(file: Path) -> Iterator[LabelledHtml]:
    """The pages of WCXB (``id``, ``url``, ``genre``, ``html``), grouped by registered domain.

    Raises ValueError, naming file and line, for a line that is not a page.
    """
    return map(_wcxb_page, page_lines(file))


def _wcxb_page(page: Mapping[str, Any]) -> LabelledHtml:
    kind = page.get("genre")
    record = {"genre": kind}
    return LabelledHtml(
        page["id"],
        site_of(str(page.get("url") or "")) or page["id"],
        genre_of({"goce": _GENRE_OF_WCXB.get(str(kind))}),
        page_type_of(record),
        page["html"],
        record,
    )


def rows_of(name: str, pages: Iterator[LabelledHtml]) -> Rows:
    """The features of every page; a page that cannot be parsed is skipped with a warning."""
    kept: list[LabelledHtml] = []
    full, bare, goce = [], [], []
    for page in pages:
        try:
            dom, bare_dom = parse(page.html), parse(stripped(page.html))
        except MarkupError as error:
            _log.warning("page %s skipped: %s", page.id, error)
            continue
        kept.append(page)
        full.append(read(dom))
        bare.append(read(bare_dom))
        goce.append(goce_features(dom))
        if not len(kept) % _PAGES_A_LINE:
            _log.info("%s: %d pages read", name, len(kept))
    return Rows(
        name=name,
        ids=[page.id for page in kept],
        groups=[page.group for page in kept],
        genres=[page.genre for page in kept],
        page_types=[page.page_type for page in kept],
        records=[page.record for page in kept],
        full=full,
        bare=bare,
        goce=np.stack(goce),
    )
