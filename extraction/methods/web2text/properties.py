"""Counts and binary properties of the text of every block, and their totals for every branch.

A branch spans consecutive leaves, so its totals are differences of a cumulative sum.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.dom import Dom
from corpus_commons.markup.measures import WORD
from extraction.methods.web2text.cdom import CollapsedDom

FloatArray = npt.NDArray[np.float64]

_STOPWORDS = frozenset(
    # articles, pronouns, determiners
    "a an the i me my mine myself you your yours yourself yourselves he him his himself she her "
    "hers herself it its itself we us our ours ourselves they them their theirs themselves this "
    "that these those who whom whose which what all any both each few more most other some such "
    # auxiliaries
    "am is are was were be been being have has had having do does did doing can cannot could may "
    "might must shall should will would ought "
    # prepositions
    "about above across after against along among around at before behind below beneath beside "
    "between beyond by down during for from in into of off on onto out over per since through to "
    "toward towards under until up upon with within without "
    # conjunctions and adverbs
    "and as because but if nor or so than though unless when where while whether again also "
    "already even ever here how just never no not now once only own same still then there too "
    "very why yet".split()
)

_PUNCTUATION = re.compile(r"[.,?;:!]")
_ENDINGS = tuple(".,?;:!")
_DIGIT = re.compile(r"\d")
_SENTENCE_BREAK = re.compile(r"[.?!;]\s+(\w)")
_EMAIL = re.compile(r"\w@\w")
_URL = re.compile(r"\b(?:https?|ftp)://[^\s/$.?#]\S", re.I)
_YEAR = re.compile(r"\b\d{4}\b")


@dataclass(frozen=True, eq=False)
class Properties:
    """Properties of the text of some nodes; every array has one entry per node.

    Counts: characters (at least 1 per leaf), words, letters (the total length of the words),
    stopwords, capitals (words with a capital), punctuation, digits, sentences, linked (characters
    in links). Binary, 0 or 1: copyright, email, url, year, inputs (form fields); final_punctuation
    and final_question, of the last leaf. start, end: the node's position in the page's markup,
    scaled so that the first leaf starts at 0 and the last one ends at 1.
    """

    characters: FloatArray
    words: FloatArray
    letters: FloatArray
    stopwords: FloatArray
    capitals: FloatArray
    punctuation: FloatArray
    digits: FloatArray
    sentences: FloatArray
    linked: FloatArray
    copyright: FloatArray
    email: FloatArray
    url: FloatArray
    year: FloatArray
    inputs: FloatArray
    final_punctuation: FloatArray
    final_question: FloatArray
    start: FloatArray
    end: FloatArray


def leaf_properties(cdom: CollapsedDom) -> Properties:
    """The properties of every leaf."""
    rows = [_count(text) for text in cdom.texts]
    table = np.array(rows, dtype=np.float64).reshape(len(rows), len(_COLUMNS))
    columns = dict(zip(_COLUMNS, table.T, strict=True))
    start, end = _positions(cdom)
    return Properties(
        **columns,
        linked=np.where(cdom.dom.links[cdom.leaves] >= 0, columns["characters"], 0.0),
        inputs=np.zeros(len(rows)),
        start=start,
        end=end,
    )


def branch_properties(cdom: CollapsedDom, leaves: Properties) -> Properties:
    """The properties of every branch, computed from those of its leaves."""
    first, after_last = cdom.spans
    if not len(cdom.leaves):
        return Properties(**{field.name: np.zeros(len(first)) for field in fields(Properties)})

    def total(name: str) -> FloatArray:
        running = np.concatenate(([0.0], np.cumsum(getattr(leaves, name))))
        difference: FloatArray = running[after_last] - running[first]
        return difference

    last = after_last - 1
    is_input = cdom.dom.has_tag({"input"}).astype(np.int32)
    return Properties(
        **{name: total(name) for name in (*_COUNTED, "linked")},
        **{name: np.minimum(total(name), 1.0) for name in _SIGNS},
        inputs=np.minimum(cdom.dom.subtree_sums(is_input)[cdom.branches], 1.0),
        final_punctuation=leaves.final_punctuation[last],
        final_question=leaves.final_question[last],
        start=leaves.start[first],
        end=leaves.end[last],
    )


_COUNTED = (
    "characters",
    "words",
    "letters",
    "stopwords",
    "capitals",
    "punctuation",
    "digits",
    "sentences",
)
_SIGNS = ("copyright", "email", "url", "year")
_COLUMNS = (*_COUNTED, *_SIGNS, "final_punctuation", "final_question")


def _count(text: str) -> tuple[int, ...]:
    """One row of the table of leaves, in the order of _COLUMNS."""
    words = WORD.findall(text.replace("’", "'"))
    return (
        len(text),
        len(words),
        sum(map(len, words)),
        sum(map(_is_stopword, words)),
        sum(word[0].isupper() for word in words),
        len(_PUNCTUATION.findall(text)),
        len(_DIGIT.findall(text)),
        1 + sum(letter.isupper() for letter in _SENTENCE_BREAK.findall(text)),
        "©" in text,
        "@" in text and _EMAIL.search(text) is not None,
        "://" in text and _URL.search(text) is not None,
        _YEAR.search(text) is not None,
        text.endswith(_ENDINGS),
        text.endswith("?"),
    )


def _is_stopword(word: str) -> bool:
    """Whether it is in the list; contractions count by their first part.

    >>> _is_stopword("The"), _is_stopword("it's"), _is_stopword("page")
    (True, True, False)
    """
    return word.lower().partition("'")[0] in _STOPWORDS


def _positions(cdom: CollapsedDom) -> tuple[FloatArray, FloatArray]:
    """Where every leaf starts and ends, counted in characters of markup and scaled to [0, 1]."""
    if not len(cdom.leaves):
        return np.zeros(0), np.zeros(0)
    markup = np.cumsum(_markup_lengths(cdom.dom))
    end = markup[cdom.leaves]
    lengths = np.fromiter(map(len, cdom.texts), np.int64, len(cdom.leaves))
    start = end - lengths
    stretch = max(1, int(end[-1] - start[0]))
    return (start - start[0]) / stretch, (end - start[0]) / stretch


def _markup_lengths(dom: Dom) -> npt.NDArray[np.int64]:
    """The number of characters of every node in the page's source: of its text, or of its tags."""
    return np.fromiter(
        (
            len(text) or 2 * len(tag) + 5 + sum(len(k) + len(v or "") + 4 for k, v in attrs.items())
            for tag, text, attrs in zip(dom.tags, dom.texts, dom.attributes, strict=True)
        ),
        np.int64,
        len(dom),
    )
