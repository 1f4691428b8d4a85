"""Makes hostile markup safe for an HTML5 tree builder.

The tree-building algorithm has no bounds: a tag costs time in proportion to the open elements
around it, an attribute in proportion to the attributes before it, and formatting elements left
open are built again in every later paragraph, so a page of a few hundred kilobytes can ask for
hours and gigabytes. Browsers cap the depth of the tree (Chromium: 512) by building deeper elements
as siblings; we do the same, before parsing, where the work goes beyond a budget that ordinary
pages stay far below. All other pages are returned as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from functools import cached_property
from itertools import repeat

import numpy as np
import numpy.typing as npt

from markup.error import MarkupError
from markup.nesting import EQUAL_FORMATTING, Caps, Nesting
from markup.tags import FORMATTING
from markup.tokens import ATTRIBUTE, TOKEN

# The budgets: open elements summed over all tags, elements added by formatting, and comparisons
# of attribute names; each is about a second of work.
MAX_WORK = 100_000_000
MAX_REBUILT = 1_000_000
MAX_COMPARISONS = 500_000_000
MAX_SINGLES = 16
# A name is looked up among all that are not HTML's own, in lists that grow with their number.
MAX_NAMES = 30_000
# Beyond this, capping is worth its while without asking.
MANY_TAGS = 500_000

_LOWER_CASE = 0x20


def _beginning_like(names: Set[str]) -> npt.NDArray[np.bool_]:
    """For every two letters, whether a name among these begins with them."""
    table = np.zeros(2**16, dtype=np.bool_)
    for name in names:
        for second in name[1:2] or "".join(map(chr, range(256))):
            table[ord(name[0]) << 8 | ord(second) | _LOWER_CASE] = True
    return table


_IS_FORMATTING = _beginning_like(FORMATTING - {"a"})
# Where a name begins: after white space, after a slash, after a value in quotes.
_MAY_PRECEDE_NAME = np.isin(np.arange(256), np.frombuffer(b"\t\n\f\r /\"'", np.uint8))
_BYTES_A_NAME = 8
_IS_SINGLE = _beginning_like({"html", "body"})

# Tried one after another, until the work is within the budgets.
_STAGES = (
    Caps(attributes=2_000, work=MAX_WORK, rebuilt=MAX_REBUILT),
    Caps(depth=512, formatting=64, attributes=2_000, rebuilt=MAX_REBUILT),
    Caps(depth=512, formatting=0, attributes=2_000),
)


def tame(page: bytes) -> bytes:
    """``page`` (UTF-8) with nesting, open formatting and attributes capped.

    A harmless page comes back unchanged. Raises MarkupError for a page with more than
    MAX_NAMES different names.
    """
    survey = _Survey(page)
    if not survey.nesting_is_harmless:
        survey = _Survey(_capped(page, survey.start_tags))
    if not survey.has_few_names and _has_too_many_names(survey.page):
        raise MarkupError(
            f"the page has more than {MAX_NAMES:,} different names of tags and attributes"
        )
    return survey.page


def count_start_tags(page: bytes) -> int:
    """How many start tags the page may have; text that looks like one counts too."""
    return _Survey(page).start_tags


def _capped(page: bytes, start_tags: int) -> bytes:
    stages = _STAGES[1:] if start_tags > MANY_TAGS else _STAGES
    for caps in stages:
        reading = Nesting(page, caps)
        if not reading.is_too_much:
            break
    return reading.page


def _has_too_many_names(page: bytes) -> bool:
    names: set[bytes] = set()
    for tag in TOKEN.finditer(page):
        if tag[2]:
            names.add(tag[2])
            names.update(ATTRIBUTE.findall(tag[3]))
        if len(names) > MAX_NAMES:
            return True
    return False


class _Survey:
    """A quick look at a page: upper bounds on what its tags can ask for, in any reading."""

    def __init__(self, page: bytes) -> None:
        self.page = page
        self._data = np.frombuffer(page + b"  ", np.uint8)
        openings = np.flatnonzero(self._data == ord("<"))
        letters = self._data[openings + 1] | _LOWER_CASE
        self._starts = openings[(letters >= ord("a")) & (letters <= ord("z"))]
        self.start_tags = len(self._starts)

    @property
    def nesting_is_harmless(self) -> bool:
        return (
            self.start_tags**2 <= 2 * MAX_WORK
            and int(_IS_SINGLE[self._two_letters].sum()) <= MAX_SINGLES
            and self._formatting_is_cheap
            and self._attributes_are_cheap
        )

    @property
    def has_few_names(self) -> bool:
        """Whether the names of tags and attributes are few; each may be a different one."""
        if self.page.count(b"</") > MAX_NAMES:
            return False
        length = int(self._lengths.sum())
        if not _BYTES_A_NAME * MAX_NAMES < length <= len(self.page):
            return length <= len(self.page)
        ends = (self._starts + self._lengths).tolist()
        tags = b">".join(map(self.page.__getitem__, map(slice, self._starts.tolist(), ends)))
        after = _MAY_PRECEDE_NAME[np.frombuffer(tags, np.uint8)]
        return int((after[:-1] & ~after[1:]).sum()) <= 2 * MAX_NAMES

    @property
    def _formatting_is_cheap(self) -> bool:
        """Whether few elements are added even if all formatting is left open.

        Of all links one is open at most, and of equal elements three.
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
        """Whether comparing all attribute names of each tag is.

        An attribute takes two bytes at least, and a ``>`` inside a tag has an ``=`` before it.
        """
        return (
            self.page.count(b"=") ** 2 <= 2 * MAX_COMPARISONS
            and int((self._lengths**2).sum()) <= 8 * MAX_COMPARISONS
        )

    @cached_property
    def _two_letters(self) -> npt.NDArray[np.integer]:
        """The first two letters of every tag's name as one number."""
        first = self._data[self._starts + 1] | _LOWER_CASE
        second = self._data[self._starts + 2] | _LOWER_CASE
        return first.astype(np.uint16) << 8 | second

    @cached_property
    def _lengths(self) -> npt.NDArray[np.intp]:
        """Bytes from the start of every tag to the next ``>``."""
        closings = np.append(np.flatnonzero(self._data == ord(">")), len(self.page))
        return closings[np.searchsorted(closings, self._starts)] - self._starts
