"""What a page says outside its furniture, and what it consists of besides."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

import numpy as np

from corpus_commons.empty_pages.phrases import normalised
from corpus_commons.markup.dom import Dom
from corpus_commons.markup.tree import BoolArray
from corpus_commons.markup.words import count_words

# Page furniture, which pages without content have, too. A header or footer in one of the sections
# is not that of the page (https://www.w3.org/TR/html-aam-1.0/#el-header).
_OF_PAGE: Final = frozenset({"header", "footer"})
_SECTIONS: Final = frozenset({"article", "aside", "main", "section"})
_FURNITURE_ROLES: Final = frozenset({"banner", "navigation", "contentinfo"})
_NOT_READ: Final = frozenset({"nav", "select", "textarea"})
_SCRIPT_TYPE = re.compile(r"^(?:module|(?:text|application)/(?:x-)?(?:java|ecma)script.*)?$", re.I)
# A page that says more outside its furniture and its links has content.
_MOST_CHARACTERS: Final = 2_500
# So has one with more text in links, which would take long to judge, too.
_MOST_LINKED: Final = 30_000
# A longer <noscript> is the content itself, as in forum software.
_NOTICE_CHARACTERS: Final = 500
# A page whose first headings are blank, so many of them, has none.
_HEADINGS: Final = 20
_LONGEST_HEADING: Final = 300
# Longer scripts are programs; those that tell what a page is for are short.
_LONGEST_SCRIPT: Final = 20_000
_TELLING: Final = ("id", "class", "name", "src", "action", "href", "content")


class PageText:
    """The text of a page, in characters without the white space at the ends of its nodes.

    rendered: whether scripts have run on the page.
    """

    def __init__(self, dom: Dom, *, rendered: bool = False) -> None:
        self.dom = dom
        self.rendered = rendered

    @cached_property
    def content(self) -> BoolArray:
        """The text nodes outside the furniture."""
        dom = self.dom
        roles = dom.attribute("role").where(lambda role: role.lower() in _FURNITURE_ROLES)
        return self._between & ~dom.covered(roles)

    @cached_property
    def said(self) -> BoolArray:
        """The text nodes outside the furniture and outside links."""
        return self.content & (self.dom.links < 0)

    @property
    def is_long(self) -> bool:
        """Whether it says more than pages without content do; quick, because most pages do."""
        between = self._between
        said = self._length(between & (self.dom.links < 0))
        return said > _MOST_CHARACTERS or self._length(between) > _MOST_LINKED

    @cached_property
    def characters(self) -> int:
        """Of all text."""
        return self._length(self._shown)

    @cached_property
    def content_characters(self) -> int:
        """Of the text outside the furniture."""
        return self._length(self.content)

    @cached_property
    def furniture_characters(self) -> int:
        """Of the text in the furniture that is in no link."""
        return self._length(self._shown & ~self.content & (self.dom.links < 0))

    @cached_property
    def text(self) -> str:
        """The text outside the furniture."""
        return self.text_of(self.content)

    @cached_property
    def normalised(self) -> str:
        return normalised(self.text)

    @cached_property
    def words(self) -> int:
        """Of the text outside the furniture that is in no link."""
        return self.words_of(self.said)

    @cached_property
    def all_words(self) -> int:
        """Of all text."""
        return self.words_of(self._shown)

    @cached_property
    def title(self) -> str:
        return self._text_at("title", self.dom.is_text)

    @cached_property
    def headings(self) -> tuple[str, ...]:
        """The title, and the first heading of the highest level."""
        first = (self._text_at(tag, self._shown) for tag in ("h1", "h2", "h3"))
        heading = next(filter(None, first), "")
        return tuple(filter(None, (self.title, heading)))

    @cached_property
    def has_scripts(self) -> bool:
        """Whether the page has scripts that a browser would run."""
        dom = self.dom
        types = (dom.attributes[node].get("type") or "" for node in dom.elements("script").tolist())
        return any(_SCRIPT_TYPE.match(kind.strip()) for kind in types)

    @cached_property
    def may_be_filled(self) -> bool:
        """Whether a browser may show more: it runs scripts, and shows frames."""
        has_frames = any(len(self.dom.elements(tag)) for tag in ("iframe", "frame"))
        return not self.rendered and (self.has_scripts or has_frames)

    @cached_property
    def has_links(self) -> bool:
        """Whether there is a link outside the furniture."""
        return bool((self.content & (self.dom.links >= 0)).any())

    @cached_property
    def asks_for_password(self) -> bool:
        """Whether there is a visible field for a password."""
        fields = self.dom.attribute("type").where(lambda kind: kind.lower() == "password")
        return bool(self.dom.visible[fields].any())

    @cached_property
    def asks_for_text(self) -> bool:
        """Whether there is a field for several lines, as for a message or a comment."""
        fields = self.dom.elements("textarea")
        return bool(self.dom.visible[fields].any())

    @cached_property
    def marks(self) -> str:
        """The names and addresses in the markup, and short scripts, in lower case."""
        dom = self.dom
        values = [value for name in _TELLING for value in dom.attribute(name).values]
        scripts = [
            text
            for script in dom.elements("script").tolist()
            for text in dom.texts[script + 1 : dom.ends[script]]
            if len(text) < _LONGEST_SCRIPT
        ]
        return "\n".join((*values, *scripts)).lower()

    def words_of(self, nodes: BoolArray) -> int:
        return count_words(self.text_of(nodes))

    def text_of(self, nodes: BoolArray) -> str:
        texts = self.dom.texts
        return " ".join(
            word for node in np.flatnonzero(nodes).tolist() for word in texts[node].split()
        )

    @cached_property
    def notice(self) -> str:
        """The text of ``<noscript>``, if it is short and nobody has seen it."""
        return "" if self.rendered or self._is_said_anyway else self.text_of(self._noscript)

    @cached_property
    def _written(self) -> BoolArray:
        """Text that some style may show: what is hidden may be shown by a script or a click."""
        return self.dom.has_text & ~self.dom.covered(np.flatnonzero(self.dom.unseen))

    @cached_property
    def _noscript(self) -> BoolArray:
        return self._written & self.dom.covered(self.dom.elements("noscript"))

    @cached_property
    def _is_said_anyway(self) -> bool:
        return self._length(self._noscript) > _NOTICE_CHARACTERS

    @cached_property
    def _shown(self) -> BoolArray:
        """What is written, with <noscript> only if that is the content."""
        if self._is_said_anyway and not self.rendered:
            return self._written
        return self._written & ~self._noscript

    @cached_property
    def _between(self) -> BoolArray:
        """The text nodes outside the elements of furniture."""
        dom = self.dom
        of_page = dom.has_tag(_OF_PAGE)
        if of_page.any():
            of_page &= ~dom.covered(np.flatnonzero(dom.has_tag(_SECTIONS)))
        return self._shown & ~dom.covered(np.flatnonzero(of_page | dom.has_tag(_NOT_READ)))

    def _length(self, nodes: BoolArray) -> int:
        return int(self.dom.lengths[nodes].sum())

    def _text_at(self, tag: str, shown: BoolArray) -> str:
        dom = self.dom
        for node in dom.elements(tag)[:_HEADINGS].tolist():
            inside = np.arange(node, dom.ends[node])
            text = " ".join(" ".join(dom.texts[one] for one in inside[shown[inside]]).split())
            if text:
                return text[:_LONGEST_HEADING]
        return ""
