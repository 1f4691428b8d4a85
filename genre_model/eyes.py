"""Many pages by screenshot, by HTML, or by both: an answer a page, in order of their ids.

An eye is a classifier with the pages that it can see.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import orjson

from genre_model.fusion import HTML, SCREENSHOT, Fusion
from genre_model.page_files import PageError, read_bounded
from genre_model.prediction import Prediction
from genre_model.screenshot import MAX_BYTES, ScreenshotError
from markup.dom import MAX_CHARACTERS

BOTH = "both"

# Pages that are looked at together: their screenshots are in memory at one time.
_PAGES_AT_ONCE = 32

Look = Prediction | ValueError


class ScreenshotClassifier(Protocol):
    """What is needed of a GenreClassifier."""

    def stream(self, images: Iterable[bytes]) -> Iterator[Prediction | ScreenshotError]: ...


class HtmlClassifier(Protocol):
    """What is needed of a classifier of HTML; raises ValueError for a page beyond reading."""

    def predict(self, pages: Sequence[str | bytes], /) -> list[Prediction]: ...


class Eye(Protocol):
    """Sees some pages.

    name: ``screenshot`` or ``html``. ids: the pages it can look at.
    """

    name: str
    ids: Collection[str]

    def look(self, ids: Sequence[str]) -> list[Look]:
        """What it says of each of these pages, or why it cannot say anything."""


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
    """HTML in files, which are read when they are looked at."""

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

    All pages are classified at once, when the eye is made: their answers are kept (about 1 kB
    each), their HTML is not.
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
    """What is said of one page.

    by: the eyes that it comes from: ``screenshot``, ``html`` or ``both``; None without prediction.
    problems: why an eye could not read its file, ``EYE: reason`` each.
    """

    id: str
    by: str | None
    prediction: Prediction | None
    problems: tuple[str, ...]

    def to_line(self) -> bytes:
        """One line of JSON: a prediction, with a ``problem`` where an eye failed; or an error."""
        problem = "; ".join(self.problems)
        if self.prediction is None or self.by is None:
            fields = {"id": self.id, "error": problem}
            return orjson.dumps(fields, option=orjson.OPT_APPEND_NEWLINE)
        more = {"problem": problem} if problem else {}
        return self.prediction.to_json(self.id, by=self.by, **more)


def all_ids(eyes: Sequence[Eye]) -> list[str]:
    """The pages that any eye can look at, sorted."""
    return sorted(set().union(*(eye.ids for eye in eyes)))


def answers(
    eyes: Sequence[Eye], ids: Sequence[str], *, threshold: float, fusion: Fusion | None = None
) -> Iterator[Answer]:
    """An answer for every id, in their order.

    eyes: one; or a screenshot eye and an HTML eye, for which ``fusion`` is needed. A page that
    only one of them can see is answered by that one.
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
        return Answer(page, None, None, problems or ("no file of this page was found",))
    if len(seen) > 1 and fusion is not None:
        fused = fusion.fuse(seen, threshold)
        return Answer(page, BOTH, fused, problems)
    name, prediction = next(iter(seen.items()))
    return Answer(page, name, prediction.with_threshold(threshold), problems)
