"""Classifies many pages by screenshot, by HTML, or by both, in the order of their ids.

An eye is a classifier together with the files of the pages that it can classify.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import orjson

from corpus_commons.markup.dom import MAX_CHARACTERS
from genre_model.fusion import HTML, SCREENSHOT, Fusion
from genre_model.page_files import PageError, read_bounded
from genre_model.prediction import Prediction
from genre_model.screenshot import MAX_BYTES, ScreenshotError

BOTH = "both"

# Pages that are classified together, which is also how many screenshots are in memory.
_PAGES_AT_ONCE = 32

Look = Prediction | ValueError


class ScreenshotClassifier(Protocol):
    """The part of GenreClassifier's interface that is used here."""

    def stream(self, images: Iterable[bytes]) -> Iterator[Prediction | ScreenshotError]: ...


class HtmlClassifier(Protocol):
    """A classifier of HTML; it raises ValueError for a page that cannot be parsed."""

    def predict(self, pages: Sequence[str | bytes], /) -> list[Prediction]: ...


class Eye(Protocol):
    """A classifier with its pages.

    name: ``screenshot`` or ``html``. ids: the pages that it can classify.
    """

    name: str
    ids: Collection[str]

    def look(self, ids: Sequence[str]) -> list[Look]:
        """A prediction for each of these pages, or the reason why there is none."""


class ScreenshotEye:
    """Screenshots in files."""

    name = SCREENSHOT

    def __init__(self, classifier: ScreenshotClassifier, files: Mapping[str, Path]) -> None:
        self.ids: Collection[str] = files.keys()
        self._classifier = classifier
        self._files = files

    def look(self, ids: Sequence[str]) -> list[Look]:
        looks: dict[str, Look] = {}
        images: dict[str, bytes] = {}
        for page in ids:
            try:
                images[page] = read_bounded(self._files[page], MAX_BYTES)
            except PageError as error:
                looks[page] = error
        looks.update(zip(images, self._classifier.stream(images.values()), strict=True))
        return [looks[page] for page in ids]


class HtmlFileEye:
    """HTML in files, which are read only when they are classified."""

    name = HTML

    def __init__(self, classifier: HtmlClassifier, files: Mapping[str, Path]) -> None:
        self.ids: Collection[str] = files.keys()
        self._classifier = classifier
        self._files = files

    def look(self, ids: Sequence[str]) -> list[Look]:
        return [self._look(page) for page in ids]

    def _look(self, page: str) -> Look:
        try:
            (prediction,) = self._classifier.predict(
                [read_bounded(self._files[page], MAX_CHARACTERS)]
            )
        except ValueError as error:
            return error
        return prediction


class HtmlLinesEye:
    """HTML in the lines of one file, in any order.

    All pages are classified when the eye is made. Only their predictions (about 1 kB each) are
    kept, not their HTML.
    """

    name = HTML

    def __init__(self, classifier: HtmlClassifier, pages: Iterable[tuple[str, str]]) -> None:
        self._looks: dict[str, Look] = {}
        for page, html in pages:
            try:
                (self._looks[page],) = classifier.predict([html])
            except ValueError as error:
                self._looks[page] = error
        self.ids: Collection[str] = self._looks.keys()

    def look(self, ids: Sequence[str]) -> list[Look]:
        return [self._looks[page] for page in ids]


class Answer(NamedTuple):
    """The prediction for one page.

    by: the eyes that were used: ``screenshot``, ``html`` or ``both``; None without prediction.
    problems: why an eye could not read its file, each as ``EYE: reason``.
    """

    id: str
    by: str | None
    prediction: Prediction | None
    problems: tuple[str, ...]

    def to_line(self) -> bytes:
        """One line of JSON: a prediction, with a ``problem`` if an eye failed; or an error."""
        problem = "; ".join(self.problems)
        if self.prediction is None or self.by is None:
            fields = {"id": self.id, "error": problem}
            return orjson.dumps(fields, option=orjson.OPT_APPEND_NEWLINE)
        more = {"problem": problem} if problem else {}
        return self.prediction.to_json(self.id, by=self.by, **more)


def all_ids(eyes: Sequence[Eye]) -> list[str]:
    """The ids of all eyes, sorted."""
    return sorted(set().union(*(eye.ids for eye in eyes)))


def answers(
    eyes: Sequence[Eye], ids: Sequence[str], *, threshold: float, fusion: Fusion | None = None
) -> Iterator[Answer]:
    """An answer for every id, in order.

    eyes: one; or a screenshot eye and an HTML eye, which require ``fusion``. A page that only one
        of them has is classified by that one.
    """
    for begin in range(0, len(ids), _PAGES_AT_ONCE):
        batch = ids[begin : begin + _PAGES_AT_ONCE]
        looks: dict[str, dict[str, Look]] = {page: {} for page in batch}
        for eye in eyes:
            seen = [page for page in batch if page in eye.ids]
            for page, look in zip(seen, eye.look(seen), strict=True):
                looks[page][eye.name] = look
        for page in batch:
            yield _answer(page, looks[page], threshold, fusion)


def _answer(
    page: str, looks: Mapping[str, Look], threshold: float, fusion: Fusion | None
) -> Answer:
    problems = tuple(
        f"{name}: {look}" for name, look in looks.items() if isinstance(look, ValueError)
    )
    seen = {name: look for name, look in looks.items() if isinstance(look, Prediction)}
    if not seen:
        return Answer(page, None, None, problems or ("no file found for this page",))
    if len(seen) > 1 and fusion is not None:
        fused = fusion.fuse(seen, threshold)
        return Answer(page, BOTH, fused, problems)
    name, prediction = next(iter(seen.items()))
    return Answer(page, name, prediction.with_threshold(threshold), problems)
