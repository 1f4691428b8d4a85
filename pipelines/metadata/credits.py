"""Credits of pictures: their licence is not the page's."""

from __future__ import annotations

import re

from markup.dom import Dom
from pipelines.metadata.classes import nearest

# Before a link to a licence, in its line: in characters, and in nodes.
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
    """Whether a link to a licence is part of a picture's caption, or follows words of a credit.

    A picture in a figure that links to the licence is no caption, but the licence's badge.
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
