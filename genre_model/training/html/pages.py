"""Labelled HTML pages to train trees on, from a labelled folder or from WCXB's file."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.dom import parse
from corpus_commons.markup.error import MarkupError
from corpus_commons.markup.forest import Forest
from corpus_commons.markup.nameless import nameless
from corpus_commons.markup.sites import site_of
from corpus_commons.page_lines import read_page_lines
from genre_model.calibration import FloatArray, IntArray
from genre_model.folds import grouped_folds
from genre_model.html.features import Reading, feature_names, read
from genre_model.labels import HEADS, UNKNOWN, genre_of, indices_of, page_type_of
from genre_model.page_files import html_file, html_lines
from genre_model.samples import additional_samples, read_samples, sites_of
from genre_model.training.html.svm import goce_features
from genre_model.training.trees import Examples, Mask, Readings, TreeRecipe

_log = logging.getLogger(__name__)

FOLDER: Final = "folder"
WCXB: Final = "wcxb"

# Words do not help for genres.
RECIPES: Final = {
    "genre": TreeRecipe(rounds=300, rate=0.06, leaves=12),
    "page_type": TreeRecipe(rounds=250, rate=0.06, leaves=12, reads_words=True),
}
# WCXB's page types are by human annotators, those of a folder often by rules, so pages from WCXB
# have a higher weight. Genres are equally reliable in both.
WEIGHT_OF_WCXB: Final = {"genre": 1.0, "page_type": 3.0}
# The more they count, the more pages of old news, which are in no set, are taken for listings.
_WEIGHT_OF_ADDITIONAL: Final = {"genre": 1.0, "page_type": 0.3}
# The share of pages that are stripped of scripts and inline style for training.
_BARE_SHARE = 0.5
# Of a page's nameless form, beside the page itself. Genres are as often right without it.
_WEIGHT_OF_NAMELESS: Final = {"genre": 0.0, "page_type": 0.15}
_PAGES_A_LINE = 500
_UNSTORED = re.compile(r"<(script|style)\b[^>]*+>.*?</\1\s*+>", re.S | re.I)
_INLINE_STYLE = re.compile(r"""\sstyle\s*+=\s*+(?:"[^"]*+"|'[^']*+')""", re.I)
# WCXB has only page types; these clearly are one of the paper's genres.
_GENRE_OF_WCXB: Mapping[str, str] = {
    "article": "article",
    "collection": "list-view",
    "listing": "list-view",
}


@dataclass(frozen=True, slots=True)
class LabelledHtml:
    """One page. dataset: FOLDER or WCXB. url: empty if it is not known."""

    id: str
    dataset: str
    site: str
    genre: str | None
    page_type: str | None
    html: str
    url: str = ""


@dataclass(frozen=True, eq=False)
class HtmlPages:
    """All data sets together; everything but ``additional`` has one entry per page.

    full, bare, nameless: the pages as they are; stripped of scripts and style; and without telling
        names, too.
    is_bare: whether a page is trained on in its stripped form.
    folds: each data set is divided into folds by itself, so all folds have all sets.
    goce: (pages, 11), for the paper's SVM; None if that is not trained.
    additional: pages of other sites, which are trained on whatever is held out.
    """

    ids: Sequence[str]
    datasets: npt.NDArray[np.str_]
    sites: Sequence[str]
    labels: Mapping[str, IntArray]
    full: Readings
    bare: Readings
    nameless: Readings
    is_bare: Mask
    folds: IntArray
    goce: FloatArray | None
    recipes: Mapping[str, TreeRecipe]
    additional: HtmlPages | None = None

    @property
    def features(self) -> tuple[str, ...]:
        return feature_names()

    @property
    def copies(self) -> tuple[Readings, Readings, Readings]:
        return self.full, self.bare, self.nameless

    def truth(self, head: str) -> IntArray:
        """For every page, the index of its label, or UNKNOWN."""
        return self.labels[head]

    def examples(self, head: str, chosen: Mask, held: int | None = None) -> Examples:
        """Of the chosen pages and the additional ones, those that are labelled.

        About half of both are in their stripped form, and all once more, with less weight, in
        their nameless form.
        """
        truth = self.truth(head)
        kept = np.flatnonzero(chosen & (truth != UNKNOWN))
        bare = self.is_bare[kept]
        rows = np.where(bare[:, None], self.bare.rows[kept], self.full.rows[kept])
        words = [
            (self.bare if is_bare else self.full).words[page]
            for page, is_bare in zip(kept.tolist(), bare.tolist(), strict=True)
        ]
        weights = np.where(self.datasets[kept] == WCXB, WEIGHT_OF_WCXB[head], 1.0)
        own = Examples(Readings(rows, words), truth[kept], weights)
        if share := _WEIGHT_OF_NAMELESS[head]:
            again = own._replace(readings=self.nameless.of(kept), weights=weights * share)
            own = own.followed_by(again)
        if self.additional is None:
            return own
        everything = np.ones(len(self.additional.ids), np.bool_)
        more = self.additional.examples(head, everything)
        return own.followed_by(more._replace(weights=more.weights * _WEIGHT_OF_ADDITIONAL[head]))


def read_pages(
    folder: Path,
    wcxb: Path | None,
    *,
    group_by: str,
    folds: int,
    seed: int,
    rounds: int | None,
    additional: Path | None = None,
    svm: bool = False,
) -> HtmlPages:
    """The features of all pages; a page that cannot be parsed is skipped with a warning.

    group_by: the column with a page's site. rounds: of boosting, instead of those of RECIPES.
    additional: a folder like the first, with pages of other sites.
    svm: whether the paper's SVM is trained, too.
    Raises ValueError for data that cannot be used.
    """
    more = None
    if additional is not None:
        additional_samples(additional, group_by, sites_of(read_samples(folder), group_by))
        more = read_pages(
            additional, None, group_by=group_by, folds=folds, seed=seed, rounds=rounds
        )
    pages: list[LabelledHtml] = []
    readings: list[Reading] = []
    goce = []
    for page in chain(read_folder(folder, group_by), read_wcxb(wcxb) if wcxb else ()):
        try:
            forms = [parse(form) for form in _forms(page.html)]
        except MarkupError as error:
            _log.warning("page %s skipped: %s", page.id, error)
            continue
        pages.append(replace(page, html=""))
        readings.append(read(Forest(forms)))
        if svm:
            goce.append(goce_features(forms[0]))
        if not len(pages) % _PAGES_A_LINE:
            _log.info("%d pages read", len(pages))
    if not pages:
        raise ValueError(f"{folder}: no pages to train on")
    parts = [[page.site for page in pages if page.dataset == name] for name in (FOLDER, WCXB)]
    recipes = {head: replace(its, rounds=rounds or its.rounds) for head, its in RECIPES.items()}
    return HtmlPages(
        ids=[page.id for page in pages],
        datasets=np.array([page.dataset for page in pages]),
        sites=[page.site for page in pages],
        labels={
            head: indices_of([getattr(page, head) for page in pages], names)
            for head, names in HEADS.items()
        },
        full=_readings(readings, 0),
        bare=_readings(readings, 1),
        nameless=_readings(readings, 2),
        is_bare=np.random.default_rng(seed).random(len(pages)) < _BARE_SHARE,
        folds=np.array([fold for sites in parts for fold in grouped_folds(sites, folds)], np.int64),
        goce=np.stack(goce) if svm else None,
        recipes=recipes,
        additional=more,
    )


def read_folder(folder: Path, group_by: str) -> Iterator[LabelledHtml]:
    """The pages of a folder with labels.jsonl and html.jsonl.zst, in the order of the labels.

    Or of one file with both, such as ``annotate`` writes.

    group_by: the column with a page's site; a page without it is a site of its own.
    Raises ValueError for a labelled page without HTML, and for a line that is not a page.
    """
    file = html_file(folder)
    html = dict(html_lines(file))
    samples = read_samples(folder)
    for sample, site in zip(samples, sites_of(samples, group_by), strict=True):
        if sample.id not in html:
            raise ValueError(f"{file}: no page {sample.id}")
        yield LabelledHtml(sample.id, FOLDER, site, sample.genre, sample.page_type, html[sample.id])


def read_wcxb(file: Path) -> Iterator[LabelledHtml]:
    """The pages of WCXB (``id``, ``url``, ``genre``, ``html``), grouped by registered domain.

    Raises ValueError, naming file and line, for a line that is not a page.
    """
    return read_page_lines(file, _wcxb_page)


def stripped(html: str) -> str:
    """The page without scripts, JSON-LD, style sheets and inline style, as many pages are stored.

    Stripped copies in training keep the classifier from depending on any of these.

    >>> stripped('<p style="color: red">Text<script>run()</script></p>')
    '<p>Text</p>'
    """
    return _INLINE_STYLE.sub("", _UNSTORED.sub("", html))


def _forms(html: str) -> tuple[str, str, str]:
    """The page as it is, its stripped form, and that without names. Raises MarkupError."""
    bare = stripped(html)
    return html, bare, nameless(bare)


def _wcxb_page(page: Mapping[str, Any]) -> LabelledHtml:
    kind, url = page.get("genre"), page.get("url") or ""
    return LabelledHtml(
        page["id"],
        WCXB,
        site_of(url) or page["id"],
        genre_of({"goce": _GENRE_OF_WCXB.get(str(kind))}),
        page_type_of({"genre": kind}),
        page["html"],
        url,
    )


def _readings(pages: Sequence[Reading], form: int) -> Readings:
    """form: the index of one of ``_forms``."""
    return Readings(
        np.stack([page.rows[form] for page in pages]), [page.words[form] for page in pages]
    )
