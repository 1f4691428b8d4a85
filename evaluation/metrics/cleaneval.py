"""CleanEval's scores: text only, text and markup, markup only, total.

Sources: Baroni et al., *Cleaneval: a Competition for Cleaning Web Pages* (LREC 2008), whose total
is the mean of a "text only" and a "text and markup" score, both from an edit distance over words;
and the script ``cleaneval.py`` by Stefan Evert (2008), which is the source of the normalisation
(the ``URL`` line is removed, words are separated by white space, case and punctuation are kept,
each ``<p>``, ``<h>``, ``<l>`` is a word) and of precision, recall and F1.

The edit distance counts inserted and deleted words, so F1 = 1 - distance / (words of both texts).
The script aligns with ``difflib``, a heuristic; here the shortest edit script is used, which never
keeps fewer words. The script's word scores correspond to ``text_and_markup``, except for an empty
word that it counts before a leading marker. The competition's own Perl program weights markup
differently and is not reimplemented here, so its published "text and markup" scores are only
roughly comparable.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

from evaluation.metrics.lcs import common_length
from evaluation.metrics.score import Score

# The shortest edit script takes one bit per pair of words: 256 MB.
MAX_ALIGNED_PAIRS = 2**31

_URL_LINE = re.compile(r"^[^\S\n]*URL.*$", re.MULTILINE)
_MARKER = re.compile(r"<[phl]>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CleanevalScore:
    """The scores of one page.

    text: of the words only.
    text_and_markup: of the words and the markers ``<p>``, ``<h>``, ``<l>`` in one sequence.
    markup: of the markers, matched by the alignment of that sequence.
    """

    text: Score
    text_and_markup: Score
    markup: Score

    @property
    def total(self) -> float:
        """The mean of the text-only and the text-and-markup F1."""
        return (self.text.f1 + self.text_and_markup.f1) / 2


def shortest_edit(predicted: Sequence[str], gold: Sequence[str]) -> list[int]:
    """Positions in ``predicted`` of the words that the shortest edit script keeps.

    Raises ValueError for more than MAX_ALIGNED_PAIRS pairs of words.
    """
    start = _common_prefix(predicted, gold)
    end = _common_prefix(predicted[start:][::-1], gold[start:][::-1])
    inner = predicted[start : len(predicted) - end]
    wanted = gold[start : len(gold) - end]
    if len(inner) * len(wanted) > MAX_ALIGNED_PAIRS:
        raise ValueError(f"too long to align: {len(inner)} words with {len(wanted)}")
    kept = [*range(start), *range(len(predicted) - end, len(predicted))]
    for step in LCSseq.opcodes(inner, wanted):
        if step.tag == "equal":
            kept.extend(range(start + step.src_start, start + step.src_end))
    return kept


def cleaneval(predicted: str, gold: str) -> Score:
    """The text-only score; any markers and ``URL`` line are ignored.

    Of five words predicted and four wanted, "a b d" is common:

    >>> cleaneval("a b x x d", "a b c d")
    Score(precision=0.6, recall=0.75, f1=0.6666666666666665)
    """
    predicted_words, gold_words = _words(predicted), _words(gold)
    common = common_length(predicted_words, gold_words)
    return Score.of_overlap(common, len(predicted_words), len(gold_words))


def cleaneval_tagged(predicted: str, gold: str) -> CleanevalScore:
    """All scores of a text in CleanEval's format; markers of different kinds do not match.

    Raises ValueError if the texts are too long to align.

    The header is missing and "Body" is marked ``<l>`` instead of ``<p>``:

    >>> score = cleaneval_tagged("<l>Body text.", "<h>Title <p>Body text.")
    >>> score.text.recall, score.text_and_markup.recall, score.markup.recall
    (0.6666666666666666, 0.4, 0.0)
    """
    predicted_text, gold_text = _words(predicted), _words(gold)
    predicted_all, gold_all = _words_and_markers(predicted), _words_and_markers(gold)
    common_text = len(shortest_edit(predicted_text, gold_text))
    kept = [predicted_all[position] for position in shortest_edit(predicted_all, gold_all)]
    return CleanevalScore(
        text=Score.of_overlap(common_text, len(predicted_text), len(gold_text)),
        text_and_markup=Score.of_overlap(len(kept), len(predicted_all), len(gold_all)),
        markup=Score.of_overlap(_markers(kept), _markers(predicted_all), _markers(gold_all)),
    )


def _words(text: str) -> list[str]:
    return _MARKER.sub(" ", _URL_LINE.sub("", text)).split()


def _words_and_markers(text: str) -> list[str]:
    return _MARKER.sub(lambda marker: f" {marker[0].lower()} ", _URL_LINE.sub("", text)).split()


def _markers(sequence: Sequence[str]) -> int:
    return sum(1 for word in sequence if _MARKER.fullmatch(word))


def _common_prefix(first: Sequence[str], second: Sequence[str]) -> int:
    pairs = zip(first, second, strict=False)
    return next(
        (place for place, (one, other) in enumerate(pairs) if one != other),
        min(len(first), len(second)),
    )
