"""Classifies many pages by screenshot, by HTML, or by both, in the order of their ids."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import orjson

from corpus_commons.markup.dom import MAX_CHARACTERS
from corpus_commons.markup.encoding import is_binary
from genre_model.fusion import HTML, SCREENSHOT, Fusion
from genre_model.page_files import MAX_SCREENSHOT, PageError, read_bounded
from genre_model.prediction import Prediction

BOTH = "both"

# Pages that are classified together, which is also how many screenshots are in memory.
_PAGES_AT_ONCE = 32

Outcome = Prediction | ValueError
T = TypeVar("T", str, bytes)


class PredictsScreenshots(Protocol):
    """The part of GenreClassifier's interface that is used here."""

    def stream(self, images: Iterable[bytes]) -> Iterator[Outcome]: ...


class PredictsHtml(Protocol):
    """A classifier of HTML; it raises ValueError for a page that cannot be parsed."""

    def predict(
        self, pages: Sequence[str | bytes], urls: Sequence[str | None] = ..., /
    ) -> list[Prediction]: ...


class PageClassifier(NamedTuple):
    """A classifier with its pages.

    name: ``screenshot`` or ``html``. ids: the pages that it can classify.
    classify: gives a prediction for each of some ids, or the reason why there is none.
    """

    name: str
    ids: Collection[str]
    classify: Callable[[Sequence[str]], list[Outcome]]


def of_screenshots(classifier: PredictsScreenshots, files: Mapping[str, Path]) -> PageClassifier:
    """Screenshots in files, by id."""

    def classify(ids: Sequence[str]) -> list[Outcome]:
        outcomes: dict[str, Outcome] = {}
        images: dict[str, bytes] = {}
        for page in ids:
            try:
                images[page] = read_bounded(files[page], MAX_SCREENSHOT)
            except PageError as error:
                outcomes[page] = error
        outcomes.update(zip(images, classifier.stream(images.values()), strict=True))
        return [outcomes[page] for page in ids]

    return PageClassifier(SCREENSHOT, files.keys(), classify)


def of_html_files(classifier: PredictsHtml, files: Mapping[str, Path]) -> PageClassifier:
    """HTML in files, by id; they are read only when they are classified."""

    def classify(page: str) -> Outcome:
        try:
            return classifier.predict([_html(read_bounded(files[page], MAX_CHARACTERS))])[0]
        except ValueError as error:
            return error

    return PageClassifier(HTML, files.keys(), lambda ids: [classify(page) for page in ids])


def of_html_lines(classifier: PredictsHtml, pages: Iterable[Mapping[str, Any]]) -> PageClassifier:
    """HTML in the lines of one file, in any order: ``id``, ``html`` and, if it is known, ``url``.

    All pages are classified here. Only their predictions (about 1 kB each) are kept, not their
    HTML.
    """
    outcomes: dict[str, Outcome] = {}
    for page in pages:
        try:
            (outcomes[page["id"]],) = classifier.predict([_html(page["html"])], [page.get("url")])
        except ValueError as error:
            outcomes[page["id"]] = error
    return PageClassifier(HTML, outcomes.keys(), lambda ids: [outcomes[page] for page in ids])


def _html(content: T) -> T:
    """The same. Raises PageError for what a crawl rejects, too, because it cannot be a page."""
    if not content.strip():
        raise PageError("the page is empty")
    if isinstance(content, bytes) and is_binary(content):
        raise PageError("binary, not HTML")
    return content


class Answer(NamedTuple):
    """The prediction for one page.

    by: what was used: ``screenshot``, ``html`` or ``both``; None without prediction.
    problems: why a classifier could not read its file, each as ``CLASSIFIER: reason``.
    """

    id: str
    by: str | None
    prediction: Prediction | None
    problems: tuple[str, ...]

    def to_line(self) -> bytes:
        """One line of JSON: a prediction, with a ``problem`` if a file failed; or an error."""
        problem = "; ".join(self.problems)
        if self.prediction is None or self.by is None:
            fields = {"id": self.id, "error": problem}
            return orjson.dumps(fields, option=orjson.OPT_APPEND_NEWLINE)
        more = {"problem": problem} if problem else {}
        return self.prediction.to_json(self.id, by=self.by, **more)


def all_ids(classifiers: Sequence[PageClassifier]) -> list[str]:
    """The ids of all classifiers' pages, sorted."""
    return sorted(set().union(*(classifier.ids for classifier in classifiers)))


def answers(
    classifiers: Sequence[PageClassifier],
    ids: Sequence[str],
    *,
    threshold: float,
    fusion: Fusion | None = None,
) -> Iterator[Answer]:
    """An answer for every id, in order.

    classifiers: one; or one of screenshots and one of HTML, which require ``fusion``. A page that
        only one of them has is classified by that one.
    """
    for begin in range(0, len(ids), _PAGES_AT_ONCE):
        batch = ids[begin : begin + _PAGES_AT_ONCE]
        outcomes: dict[str, dict[str, Outcome]] = {page: {} for page in batch}
        for classifier in classifiers:
            seen = [page for page in batch if page in classifier.ids]
            for page, outcome in zip(seen, classifier.classify(seen), strict=True):
                outcomes[page][classifier.name] = outcome
        for page in batch:
            yield _answer(page, outcomes[page], threshold, fusion)


def _answer(
    page: str, outcomes: Mapping[str, Outcome], threshold: float, fusion: Fusion | None
) -> Answer:
    problems = tuple(
        f"{name}: {outcome}"
        for name, outcome in outcomes.items()
        if isinstance(outcome, ValueError)
    )
    seen = {name: its for name, its in outcomes.items() if isinstance(its, Prediction)}
    if not seen:
        return Answer(page, None, None, problems or ("no file found for this page",))
    if len(seen) > 1 and fusion is not None:
        return Answer(page, BOTH, fusion.fuse(seen, threshold), problems)
    name, prediction = next(iter(seen.items()))
    return Answer(page, name, prediction.with_threshold(threshold), problems)
