"""The features of Victor's blocks as classes: one row per block, one column per feature.

Names and definitions follow Marek's thesis (chapter 4), Spousta et al. 2008 (section 3.2) and the
published implementation: markup-based (``container``, ``split``), content-based (``char``,
``token``, ``sentence``, ``regexp``, bullets, twins) and document-based (``document``,
``position``, the ``td`` and ``div`` groups).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Set
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.measures import shares
from corpus_commons.markup.tags import BLOCK_LEVEL, HEADINGS
from corpus_commons.markup.tree import BoolArray
from extraction.methods.victor.binning import Binning, Bins
from extraction.methods.victor.blocks import TextBlocks
from extraction.methods.victor.tokens import TextCounts, count

_CLASSES: dict[str, frozenset[str]] = {
    "class-bold": frozenset(("b", "strong")),
    "class-italic": frozenset(("i", "em", "cite", "dfn", "var", "address")),
    "class-headers": HEADINGS,
    "class-lists": frozenset(("ul", "ol", "dl", "li", "dt", "dd", "dir", "menu")),
    "class-forms": frozenset(
        ("form", "button", "fieldset", "input", "label", "legend", "option", "select", "textarea")
    ),
    "class-block": BLOCK_LEVEL,
}
_CONTAINER_TAGS = ("p", "a", "u", "font", "center", "div", "table", "td", "pre", "blockquote")
_CONTAINER_CLASSES = tuple(name for name in _CLASSES if name != "class-block")
_SPLIT_TAGS = ("p", "br", "hr", "a", "img", "td", "tr", "div", "li")
_GROUPS = ("td", "div")

_NOT_WORD = re.compile(r"\W+")
_URL = re.compile(r"(?:https?|ftp)://|www\.|\w@\w|\w\.(?:com|org|net)\b", re.I)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATE = re.compile(
    rf"\b\d{{1,4}}[./-]\d{{1,2}}[./-]\d{{1,4}}\b|\b{_MONTH}\s+\d{{1,4}}\b|\b\d{{1,2}}\.?\s+{_MONTH}",
    re.I,
)
_TIME = re.compile(
    r"\b\d{1,2}[:.]\d\d(?::\d\d)?\s*(?:[ap]\.?m\b|h\b)?|\b\d{1,2}\s*[ap]\.?m\b", re.I
)
_BULLET = re.compile(r"(?:(\d+)|([a-z]{1,4})|([A-Z]{1,4}))(?:(\.)|(\))|(/)|( -))|([•·*+o»›–—-]) ")


@dataclass(frozen=True, eq=False)
class Features:
    """The classes of every block.

    classes: (blocks, features), the class of every feature; 0 is "no" or the lowest bin.
    """

    names: tuple[str, ...]
    classes: npt.NDArray[np.int32]


def features(blocks: TextBlocks, binning: Binning) -> Features:
    """All features of every block of a page."""
    counts = count(blocks.texts)
    in_link = _inside(blocks, {"a"})
    columns: dict[str, npt.NDArray[np.int32]] = {"inside": np.ones(len(blocks), dtype=np.int32)}
    for part in (
        _content(counts, binning),
        _patterns(blocks),
        _twins(blocks, binning),
        _containers(blocks),
        _splits(blocks),
        _groups(blocks, counts, in_link, binning),
        _document(blocks, counts, binning),
    ):
        columns.update(part)
    return Features(tuple(columns), np.column_stack(list(columns.values())).astype(np.int32))


def _content(counts: TextCounts, binning: Binning) -> Iterator[tuple[str, Bins]]:
    yield "sentence.count", binning.count(counts.sentences)
    yield "sentence-not-started", counts.not_started.astype(np.int32)
    yield "sentence-not-finished", counts.not_finished.astype(np.int32)
    for name in ("alpha", "num", "mixed", "other"):
        tokens = getattr(counts, name)
        yield f"token.{name}-abs", binning.count(tokens)
        yield f"token.{name}-rel", binning.share(tokens, counts.tokens)
    for column, name in enumerate(("alpha", "num", "punct", "white", "other")):
        yield f"char.{name}-rel", binning.share(counts.kinds[:, column], counts.characters)
    yield "avg-word-length", binning.count(np.floor(shares(counts.letters, counts.alpha) + 0.5))
    yield "avg-word-run", binning.count(np.floor(shares(counts.tokens, counts.runs) + 0.5))


def _patterns(blocks: TextBlocks) -> Iterator[tuple[str, Bins]]:
    """Whether a block contains an address, a date or a time, or looks like a list item."""
    texts = blocks.texts
    with_digit = [any(map(str.isdigit, text)) for text in texts]
    for name, pattern, needs_digit in (
        ("url", _URL, False),
        ("date", _DATE, True),
        ("time", _TIME, True),
    ):
        yield (
            f"regexp.{name}",
            np.fromiter(
                (
                    (digit or not needs_digit) and pattern.search(text) is not None
                    for text, digit in zip(texts, with_digit, strict=True)
                ),
                np.int32,
                len(texts),
            ),
        )
    yield "looks-like-bullet", np.fromiter(map(_bullet, texts), np.int32, len(texts))


def _bullet(text: str) -> int:
    """The class of a bullet at the beginning: 0 none, 1 a sign, 2–13 a number with a delimiter."""
    found = _BULLET.match(text)
    if found is None:
        return 0
    groups = found.groups()
    if groups[7] is not None:
        return 1
    number = next(i for i in range(3) if groups[i] is not None)
    delimiter = next(i for i in range(4) if groups[3 + i] is not None)
    return 2 + 4 * number + delimiter


def _twins(blocks: TextBlocks, binning: Binning) -> Iterator[tuple[str, Bins]]:
    """How many blocks of the page have the same words, and whether this is the first of them."""
    keys = [_NOT_WORD.sub("-", text).strip("-") for text in blocks.texts]
    twins = Counter(keys)
    first = {key: i for i, key in reversed(list(enumerate(keys)))}
    yield "twins", binning.count(np.array([twins[key] - 1 for key in keys], dtype=np.int64))
    yield (
        "first-twin",
        np.array(
            [twins[key] > 1 and first[key] == i for i, key in enumerate(keys)], dtype=np.int32
        ),
    )


def _containers(blocks: TextBlocks) -> Iterator[tuple[str, Bins]]:
    for tag in _CONTAINER_TAGS:
        yield f"container.{tag}", _inside(blocks, {tag})
    for name in _CONTAINER_CLASSES:
        yield f"container.{name}", _inside(blocks, _CLASSES[name])


def _inside(blocks: TextBlocks, tags: Set[str]) -> Bins:
    """1 for blocks inside one of these elements."""
    dom = blocks.dom
    return dom.covered(np.flatnonzero(dom.has_tag(tags)))[blocks.nodes].astype(np.int32)


def _splits(blocks: TextBlocks) -> Iterator[tuple[str, Bins]]:
    """The number of start and end tags between a block and the previous one.

    Inline tags separate blocks just as block-level tags do, but mean something else.
    """
    few = Binning(logarithmic=4, base=2.0)
    for tag in _SPLIT_TAGS:
        yield f"split.{tag}", few.count(_split(blocks, blocks.dom.has_tag({tag})))
    by_class = {name: _split(blocks, blocks.dom.has_tag(tags)) for name, tags in _CLASSES.items()}
    for name, tags in by_class.items():
        yield f"split.{name}", few.count(tags)
    block_level = by_class["class-block"]
    inline = _split(blocks, ~blocks.dom.is_text) - block_level
    yield "split.class-inline", few.count(inline)
    yield "split.class-inline/class-block", few.count(inline) * 4 + few.count(block_level)


def _split(blocks: TextBlocks, elements: BoolArray) -> npt.NDArray[np.int64]:
    """For every block, the number of their tags since the previous block (or the beginning)."""
    return np.diff(blocks.tags_before(elements), prepend=0)


def _groups(
    blocks: TextBlocks, counts: TextCounts, in_link: Bins, binning: Binning
) -> Iterator[tuple[str, Bins]]:
    """The share of the page's words that are in the same ``td`` or ``div``, outside links."""
    words = np.where(in_link > 0, 0, counts.alpha)
    whole = int(counts.alpha.sum())
    for tag in _GROUPS:
        group_of = blocks.nearest(tag) + 1
        by_group = np.bincount(group_of, weights=words, minlength=1)
        by_block = binning.share(by_group, whole)[group_of]
        yield f"{tag}-group.word-rel", by_block
        largest = by_block.max(initial=0)
        yield f"document.max-{tag}-group", np.full(len(blocks), largest, dtype=np.int32)


def _document(
    blocks: TextBlocks, counts: TextCounts, binning: Binning
) -> Iterator[tuple[str, Bins]]:
    """The size of the page, the same for all its blocks, and the block's position in it."""
    n = len(blocks)
    for name, total in (
        ("word-count", counts.alpha.sum()),
        ("sentence-count", counts.sentences.sum()),
        ("block-count", n),
    ):
        yield f"document.{name}", np.repeat(binning.page_count(np.array([total])), n)
    yield "position", binning.share(np.arange(n), n)
