"""An upper bound of a page's nesting depth from its tags alone, and the page with limited nesting.

The depth counted here is never below that of an HTML5 tree builder: every start tag counts as an
open element, and an end tag closes one only if that is certain, which means that the last open
element has its name (apart from elements with optional end tags). Invalid pages count as deeper
than
they are; the budget in corpus_commons.markup.tame is large enough for them.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from corpus_commons.markup.tags import BLOCK_LEVEL, FORMATTING, VOID
from corpus_commons.markup.tokens import (
    ATTRIBUTE,
    PLAIN_CONTENT,
    RAW_TEXT,
    START_TAG,
    TOKEN,
    closes_itself,
    end_of_raw_text,
    reads_the_same,
)

if TYPE_CHECKING:
    import re


def _names(names: str) -> frozenset[bytes]:
    return frozenset(names.encode().split())


# Inside these, text may be parsed as markup, and markup may be ignored.
_UNSURE = _names("svg math select frameset")
_FOREIGN = _names("svg math")
# Elements in svg and math that contain HTML: reconstructed formatting may make their end tag fail.
_INTEGRATION = _names("annotation-xml desc foreignobject mi mn mo ms mtext title")
_VOID = frozenset(name.encode() for name in VOID | {"image", "frame"})
# These end svg and math, so they never nest there.
_VOID_EVERYWHERE = _names("br embed hr img meta")
# Start tags that end svg and math (section 13.2.6.5).
_ENDING_FOREIGN = _VOID_EVERYWHERE | _names(
    "b big blockquote body center code dd div dl dt em font h1 h2 h3 h4 h5 h6 head i li listing "
    "menu nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"
)
_SINGLE = _names("html body head")
_FORMATTING = frozenset(name.encode() for name in FORMATTING)
_BLOCK_LEVEL = frozenset(name.encode() for name in BLOCK_LEVEL)
# Elements that the start tag closes if they are on top of the stack.
_CLOSED_BY_START = {
    b"p": _names("p"),
    b"li": _names("li"),
    b"dd": _names("dd dt"),
    b"dt": _names("dd dt"),
    b"option": _names("option"),
    b"td": _names("td th"),
    b"th": _names("td th"),
    b"tr": _names("td th tr"),
}
_NESTING_IN_FOREIGN = _names("option td th tr")
# Elements that the end tag closes, too, if they are on top of its element on the stack.
_LISTS = {name: _names("li p") for name in _names("ol ul menu dir")}
_CLOSED_BY_END = (
    _LISTS
    | {name: _names("p") for name in _names("div section article td th li dd dt blockquote")}
    | {
        b"dl": _names("dd dt p"),
        b"ruby": _names("rb rp rt rtc"),
        b"select": _names("option optgroup"),
        b"optgroup": _names("option"),
        b"table": _names("td th tr tbody thead tfoot p"),
        b"tbody": _names("td th tr p"),
        b"thead": _names("td th tr p"),
        b"tfoot": _names("td th tr p"),
        b"tr": _names("td th p"),
    }
)
# The most equal formatting elements that are reconstructed (the "Noah's Ark clause").
EQUAL_FORMATTING = 3
# Later <html> and <body> tags add their attributes to the first.
_MAX_SINGLE = 16
_ONE_AT_A_TIME = _names("a nobr")
_NO_NAMES: frozenset[bytes] = frozenset()


@dataclass(frozen=True, slots=True)
class Caps:
    """The limits.

    depth: of open elements.
    formatting: of formatting elements that may be reconstructed.
    attributes: per tag.
    work, rebuilt: reading stops when Nesting's counts exceed these.
    """

    depth: int = sys.maxsize
    formatting: int = sys.maxsize
    attributes: int = sys.maxsize
    work: int = sys.maxsize
    rebuilt: int = sys.maxsize


class Nesting:
    """One reading of a page (UTF-8).

    work: the number of open elements, summed over all tags, which is the cost of building the tree.
    rebuilt: the number of elements that reconstructing formatting may add.
    page: the page without the tags that exceed the caps.
    """

    def __init__(self, page: bytes, caps: Caps) -> None:
        self.work = self.rebuilt = 0
        self._source = page
        self._caps = caps
        # The open elements: names, keys of formatting elements, whether their tags are dropped.
        self._stack: list[bytes] = []
        self._keys: list[bytes] = []
        self._dropped: list[bool] = []
        # How many of them are in _UNSURE, in svg or math, and in _INTEGRATION.
        self._unsure = self._foreign = self._integration = 0
        # Whether nothing in the current svg or math can have ended it or is HTML.
        self._is_pure = True
        # Whether the tree is certain so far.
        self._is_sure = True
        self._depth = self._singles = self._active = 0
        self._formatting: Counter[bytes] = Counter()
        self._pieces: list[bytes] = []
        self._copied = 0
        self._read()
        self._pieces.append(page[self._copied :])
        self.page = b"".join(self._pieces)

    @property
    def is_too_much(self) -> bool:
        """Whether reading stopped early."""
        return self.work > self._caps.work or self.rebuilt > self._caps.rebuilt

    def _read(self) -> None:
        source, stack, search = self._source, self._stack, TOKEN.search
        long = 2 * self._caps.attributes
        position: int | None = 0
        while position is not None and (token := search(source, position)):
            start, position = token.span()
            tag_name = token[2]
            if tag_name is None:
                if self._foreign and not reads_the_same(token.group()):
                    self._is_sure = False
                    break
                continue
            name = tag_name.lower()
            self.work += len(stack)
            if name not in _FORMATTING:
                self.rebuilt += self._active
            if self.is_too_much:
                return
            if token[1]:
                self._end(token, name)
                continue
            end = position
            position = self._start(token, name)
            if end - start > long and self._copied <= start:
                self._cap_attributes(token)
            if not self._is_sure:
                break
        if position is not None and not self._is_sure:
            self._read_starts(position)

    def _read_starts(self, position: int) -> None:
        """The tree is uncertain from here on: count all start tags and ignore end tags."""
        for token in START_TAG.finditer(self._source, position):
            name = token[1].lower()
            self.work += self._depth
            self.rebuilt += self._active
            if self.is_too_much:
                return
            if name in _VOID_EVERYWHERE:
                continue
            if self._depth >= self._caps.depth:
                # "<b" becomes "<!", a comment.
                self._drop(token.start() + 1, token.end(), name, b"!")
            else:
                self._depth += 1
                if name in _FORMATTING and not (name in _ONE_AT_A_TIME and self._formatting[name]):
                    self._formatting[name] += 1
                    self._active += 1

    def _start(self, token: re.Match[bytes], name: bytes) -> int | None:
        """Read a start tag; returns where to read on, None if no more tags follow."""
        position = token.end()
        foreign = self._foreign > 0
        if foreign and name in _ENDING_FOREIGN:
            self._is_pure = False
        if name in _VOID and (not foreign or name in _VOID_EVERYWHERE):
            return position
        if name in _SINGLE and self._is_no_element(token, name):
            return position
        if name == b"plaintext" and not self._unsure:
            return None
        is_closed = closes_itself(token[3])
        if name in RAW_TEXT:
            if not self._unsure:
                return end_of_raw_text(self._source, name, position)
            position = self._end_of_unsure_text(name, position, is_closed)
        elif is_closed and (name in _FOREIGN or (foreign and self._is_pure)):
            return position
        if self._is_sure:
            self._open(token, name, foreign)
        return position

    def _is_no_element(self, token: re.Match[bytes], name: bytes) -> bool:
        """Whether the tag only adds attributes to an element; those beyond the cap are dropped."""
        self._singles += bool(token[3].strip())
        if self._singles > _MAX_SINGLE:
            self._drop(token.start(), token.end(), b"")
            return True
        return name != b"html" or not self._foreign

    def _end_of_unsure_text(self, name: bytes, position: int, is_closed: bool) -> int:
        """The same if the content may be raw text or markup; afterwards, all may be uncertain."""
        content = PLAIN_CONTENT.match(self._source, position)
        if is_closed or content is None or content[1].lower() != name:
            self._is_sure = False
            return position
        return content.start(1) - 2

    def _open(self, token: re.Match[bytes], name: bytes, foreign: bool) -> None:
        stack = self._stack
        closed = _CLOSED_BY_START.get(name, _NO_NAMES)
        if closed and not (foreign and name in _NESTING_IN_FOREIGN):
            while stack and stack[-1] in closed:
                self._pop()
        key = b""
        dropped = self._depth >= self._caps.depth
        if name in _FORMATTING and not dropped:
            # At most one link is open; other elements are distinguished by their attributes.
            key = name if name in _ONE_AT_A_TIME else token.group().lower()
            is_new = self._formatting[key] < _most_open(name)
            dropped = is_new and self._active >= self._caps.formatting
            self._active += is_new and not dropped
        if dropped:
            key = b""
            self._drop(token.start(), token.end(), name)
        elif key:
            self._formatting[key] += 1
        stack.append(name)
        self._keys.append(key)
        self._dropped.append(dropped)
        if not dropped:
            self._count(name, 1)

    def _end(self, token: re.Match[bytes], name: bytes) -> None:
        if self._foreign and name in (b"p", b"br"):
            self._is_pure = False
        stack = self._stack
        top = len(stack) - 1
        passed = _CLOSED_BY_END.get(name, _NO_NAMES)
        while top >= 0 and stack[top] in passed and stack[top] != name:
            top -= 1
        if top < 0 or stack[top] != name:
            return
        if name in _INTEGRATION and self._active:
            return
        if self._dropped[top]:
            self._drop(token.start(), token.end(), name)
        while len(stack) > top:
            self._pop()

    def _pop(self) -> None:
        name, key = self._stack.pop(), self._keys.pop()
        if not self._dropped.pop():
            self._count(name, -1)
        if key:
            self._formatting[key] -= 1
            self._active -= self._formatting[key] < _most_open(name)

    def _count(self, name: bytes, change: int) -> None:
        self._depth += change
        if name not in _UNSURE and name not in _INTEGRATION:
            return
        self._unsure += change * (name in _UNSURE)
        self._foreign += change * (name in _FOREIGN)
        self._integration += change * (name in _INTEGRATION)
        if self._foreign == 0:
            self._is_pure = True
        elif self._integration or self._foreign < self._unsure:
            self._is_pure = False

    def _cap_attributes(self, token: re.Match[bytes]) -> None:
        start, end = token.span(3)
        attributes = ATTRIBUTE.finditer(self._source, start, end)
        beyond = next(islice(attributes, self._caps.attributes, None), None)
        if beyond is not None:
            self._drop(beyond.start(), end, b"")

    def _drop(self, start: int, end: int, name: bytes, instead: bytes = b"") -> None:
        """Remove a tag; one that would have begun a line is replaced by an empty line."""
        before = self._source[self._copied : start]
        self._pieces.append(before)
        if name in _BLOCK_LEVEL and not self._unsure and before.strip():
            instead = b"<br><br>"
        self._pieces.append(instead)
        self._copied = end


def _most_open(formatting: bytes) -> int:
    return 1 if formatting in _ONE_AT_A_TIME else EQUAL_FORMATTING
