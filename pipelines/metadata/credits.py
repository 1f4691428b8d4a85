"""Recognises image credits: the licence of an image is not that of the page."""

from __future__ import annotations

import re

from corpus_commons.markup.dom import Dom
from pipelines.metadata.classes import nearest

# How far before a licence link, on the same line, to look: in characters, and in nodes.
_FAR = 100
_MOST_NODES = 40
_MOST_ANCESTORS = 5
_LONGEST_CLASS = 200

_CREDIT = re.compile(
    r"\b(?:photo(?:graph)?s?|images?|pictures?|illustrations?|credits?:|credit to|via|courtesy)\b",
    re.I,
)
_CAPTION = re.compile(r"caption|credit\b", re.I)


def is_credit(dom: Dom, link: int) -> bool:
    """Whether a licence link is in an image caption, or follows the words of a credit.

    A link without text in a figure is not a caption but the licence's badge.
    """
    line = int(dom.containers[link])
    before = "".join(text[-_FAR:] for text in dom.texts[max(line, link - _MOST_NODES) : link])
    if _CREDIT.search(before[-_FAR:]):
        return True
    has_text = bool(dom.has_text[link : dom.ends[link]].any())
    return has_text and _is_in_caption(dom, link)


def _is_in_caption(dom: Dom, link: int) -> bool:
    return any(
        dom.tags[node] in {"figure", "figcaption"}
        or _CAPTION.search((dom.attributes[node].get("class") or "")[:_LONGEST_CLASS])
        for node in nearest(dom, link, _MOST_ANCESTORS)
    )
