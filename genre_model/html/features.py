"""All features of pages: their elements, text, links, headings and metadata."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.dom import parse
from corpus_commons.markup.forest import Forest
from genre_model.html.batch import Batch, Columns
from genre_model.html.elements import element_features
from genre_model.html.links import link_features
from genre_model.html.metadata import metadata_features
from genre_model.html.outline import outline_features
from genre_model.html.text import text_features
from genre_model.html.words import words_of
from genre_model.word_model import Words

Vector = npt.NDArray[np.float32]


class Reading(NamedTuple):
    """The classifier's input. rows: (pages, features), in the order of ``feature_names``."""

    rows: Vector
    words: list[Words]


def read(pages: Forest) -> Reading:
    """The features and the words of pages."""
    batch = Batch(pages)
    columns = np.array([*_features(batch).values()], dtype=np.float32)
    return Reading(np.ascontiguousarray(columns.T), words_of(batch))


@cache
def feature_names() -> tuple[str, ...]:
    return tuple(_features(Batch(Forest([parse("<p>text")]))))


def _features(batch: Batch) -> Columns:
    """Every feature by name, always in the same order; with one value per page."""
    return {
        **text_features(batch),
        **outline_features(batch),
        **element_features(batch),
        **link_features(batch),
        **metadata_features(batch),
    }
