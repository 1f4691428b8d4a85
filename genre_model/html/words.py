"""The words of pages as hashed bags of words, by field.

Words are runs of letters and digits, in lower case. In scripts without spaces every character is a
word, so that pairs of words are the usual character bigrams. Each field has separate buckets for
its words and its pairs of neighbouring words. All words are hashed at once, each as a polynomial
whose coefficients are its characters.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.characters import Classes, Codes, Integers, classified
from corpus_commons.markup.tags import HEADINGS
from genre_model.html.batch import Batch
from genre_model.html.characters import ALPHABET, CharacterClass
from genre_model.word_model import BITS, BUCKETS, FIELDS, Words

Hashes = npt.NDArray[np.uint64]

# Only the beginning of a page is read, to limit the time; it is enough to tell the kind.
_MAX_CHARACTERS = 24_000
_MAX_SHORT = 400
_PLANE = 0x10000
_LEAST_LETTERS = 2
# Odd; the other constants are from splitmix64.
_BASE = 0x9E3779B97F4A7C15
_SPREAD = np.uint64(0xBF58476D1CE4E5B9)
_PAIR = np.uint64(0x94D049BB133111EB)


def words_of(batch: Batch) -> list[Words]:
    """Words and pairs of every page, weighted by 1 + log(count) and L2-normalised by field."""
    words, stretch_of = _words_by_field(batch)
    is_pair = stretch_of[1:] == stretch_of[:-1]
    pairs = (words[:-1] * _PAIR + words[1:])[is_pair]
    mixed = np.concatenate((words, pairs)) * _SPREAD
    mixed ^= mixed >> np.uint64(32)
    hashed = (mixed * _PAIR >> np.uint64(64 - BITS)).astype(np.int64)
    pages = len(batch.tree.pages)
    field, page = np.divmod(np.concatenate((stretch_of, stretch_of[1:][is_pair])), pages)
    keys = page * BUCKETS + (field << BITS) + hashed
    # Small numbers are sorted faster.
    buckets, counts = np.unique(
        keys.astype(np.min_scalar_type(pages * BUCKETS)), return_counts=True
    )
    values = 1 + np.log(counts)
    squares = np.bincount(buckets >> BITS, values**2, pages * len(FIELDS))
    values /= np.sqrt(squares)[buckets >> BITS]
    cuts = np.searchsorted(buckets, np.arange(1, pages) * BUCKETS)
    parts = (
        np.split((buckets % BUCKETS).astype(np.int32), cuts),
        np.split(values.astype(np.float32), cuts),
    )
    return list(map(Words, *parts))


def _words_by_field(batch: Batch) -> tuple[Hashes, Integers]:
    """The hashes of words by field, then by page, and for each word field x pages + page."""
    titles = [head.title[:_MAX_SHORT] for head in batch.heads]
    descriptions = [head.description[:_MAX_SHORT] for head in batch.heads]
    short = classified(titles + descriptions, ALPHABET)
    hashes, starts = _hashed(short.codes, short.classes)
    codes, classes, text_of = _beginnings(batch)
    text_hashes, text_starts = _hashed(codes, classes)
    texts = text_of[text_starts]
    nodes, page = batch.texts.index[texts], batch.texts.page_of[texts].astype(np.int64)
    is_heading = batch.tree.covered(np.flatnonzero(batch.tree.has_tag(HEADINGS)))[nodes]
    is_link = batch.is_linked[texts]
    n = len(batch.tree.pages)
    return (
        np.concatenate((hashes, text_hashes[is_heading], text_hashes[is_link], text_hashes)),
        np.concatenate(
            (short.text_of[starts], 2 * n + page[is_heading], 3 * n + page[is_link], 4 * n + page)
        ),
    )


def _beginnings(batch: Batch) -> tuple[Codes, Classes, Integers]:
    """The codes, classes and texts of the first characters of every page."""
    characters, texts = batch.characters, batch.texts
    starts = np.searchsorted(characters.text_of, texts.starts)
    ends = np.searchsorted(characters.text_of, texts.ends)
    ends = np.minimum(ends, starts + _MAX_CHARACTERS + 1)
    slices = [*map(slice, starts.tolist(), ends.tolist())]
    codes, classes, text_of = (
        np.concatenate([column[part] for part in slices])
        for column in (characters.codes, characters.classes, characters.text_of)
    )
    # The last character of a page, a NUL or one too many, ends its last word.
    classes[np.cumsum(ends - starts)[ends > starts] - 1] = CharacterClass.OTHER
    return codes, classes, text_of


def _hashed(codes: Codes, classes: Classes) -> tuple[Hashes, Integers]:
    """The hash of every word, and where it starts."""
    letters = np.flatnonzero((classes >= CharacterClass.LOWER) & (classes <= CharacterClass.DIGIT))
    is_alone = classes[letters] == CharacterClass.UNSPACED
    begins = np.ones(len(letters), dtype=np.bool_)
    begins[1:] = (np.diff(letters) > 1) | is_alone[1:] | is_alone[:-1]
    starts = np.flatnonzero(begins)
    lengths = np.diff(starts, append=len(letters))
    places = np.arange(len(letters)) - np.repeat(starts, lengths)
    terms = _small_letters()[np.minimum(codes[letters], _PLANE - 1)] * _powers()[places]
    hashes = np.add.reduceat(terms, starts)
    kept = (lengths >= _LEAST_LETTERS) | is_alone[starts]
    return hashes[kept], letters[starts[kept]]


@cache
def _small_letters() -> Hashes:
    """A number for every code point of the Basic Multilingual Plane, equal for both cases."""
    lower = (chr(code).lower() for code in range(_PLANE))
    codes = [ord(small) if len(small) == 1 else code for code, small in enumerate(lower)]
    return np.array(codes, dtype=np.uint64) * _SPREAD


@cache
def _powers() -> Hashes:
    """Powers of the base, modulo 2^64."""
    powers = np.full(_MAX_CHARACTERS, _BASE, dtype=np.uint64)
    powers[0] = 1
    return np.cumprod(powers, dtype=np.uint64)
