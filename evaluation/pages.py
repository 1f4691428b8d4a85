"""The pages of a run, selected from data sets by split and limit, and their gold data."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from corpus_commons.kinds import GENRE_OF_TYPE
from evaluation.datasets import open_dataset
from evaluation.held_gold import Held, held
from evaluation.results import PageKey
from evaluation.worker import Task
from extraction.labelled import LabelledPage, set_name

# The paper's genre for each gold genre. Products and services, which may be either, are
# read by the algorithm for articles.
GOCE_GENRES = {
    **GENRE_OF_TYPE,
    "product": "article",
    "service": "article",
    "list-view": "list-view",
}

UNKNOWN: Final = "unknown"
# In an error.
_PARTS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Gold:
    """The gold data of a page; genre and lang are ``unknown`` if not given.

    text: None if only snippets of it are known.
    held: whether the page has that text; ``unknown`` if nobody has looked.
    See LabelledPage for the other fields.
    """

    text: str | None
    genre: str
    lang: str
    url: str | None
    must_have: tuple[str, ...]
    must_not_have: tuple[str, ...]
    held: Held = UNKNOWN


@dataclass(frozen=True, slots=True)
class Selection:
    """The selected pages of data sets, and the genre that is passed to the extractors.

    paths: the data sets; the name of a set is its file's name without suffixes.
    split: a value of ``split``, or ``KEY=VALUE`` for a key of ``meta``; None for all pages.
    limit: the first so many pages of each set; None for all.
    share: this share of each set's pages, selected by a hash of set and id, so that it is the same
        for every run and method; None for all.
    genre: ``none``, ``oracle`` (the gold genre, mapped to the paper's two) or a genre's name.
    two_genres: whether gold genres are reported as the paper's two.
    finds_gold: whether to look for the gold text in each page, which takes parsing it.
    """

    paths: Sequence[Path]
    split: str | None = None
    limit: int | None = None
    share: float | None = None
    genre: str = "none"
    two_genres: bool = False
    finds_gold: bool = False

    def golds(self) -> dict[PageKey, Gold]:
        """The gold data of all selected pages, in the order of the data sets.

        Raises ValueError if two pages of a set have the same id, if no page is selected or if a set
        cannot be read; FileNotFoundError if a set does not exist.
        """
        golds: dict[PageKey, Gold] = {}
        for key, page in self._pages():
            if key in golds:
                raise ValueError(f"the set {key.set} has two pages with the id {key.id}")
            golds[key] = self._gold(page)
        if not golds:
            raise ValueError(self._why_none())
        return golds

    def tasks(self, methods: tuple[str, ...]) -> Iterator[Task]:
        """The selected pages as tasks for the runner."""
        for key, page in self._pages():
            yield Task(key, page.html, page.url, self._told_genre(page), methods)

    def _pages(self) -> Iterator[tuple[PageKey, LabelledPage]]:
        for path in self.paths:
            name = set_name(path)
            chosen = (
                page
                for page in open_dataset(path)
                if self._in_split(page) and self._in_share(name, page)
            )
            for page in islice(chosen, self.limit):
                yield PageKey(name, page.id), page

    def _why_none(self) -> str:
        """Why no page is selected."""
        sets = ", ".join(map(str, self.paths))
        parts = Counter(self._part(page) for path in self.paths for page in open_dataset(path))
        if not parts:
            return f"{sets}: no pages"
        if self.split is None or self._asked_part in parts:
            return f"--share {self.share}: too little for a page of {sets}"
        most = parts.most_common(_PARTS_SHOWN)
        shown = ", ".join(f"{part or 'none'} ({count})" for part, count in most)
        return f"--split {self.split}: the pages of {sets} are of other parts: {shown}"

    def _in_split(self, page: LabelledPage) -> bool:
        return self.split is None or self._part(page) == self._asked_part

    @property
    def _asked_part(self) -> str:
        split = self.split or ""
        _, equals, value = split.partition("=")
        return value.lower() if equals else split

    def _part(self, page: LabelledPage) -> str | None:
        """The part that a page is of, by the split that is asked for."""
        key, equals, _ = (self.split or "").partition("=")
        return str(page.meta.get(key)).lower() if equals else page.split

    def _in_share(self, name: str, page: LabelledPage) -> bool:
        if self.share is None:
            return True
        return zlib.crc32(f"{name}/{page.id}".encode()) < self.share * 2**32

    def _gold(self, page: LabelledPage) -> Gold:
        genre = page.genre
        if self.two_genres and genre is not None:
            genre = GOCE_GENRES.get(genre, genre)
        text = page.gold_text if page.has_gold_text else None
        return Gold(
            text,
            genre or UNKNOWN,
            page.lang or UNKNOWN,
            page.url,
            page.must_have,
            page.must_not_have,
            held(page.html, text) if self.finds_gold else UNKNOWN,
        )

    def _told_genre(self, page: LabelledPage) -> str | None:
        if self.genre == "none":
            return None
        if self.genre == "oracle":
            return GOCE_GENRES.get(page.genre or "")
        return self.genre
