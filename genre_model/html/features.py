"""All features of a page: its elements, text, links, headings, repetitions and metadata."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.dom import Dom, parse
from genre_model.html.elements import element_features
from genre_model.html.links import link_features
from genre_model.html.metadata import metadata_features
from genre_model.html.outline import outline_features
from genre_model.html.page import Page
from genre_model.html.repetition import repetition_features
from genre_model.html.text import text_features
from genre_model.html.words import words_of
from genre_model.word_model import Words

Vector = npt.NDArray[np.float32]


class Reading(NamedTuple):
    """The classifier's input. numbers: the features, in the order of ``feature_names``."""

    numbers: Vector
    words: Words


def read(dom: Dom) -> Reading:
    """The features and the words of the page."""
    page = Page(dom)
    return Reading(np.fromiter(_features(page).values(), np.float32), words_of(page))


def named_features(dom: Dom) -> dict[str, float]:
    """The features of the page by name, always in the same order."""
    return _features(Page(dom))


@cache
def feature_names() -> tuple[str, ...]:
    return tuple(named_features(parse("<p>text")))


def _features(page: Page) -> dict[str, float]:
    return {
        **text_features(page),
        **outline_features(page),
        **repetition_features(page),
        **element_features(page),
        **link_features(page),
        **metadata_features(page),
    }
