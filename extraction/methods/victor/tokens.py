"""Counts of characters and tokens over many short texts at once.

The texts are concatenated into one array of characters, so that each count is a single numpy pass
for any number of texts. Tokens are those of Victor's ``Counts::Generic``: runs of word characters
and runs of other characters, split at white space.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.measures import Counts

# Kinds of character, and 0 between two texts; a token's kind is the sum of the kinds of its
# characters, as bits.
ALPHA, DIGIT, JOINER, PUNCTUATION, OTHER, WHITE = 1, 2, 4, 8, 16, 32
_WORD = ALPHA | DIGIT | JOINER
_SIGN = PUNCTUATION | OTHER
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
    lengths = np.fromiter(map(len, texts), np.int64, n)
    # A line feed ends every text, so that no token spans two.
    codes = np.frombuffer("\n".join([*texts, ""]).encode("utf-32-le", "surrogatepass"), np.uint32)
    kinds = np.where(codes < _PLANE, _kinds()[np.minimum(codes, _PLANE - 1)], OTHER)
    kinds[np.cumsum(lengths + 1) - 1] = 0
    text_of = np.repeat(np.arange(n), lengths + 1)
    tokens = _tokens(codes, kinds, text_of)
    is_alpha, is_num, is_mixed = (tokens.kinds == kind for kind in (ALPHA, DIGIT, ALPHA | DIGIT))
    is_token = tokens.kinds != PUNCTUATION
    is_end = np.isin(tokens.last_codes, _SENTENCE_END)

    def characters_of(kind: int) -> Counts:
        return np.bincount(text_of[(kinds & kind) != 0], minlength=n)

    def tokens_of(chosen: npt.NDArray[np.bool_]) -> Counts:
        return np.bincount(tokens.texts[chosen], minlength=n)

    by_kind = [characters_of(k) for k in (ALPHA, DIGIT, PUNCTUATION, WHITE, OTHER | JOINER)]
    letters = np.bincount(tokens.texts[is_alpha], tokens.lengths[is_alpha], minlength=n)
    return TextCounts(
        characters=lengths,
        kinds=np.column_stack(by_kind),
        alpha=tokens_of(is_alpha),
        num=tokens_of(is_num),
        mixed=tokens_of(is_mixed),
        other=tokens_of(is_token & ~is_alpha & ~is_num & ~is_mixed),
        tokens=tokens_of(is_token),
        letters=letters.astype(np.int64),
        runs=tokens_of(is_alpha & ~_follows_word(tokens, is_alpha)),
        sentences=tokens_of(is_end),
        not_started=_not_started(tokens, is_alpha, n),
        not_finished=_not_finished(tokens, is_alpha, is_end, n),
    )


class _Tokens(NamedTuple):
    """The tokens of all texts, also those that do not count.

    texts: the text that each is in. kinds, lengths: of its characters. first_codes, last_codes: its
    first and its last character.
    """

    texts: Counts
    kinds: npt.NDArray[np.uint8]
    lengths: Counts
    first_codes: npt.NDArray[np.uint32]
    last_codes: npt.NDArray[np.uint32]


def _tokens(
    codes: npt.NDArray[np.uint32], kinds: npt.NDArray[np.uint8], text_of: Counts
) -> _Tokens:
    """The runs of word characters and of signs."""
    group = np.where(kinds & _WORD, 1, np.where(kinds & _SIGN, 2, 0))
    runs = np.flatnonzero(np.diff(group, prepend=0))
    run_kinds = np.bitwise_or.reduceat(kinds, runs) if len(runs) else kinds[:0]
    is_token = group[runs] != 0
    starts, stops = runs[is_token], np.append(runs[1:], len(codes))[: len(runs)][is_token]
    return _Tokens(
        text_of[starts], run_kinds[is_token], stops - starts, codes[starts], codes[stops - 1]
    )


def _follows_word(tokens: _Tokens, is_word: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Whether the token before, in the same text, is a word."""
    follows = np.zeros(len(is_word), dtype=np.bool_)
    follows[1:] = is_word[:-1] & (tokens.texts[1:] == tokens.texts[:-1])
    return follows


def _not_started(tokens: _Tokens, is_word: npt.NDArray[np.bool_], n: int) -> npt.NDArray[np.bool_]:
    with_word, firsts = np.unique(tokens.texts[is_word], return_index=True)
    not_started = np.ones(n, dtype=np.bool_)
    not_started[with_word] = [
        not chr(code).isupper() for code in tokens.first_codes[is_word][firsts].tolist()
    ]
    return not_started


def _not_finished(
    tokens: _Tokens, is_word: npt.NDArray[np.bool_], is_end: npt.NDArray[np.bool_], n: int
) -> npt.NDArray[np.bool_]:
    last_word, last_end = (_last(tokens.texts, chosen, n) for chosen in (is_word, is_end))
    return (last_word < 0) | (last_end < last_word)


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
