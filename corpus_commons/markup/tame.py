"""Makes hostile markup safe for an HTML5 tree builder.

The tree-building algorithm is not bounded: the cost of a tag is proportional to the number of open
elements, that of an attribute to the number of attributes before it, that of an option (in lexbor)
to the size of its list, and formatting elements left open are reconstructed in every later
paragraph. So a page of a few hundred kilobytes can take hours and gigabytes. Browsers limit the
depth of the tree (Chromium: 512) by making deeper elements siblings. We do the same before parsing,
but only if the work exceeds a budget that ordinary pages stay far below. All other pages are
returned unchanged.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Set
from functools import cached_property
from itertools import repeat

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.error import MarkupError
from corpus_commons.markup.nesting import EQUAL_FORMATTING, Caps, Nesting
from corpus_commons.markup.tags import FORMATTING
from corpus_commons.markup.tokens import ATTRIBUTE, QUOTE_AFTER_SPACE, TOKEN

# The budgets: open elements summed over all tags, elements added by formatting, comparisons of
# attribute names, and tags summed over all options; each allows about a second of work.
MAX_WORK = 100_000_000
MAX_REBUILT = 1_000_000
MAX_COMPARISONS = 500_000_000
MAX_CHOICES = 50_000_000
MAX_SINGLES = 16
# Names that are not HTML's own are looked up in lists, whose length grows with their number.
MAX_NAMES = 30_000
# With more tags, a page is capped without checking whether it is necessary.
MANY_TAGS = 500_000

_LOWER_CASE = 0x20
_GAPS = b"\t\n\f\r /"
_QUOTES = b"\"'"
# What may follow a tag's name; checked for names of one letter.
_AFTER_TAG_NAME = _GAPS + b">"


def _beginning_like(names: Set[str]) -> npt.NDArray[np.bool_]:
    """For every pair of letters, whether any of these names begins with it."""
    table = np.zeros(2**16, dtype=np.bool_)
    for name in names:
        for second in name[1:2].encode() or _AFTER_TAG_NAME:
            table[ord(name[0]) << 8 | second | _LOWER_CASE] = True
    return table


_IS_FORMATTING = _beginning_like(FORMATTING - {"a"})
_SELECT = re.compile(rb"<select(?=[\t\n\f\r />])", re.I)
_OPTION = re.compile(rb"<option(?=[\t\n\f\r />])", re.I)
_IS_OPTION = _beginning_like({"option"})
_IS_SINGLE = _beginning_like({"html", "body"})
# Classes of bytes that delimit attributes.
_GAP, _QUOTE, _END = 1, 2, 3
_KINDS = bytes(
    _GAP if byte in _GAPS else _QUOTE if byte in _QUOTES else _END if byte == ord(">") else 0
    for byte in range(256)
)
_KIND_OF_BYTE = np.frombuffer(_KINDS, np.uint8)

# Tried one after another, until the work is within the budgets.
_STAGES = (
    Caps(attributes=2_000, work=MAX_WORK, rebuilt=MAX_REBUILT),
    Caps(depth=512, formatting=64, attributes=2_000, rebuilt=MAX_REBUILT),
    Caps(depth=512, formatting=0, attributes=2_000),
)


def tame(page: bytes) -> bytes:
    """``page`` (UTF-8) with limited nesting, open formatting, attributes and options.

    A harmless page is returned unchanged. Raises MarkupError for a page with more than MAX_NAMES
    different names.
    """
    survey = _Survey(page)
    if not survey.options_are_cheap:
        survey = _Survey(_with_few_options(page))
    if not survey.nesting_is_harmless:
        survey = _Survey(_capped(survey.page, survey.start_tags))
    if not survey.has_few_names and _has_too_many_names(survey.page):
        raise MarkupError(
            f"the page has more than {MAX_NAMES:,} different names of tags and attributes"
        )
    return survey.page


def count_start_tags(page: bytes) -> int:
    """An upper bound of the number of start tags; text that looks like one counts, too."""
    return _Survey(page).start_tags


def _with_few_options(page: bytes) -> bytes:
    """The page with the options beyond the budget turned into comments; their text is kept."""
    lists = _SELECT.search(page)
    options = [tag.start() for tag in _OPTION.finditer(page, lists.end())] if lists else []
    if lists is None or not options:
        return page
    held = page.count(b"<", lists.start(), options[-1])
    kept = MAX_CHOICES // held
    if len(options) <= kept:
        return page
    end = options[kept]
    return page[:end] + _OPTION.sub(b" <!option", page[end:])


def _capped(page: bytes, start_tags: int) -> bytes:
    stages = _STAGES[1:] if start_tags > MANY_TAGS else _STAGES
    for caps in stages:
        reading = Nesting(page, caps)
        if not reading.is_too_much:
            break
    return reading.page


def _has_too_many_names(page: bytes) -> bool:
    # Most tags occur many times.
    tags = set(TOKEN.findall(page))
    names = {name for _, name, _ in tags}
    for _, _, attributes in tags:
        names.update(ATTRIBUTE.findall(attributes))
        if len(names) > MAX_NAMES:
            return True
    return False


class _Survey:
    """A quick survey of a page: upper bounds of the cost of its tags, however it is parsed."""

    def __init__(self, page: bytes) -> None:
        self.page = page
        self._data = np.frombuffer(page + b"  ", np.uint8)
        openings = np.flatnonzero(self._data == ord("<"))
        following = self._data[openings + 1]
        letters = following | _LOWER_CASE
        is_start = (letters >= ord("a")) & (letters <= ord("z"))
        self._starts = openings[is_start]
        self._tags = openings[is_start | (following == ord("/"))]
        self.start_tags = len(self._starts)
        self.openings = len(openings)

    @property
    def nesting_is_harmless(self) -> bool:
        return (
            self.start_tags**2 <= 2 * MAX_WORK
            and int(_IS_SINGLE[self._two_letters].sum()) <= MAX_SINGLES
            and self._formatting_is_cheap
            and self._attributes_are_cheap
        )

    @property
    def options_are_cheap(self) -> bool:
        """Whether options are cheap even if each one's list is the whole page."""
        return int(_IS_OPTION[self._two_letters].sum()) * self.openings <= MAX_CHOICES

    @property
    def has_few_names(self) -> bool:
        """Whether the names of tags and attributes are few, even if all of them differ."""
        tags = len(self._tags)
        if tags + self._most_names <= MAX_NAMES:
            return True
        # A quoted value looks like a second name.
        return tags <= MAX_NAMES and int(self._names_in_tags.sum()) <= 2 * MAX_NAMES

    @property
    def _formatting_is_cheap(self) -> bool:
        """Whether few elements are added even if all formatting is left open.

        At most one link can be open, and at most three equal elements.
        """
        formatting = self._starts[_IS_FORMATTING[self._two_letters]].tolist()
        others = self.start_tags - len(formatting)
        if (len(formatting) + 1) * others <= 2 * MAX_REBUILT:
            return True
        tags = Counter(
            tag.group() for tag in map(TOKEN.match, repeat(self.page), formatting) if tag
        )
        left_open = sum(min(count, EQUAL_FORMATTING) for count in tags.values())
        return (left_open + 1) * others <= 2 * MAX_REBUILT

    @property
    def _attributes_are_cheap(self) -> bool:
        """Whether comparing all attribute names of each tag is cheap."""
        if self._most_names**2 <= 2 * MAX_COMPARISONS:
            return True
        return int((self._names_in_tags**2).sum()) <= 2 * MAX_COMPARISONS

    @cached_property
    def _two_letters(self) -> npt.NDArray[np.integer]:
        """The first two letters of every tag name as one number."""
        first = self._data[self._starts + 1] | _LOWER_CASE
        second = self._data[self._starts + 2] | _LOWER_CASE
        return first.astype(np.uint16) << 8 | second

    @cached_property
    def _most_names(self) -> int:
        return int(np.count_nonzero(self._begins_name))

    @property
    def _names(self) -> npt.NDArray[np.intp]:
        """Where attribute names may begin."""
        return np.flatnonzero(self._begins_name) + 1

    @cached_property
    def _begins_name(self) -> npt.NDArray[np.bool_]:
        """For every byte but the first, whether an attribute name may begin there."""
        kinds = np.frombuffer(self.page.translate(_KINDS), np.uint8)
        before, here = kinds[:-1], kinds[1:]
        # After white space, after a slash, or after a quoted value.
        may_begin = (before == _GAP) | (before == _QUOTE)
        begins: npt.NDArray[np.bool_] = may_begin & (here != _GAP) & (here != _END)
        return begins

    @property
    def _stretches(self) -> npt.NDArray[np.intp]:
        """Where the parts of the page end, each at a ``>``, but for the part after the last one.

        No tag extends beyond its part, because a ``>`` that may be in a quoted value ends none.
        """
        closings = np.flatnonzero(self._data == ord(">"))
        depth = np.zeros(len(closings) + 1, dtype=np.intp)
        opened = self._opening_quotes
        for quote in _QUOTES:
            places = np.append(np.flatnonzero(self._data == quote), len(self._data))
            opens = opened[self._data[opened] == quote]
            closes = places[np.searchsorted(places, opens) + 1]
            depth += np.bincount(np.searchsorted(closings, opens), minlength=len(depth))
            depth -= np.bincount(np.searchsorted(closings, closes), minlength=len(depth))
        return np.append(closings[np.cumsum(depth)[:-1] == 0], len(self._data))

    @property
    def _opening_quotes(self) -> npt.NDArray[np.intp]:
        """Where quoted values may begin."""
        following = np.flatnonzero(self._data == ord("=")) + 1
        quotes = following[_KIND_OF_BYTE[self._data[following]] == _QUOTE]
        after_space = [value.end() - 1 for value in QUOTE_AFTER_SPACE.finditer(self.page)]
        return np.concatenate((quotes, np.array(after_space, dtype=np.intp)))

    @cached_property
    def _names_in_tags(self) -> npt.NDArray[np.intp]:
        """For every part of the page with a tag, the attribute names after the start of its first.

        See ``_stretches``.
        """
        ends, names = self._stretches, self._names
        of_tags = np.searchsorted(ends, self._tags)
        is_first = np.diff(of_tags, prepend=-1) > 0
        firsts = np.searchsorted(names, self._tags[is_first], side="right")
        counts: npt.NDArray[np.intp] = np.searchsorted(names, ends[of_tags[is_first]]) - firsts
        return counts
