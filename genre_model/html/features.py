"""All features of a page: its elements, text, links, headings, repetitions and metadata."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.dom import parse
from genre_model.html.elements import element_features
from genre_model.html.links import link_features
from genre_model.html.metadata import metadata_features
from genre_model.html.outline import outline_features
from genre_model.html.page import Page
from genre_model.html.repetition import repetition_features
from genre_model.html.text import text_features
from genre_model.html.words import Words, words_of

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom

Vector = npt.NDArray[np.float32]


class Reading(NamedTuple):
    """The classifier's input. numbers: the features, in the order of ``feature_names``."""

    numbers: Vector
    words: Words


def read(dom: Dom) -> Reading:
    """The features and the words of the page."""
    page = Page(dom)
    return Reading(np.fromiter(_named(page).values(), np.float32), words_of(page))


def features(dom: Dom) -> Vector:
    """The features of the page, in the order of ``feature_names``."""
    return np.fromiter(named_features(dom).values(), np.float32)


def named_features(dom: Dom) -> dict[str, float]:
    """The features of the page by name, always in the same order."""
    return _named(Page(dom))


def _named(page: Page) -> dict[str, float]:
    return {
        **text_features(page),
        **outline_features(page),
        **repetition_features(page),
        **element_features(page),
        **link_features(page),
        **metadata_features(page),
    }


@cache
def feature_names() -> tuple[str, ...]:
    return tuple(named_features(parse("<p>text")))
