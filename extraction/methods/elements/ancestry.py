"""Features of an element's ancestors: their tag names, and the words of their class and id.

The words are hashed into buckets with CRC-32, which is the same in every process. The features are
propagated down the tree level by level, for all nodes at once.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, TypeVar
from zlib import crc32

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.dom import Dom
from corpus_commons.markup.tags import TEXT
from corpus_commons.markup.tree import IntArray

if TYPE_CHECKING:
    from collections.abc import Mapping

BUCKETS: Final = 1 << 15
# Longer attribute values are generated; their first words are enough.
_MAX_ATTRIBUTE: Final = 400
_MAX_WORDS: Final = 24

_WORD_START = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORD = re.compile(r"[a-z]{2,24}")

# Kinds of ancestor by tag name and by words in class, id and role, after Yunis's features
# is-descendant-of-comment, -cookie, -section … ; the first group matches by tag name only.
_GROUP_TAGS: Final[dict[str, str]] = {
    "article": "article",
    "main": "main",
    "section": "section",
    "nav": "nav menu",
    "aside": "aside",
    "header": "header",
    "footer": "footer",
    "form": "form fieldset select button",
    "table": "table",
    "list": "ul ol dl",
    "figure": "figure figcaption picture",
    "quote": "blockquote q",
    "code": "pre code",
    "link": "a",
}
_GROUP_WORDS: Final[dict[str, str]] = {
    "comment": "comment|disqus|discuss|respond|repl(?:y|ies)",
    "cookie": "cookie|consent|gdpr|privacy|onetrust",
    "class-nav": "nav|menu|breadcrumb|crumb|pagination|pager|toc|tabs?$",
    "class-header": "header|masthead|banner|topbar|logo|^top$",
    "class-footer": "footer|bottom|copyright|colophon|legal",
    "sidebar": "side|aside|rail|widget|complementary",
    "related": "related|recommend|similar|popular|trending|more|suggest|teaser|also|recirc",
    "share": "share|sharing|social|facebook|twitter|follow",
    "ad": "^ads?$|advert|sponsor|promo|outbrain|taboola|adsense",
    "subscribe": "subscri|newsletter|signup|login|register|paywall",
    "overlay": "modal|popup|overlay|dialog|drawer|tooltip|dropdown|hidden|offscreen|sr$",
    "byline": "author|byline|date|time|meta|avatar|profile|tags?$|categor",
    "caption": "caption|credit|figure|thumb",
    "content": "content|body|text|entry|prose|markdown|wysiwyg|copy|rte",
    "article-class": "article|story|post|blog|news|single",
    "main-class": "^main$|primary|page|wrapper",
    "product": "product|item|price|description|detail|spec|feature|sku",
    "listing": "list|grid|card|tile|result|feed|archive|collection",
    "review": "review|rating|testimonial|star",
    "forum": "forum|thread|message|topic|quote|signature|answer|question",
    "hero": "hero|title|headline|heading|intro|lead|summary|excerpt|jumbotron",
    "faq": "faq|accordion|collaps|panel|toggle",
}
GROUPS: Final = (*_GROUP_TAGS, *_GROUP_WORDS)
_FLAG_OF_TAG: Final = {
    tag: 1 << bit for bit, tags in enumerate(_GROUP_TAGS.values()) for tag in tags.split()
}
_WORD_GROUPS: Final = [
    (1 << bit, re.compile(pattern))
    for bit, pattern in enumerate(_GROUP_WORDS.values(), start=len(_GROUP_TAGS))
]

Value = TypeVar("Value", np.int64, np.float64)


class Ancestry:
    """Names and classes on the path from the root to every node of a page.

    parents, depths: as in Dom.
    own_flags: bit ``g`` set for nodes that belong to ``GROUPS[g]`` themselves.
    buckets, owners: the buckets of all names and words of the page, and the node of each.
    """

    def __init__(self, dom: Dom) -> None:
        described = [
            (0, ()) if tag is TEXT else _described(tag, *_naming(attributes))
            for tag, attributes in zip(dom.tags, dom.attributes, strict=True)
        ]
        counts = [len(buckets) for _, buckets in described]
        self.parents = dom.parents
        self.depths = dom.depths
        self.own_flags = np.fromiter((flags for flags, _ in described), np.int64, len(dom))
        self.owners = np.repeat(np.arange(len(dom), dtype=np.int32), counts)
        self.buckets = np.fromiter(
            (bucket for _, buckets in described for bucket in buckets), np.int32, sum(counts)
        )

    @cached_property
    def flags(self) -> npt.NDArray[np.int64]:
        """For every node, bit ``g`` is set if it or an ancestor belongs to ``GROUPS[g]``."""
        return self.handed_down(self.own_flags, np.bitwise_or)

    def handed_down(self, values: npt.NDArray[Value], combine: np.ufunc) -> npt.NDArray[Value]:
        """For every node, the combination of its value with those of all its ancestors."""
        combined = values.copy()
        for level in self._levels[1:]:
            combined[level] = combine(combined[self.parents[level]], values[level])
        return combined

    def sums(self, weights: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """For every node, the sum of the weights of its own buckets, without its ancestors'."""
        of_words = weights[self.buckets].astype(np.float64)
        return np.bincount(self.owners, of_words, len(self.parents)).astype(np.float64)

    @cached_property
    def _levels(self) -> list[IntArray]:
        by_depth = np.argsort(self.depths, kind="stable").astype(np.int32)
        depths = self.depths[by_depth]
        return np.split(by_depth, np.flatnonzero(np.diff(depths)) + 1)


def bucket(word: str) -> int:
    """The bucket of a word.

    >>> bucket("comment") == bucket("comment"), 0 <= bucket("nav") < BUCKETS
    (True, True)
    """
    return crc32(word.encode("utf-8", "replace")) & (BUCKETS - 1)


def class_words(attribute: str) -> list[str]:
    """The words of a class or id, split at case changes and at everything but letters.

    >>> class_words("postBody entry-content_2")
    ['post', 'body', 'entry', 'content']
    """
    parts = _WORD_START.sub(" ", attribute[:_MAX_ATTRIBUTE]).lower()
    return _WORD.findall(parts)[:_MAX_WORDS]


def _naming(attributes: Mapping[str, str | None]) -> tuple[str, str, str]:
    if not attributes:
        return "", "", ""
    return (
        (attributes.get("class") or "")[:_MAX_ATTRIBUTE],
        (attributes.get("id") or "")[:_MAX_ATTRIBUTE],
        (attributes.get("role") or "")[:_MAX_ATTRIBUTE],
    )


@lru_cache(maxsize=1 << 15)
def _described(tag: str, classes: str, name: str, role: str) -> tuple[int, tuple[int, ...]]:
    """Group flags, and the buckets of the tag name and of the words of class, id and role."""
    flags = _FLAG_OF_TAG.get(tag, 0)
    words = dict.fromkeys(class_words(f"{classes} {name} {role}"))
    for word in words:
        flags |= _flags_of_word(word)
    return flags, tuple(dict.fromkeys(bucket(word) for word in (f"<{tag}>", *words)))


@lru_cache(maxsize=1 << 15)
def _flags_of_word(word: str) -> int:
    return sum(flag for flag, pattern in _WORD_GROUPS if pattern.search(word))
