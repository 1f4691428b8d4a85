"""Counts of characters and tokens over many short texts at once.

The texts are concatenated into one array of characters, so that each count is a single numpy pass
for any number of texts. Tokens are those of Victor's ``Counts::Generic``: runs of word characters
and runs of other characters, split at white space.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]

# Kinds of character; a token's kind is the sum of the kinds of its characters, as bits.
ALPHA, DIGIT, JOINER, PUNCTUATION, OTHER, WHITE = 1, 2, 4, 8, 16, 32
_WORD = ALPHA | DIGIT | JOINER
_PUNCTUATION = ",:;.?!"
_SENTENCE_END = np.frombuffer(".?!".encode("utf-32-le"), np.uint32)
_PLANE = 0x10000


@dataclass(frozen=True, eq=False)
class TextCounts:
    """Counts for every text; each array has one entry per text.

    characters: all characters. kinds: (texts, 5) characters that are alphabetic, digits,
        punctuation, white space, other.
    alpha, num, mixed, other: tokens of letters, of digits, of both, of anything else; runs of
        ``,:;.?!`` do not count as tokens. tokens: their sum.
    letters: characters in the tokens of letters.
    runs: sequences of tokens of letters with no other token between.
    sentences: tokens that end in ``.``, ``?`` or ``!``.
    not_started: the first word does not begin with a capital (or there is no word).
    not_finished: no sentence ends after the last word (or there is no word).
    """

    characters: Counts
    kinds: Counts
    alpha: Counts
    num: Counts
    mixed: Counts
    other: Counts
    tokens: Counts
    letters: Counts
    runs: Counts
    sentences: Counts
    not_started: npt.NDArray[np.bool_]
    not_finished: npt.NDArray[np.bool_]


def count(texts: Sequence[str]) -> TextCounts:
    """Counts of every text; lone surrogates count as other characters.

    >>> counted = count(["It is 5 pm. Come!", "Home | News"])
    >>> counted.alpha.tolist(), counted.num.tolist(), counted.sentences.tolist()
    ([4, 2], [1, 0], [2, 0])
    """
    n = len(texts)
    # A line feed separates two texts, so that no token spans both.
    codes = np.frombuffer("\n".join([*texts, ""]).encode("utf-32-le", "surrogatepass"), np.uint32)
    lengths = np.fromiter(map(len, texts), np.int64, n)
    text_of = np.repeat(np.arange(n), lengths + 1)
    kinds = np.where(codes < _PLANE, _kinds()[np.minimum(codes, _PLANE - 1)], OTHER)
    inside = np.ones(len(codes), dtype=np.bool_)
    inside[np.cumsum(lengths + 1) - 1] = False

    def characters_of(kind: int) -> Counts:
        return np.bincount(text_of[inside & ((kinds & kind) != 0)], minlength=n)

    by_kind = [characters_of(k) for k in (ALPHA, DIGIT, PUNCTUATION, WHITE, OTHER | JOINER)]

    group = np.where((kinds & _WORD) != 0, 1, np.where(kinds == WHITE, 0, 2))
    before = np.concatenate(([0], group[:-1]))
    starts = np.flatnonzero((group != before) & (group != 0))
    after = np.concatenate((group[1:], [0]))
    ends = np.flatnonzero((group != after) & (group != 0))
    token_kinds = (
        np.bitwise_or.reduceat(kinds, np.column_stack((starts, ends + 1)).ravel())[::2]
        if len(starts)
        else np.zeros(0, dtype=np.int64)
    )
    token_text = text_of[starts]
    is_alpha = token_kinds == ALPHA
    is_mixed = ((token_kinds & _WORD) == token_kinds) & (token_kinds == ALPHA | DIGIT)
    is_num = token_kinds == DIGIT
    is_token = token_kinds != PUNCTUATION

    def tokens_of(chosen: npt.NDArray[np.bool_]) -> Counts:
        return np.bincount(token_text[chosen], minlength=n)

    follows_word = np.zeros(len(starts), dtype=np.bool_)
    follows_word[1:] = is_alpha[:-1] & (token_text[1:] == token_text[:-1])
    is_end = np.isin(codes[ends], _SENTENCE_END)
    last_word, last_end = (_last(token_text, chosen, n) for chosen in (is_alpha, is_end))
    first_word = n_tokens = len(starts)
    first_words = np.full(n, n_tokens)
    np.minimum.at(first_words, token_text[is_alpha], np.flatnonzero(is_alpha))
    has_word = first_words < first_word
    not_started = np.ones(n, dtype=np.bool_)
    not_started[has_word] = [
        not chr(code).isupper() for code in codes[starts[first_words[has_word]]].tolist()
    ]
    return TextCounts(
        characters=lengths,
        kinds=np.column_stack(by_kind),
        alpha=tokens_of(is_alpha),
        num=tokens_of(is_num),
        mixed=tokens_of(is_mixed),
        other=tokens_of(is_token & ~is_alpha & ~is_num & ~is_mixed),
        tokens=tokens_of(is_token),
        letters=np.bincount(
            token_text[is_alpha], weights=(ends - starts + 1)[is_alpha], minlength=n
        ).astype(np.int64),
        runs=tokens_of(is_alpha & ~follows_word),
        sentences=tokens_of(is_end),
        not_started=not_started,
        not_finished=~has_word | (last_end < last_word),
    )


def _last(token_text: Counts, chosen: npt.NDArray[np.bool_], n: int) -> Counts:
    """The last chosen token of every text; -1 if none."""
    last = np.full(n, -1)
    np.maximum.at(last, token_text[chosen], np.flatnonzero(chosen))
    return last


@cache
def _kinds() -> npt.NDArray[np.uint8]:
    """The kind of every character of the basic multilingual plane."""
    kinds = np.full(_PLANE, OTHER, dtype=np.uint8)
    for code in range(_PLANE):
        character = chr(code)
        if character.isalpha():
            kinds[code] = ALPHA
        elif character.isspace():
            kinds[code] = WHITE
        elif character.isalnum() or character == "_":
            kinds[code] = JOINER
    kinds[ord("0") : ord("9") + 1] = DIGIT
    kinds[[ord(mark) for mark in _PUNCTUATION]] = PUNCTUATION
    return kinds
