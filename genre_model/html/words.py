"""The words of a page as a hashed bag of words, by field.

Words are runs of letters and digits, in lower case. In scripts without spaces every character is a
word, so that pairs of words are the usual character bigrams. Each field has separate buckets for
its words and its pairs of neighbouring words. All words are hashed at once, with a polynomial
rolling hash: the hash of a word is a difference of prefix sums.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.characters import Classes, Codes, Integers, code_points
from genre_model.html.characters import ALPHABET, CharacterClass
from genre_model.html.page import Page
from genre_model.word_model import BITS, FIELDS, Words

Hashes = npt.NDArray[np.uint64]

# Only the beginning of a page is read, to limit the time; it is enough to tell the kind.
_MAX_CHARACTERS = 24_000
_MAX_SHORT = 400
_PLANE = 0x10000
_LEAST_LETTERS = 2
# Odd, so that powers have inverses modulo 2^64; the other constants are from splitmix64.
_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 1 << 64)
_SPREAD = np.uint64(0xBF58476D1CE4E5B9)
_PAIR = np.uint64(0x94D049BB133111EB)


def words_of(page: Page) -> Words:
    """Words and pairs, weighted by 1 + log(count) and L2-normalised by field."""
    characters = page.characters
    n = _MAX_CHARACTERS
    hashes, starts = _hashed(characters.codes[:n], characters.classes[:n])
    nodes = page.nodes[characters.text_of[starts]]
    fields = (
        _short(page.title),
        _short(page.description),
        hashes[page.in_heading[nodes]],
        hashes[page.link_of[nodes] >= 0],
        hashes,
    )
    found = [_buckets(field) + (i << BITS) for i, field in enumerate(fields)]
    buckets, counts = np.unique(np.concatenate(found), return_counts=True)
    values = 1 + np.log(counts)
    lengths = np.sqrt(np.bincount(buckets >> BITS, values**2, len(FIELDS)))
    return Words(buckets.astype(np.int32), (values / lengths[buckets >> BITS]).astype(np.float32))


def _short(text: str) -> Hashes:
    codes = code_points(text[:_MAX_SHORT])
    return _hashed(codes, ALPHABET.classify(codes))[0]


def _buckets(words: Hashes) -> Integers:
    pairs = words[:-1] * _PAIR + words[1:]
    mixed = np.concatenate((words, pairs)) * _SPREAD
    mixed ^= mixed >> np.uint64(32)
    return (mixed * _PAIR >> np.uint64(64 - BITS)).astype(np.int64)


def _hashed(codes: Codes, classes: Classes) -> tuple[Hashes, Integers]:
    """The hash of every word, and where it starts."""
    is_word = (classes >= CharacterClass.LOWER) & (classes <= CharacterClass.DIGIT)
    is_alone = classes == CharacterClass.UNSPACED
    joins = is_word[1:] & is_word[:-1] & ~is_alone[1:] & ~is_alone[:-1]
    begins, ends = is_word.copy(), is_word.copy()
    begins[1:] &= ~joins
    ends[:-1] &= ~joins
    starts, stops = np.flatnonzero(begins), np.flatnonzero(ends) + 1
    kept = (stops - starts >= _LEAST_LETTERS) | is_alone[starts]
    starts, stops = starts[kept], stops[kept]
    small = _small_letters()[np.minimum(codes, _PLANE - 1)]
    powers, inverses = _powers()
    prefixes = np.zeros(len(codes) + 1, dtype=np.uint64)
    np.cumsum(small * powers[: len(codes)], out=prefixes[1:])
    return (prefixes[stops] - prefixes[starts]) * inverses[starts], starts


@cache
def _small_letters() -> Hashes:
    """A number for every code point of the Basic Multilingual Plane, equal for both cases."""
    lower = (chr(code).lower() for code in range(_PLANE))
    codes = [ord(small) if len(small) == 1 else code for code, small in enumerate(lower)]
    return np.array(codes, dtype=np.uint64) * _SPREAD


@cache
def _powers() -> tuple[Hashes, Hashes]:
    """Powers of the base and of its inverse, modulo 2^64."""
    both = np.ones((2, _MAX_CHARACTERS + 1), dtype=np.uint64)
    both[:, 1:] = np.array([[_BASE], [_INVERSE]], dtype=np.uint64)
    powers, inverses = np.cumprod(both, axis=1, dtype=np.uint64)
    return powers, inverses
