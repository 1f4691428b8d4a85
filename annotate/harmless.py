"""A saved page as harmless HTML: it looks as it did, but for what it had from elsewhere.

Only elements and attributes of the lists below are written; scripts, handlers, forms, frames and
addresses are not among them. What the browser is told beside it (``FRAME_POLICY``, and the sandbox
of the frame) forbids all of that once more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Final

from corpus_commons.markup.dom import Dom
from corpus_commons.markup.tags import BLOCK_LEVEL, UNSEEN, VOID
from corpus_commons.markup.tree import IntArray

FRAME_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'self'; sandbox allow-same-origin"
)
"""The content security policy of the page, which lies in a frame of ours."""

MARK: Final = "main-text"
"""The element around every text of a block; its attribute ``b`` is the number of the block."""

# All others become <div> or <span>.
_ELEMENTS: Final = frozenset(
    "a abbr address article aside b big blockquote body br button caption center cite code col "
    "colgroup dd del dfn details div dl dt em fieldset figcaption figure font footer h1 h2 h3 h4 "
    "h5 h6 header hgroup hr html i img ins kbd label legend li main mark menu nav ol p pre q s "
    "samp section small span strike strong style sub summary sup table tbody td tfoot th thead "
    "time tr tt u ul var wbr".split()
)
_ATTRIBUTES: Final = frozenset(
    "abbr align alt bgcolor border cellpadding cellspacing class color colspan dir face height "
    "hidden id lang rowspan size start style title type valign value width".split()
)
# Dropped with all that is in them. A <style> of the head is kept.
_DROPPED: Final = (UNSEEN | {"base", "link", "meta", "frame", "source", "track"}) - {
    "head",
    "style",
}
_PICTURE: Final = re.compile(r"data:image/(?:png|jpe?g|gif|webp|avif);base64,[\w+/=\s]*", re.A)
_LAST: Final = f"""<style>
*, ::before, ::after {{
  animation: none !important; transition: none !important; pointer-events: auto !important;
}}
{MARK} {{ border-radius: 2px; scroll-margin: 6rem; }}
{MARK}[k="1"] {{
  background: #b9eac2 !important; color: #06270d !important;
}}
{MARK}[k="0"] {{ background: #fbdcd9b0 !important; color: #7c1c14 !important;
  text-decoration: line-through !important; }}
{MARK}[changed] {{ outline: 2px dashed #1f5fbf !important; }}
{MARK}[cursor] {{ outline: 3px solid #1f5fbf !important; }}
</style>"""


def harmless(dom: Dom, block_of: IntArray) -> str:
    """The page with a ``MARK`` around every text of a block.

    block_of: for every node, its block, or -1.
    """
    return "".join(("<!doctype html>", *_pieces(dom, block_of.tolist())))


def _pieces(dom: Dom, block_of: list[int]) -> Iterator[str]:
    is_visible = dom.visible
    open_elements: list[tuple[int, str]] = []
    ends = dom.ends.tolist()
    node = 0
    while node < len(dom):
        while open_elements and open_elements[-1][0] <= node:
            yield f"</{open_elements.pop()[1]}>"
        tag = dom.tags[node]
        if tag in _DROPPED or (tag == "noscript" and not is_visible[node]):
            node = ends[node]
            continue
        if dom.is_text[node]:
            yield _text(dom, node, block_of[node])
        elif tag == "head":
            yield "<head><meta charset=utf-8>"
            open_elements.append((ends[node], "head"))
        else:
            name = _name(tag)
            if name == "body":
                yield _LAST
            yield f"<{name}{_attributes(name, dom.attributes[node])}>"
            if name not in VOID:
                open_elements.append((ends[node], name))
        node += 1
    while open_elements:
        yield f"</{open_elements.pop()[1]}>"


def _name(tag: str) -> str:
    if tag in _ELEMENTS:
        return tag
    return "div" if tag in BLOCK_LEVEL else "span"


def _text(dom: Dom, node: int, block: int) -> str:
    parent = int(dom.parents[node])
    tag = dom.tags[parent] if parent >= 0 else ""
    if tag == "style":
        # Nothing in a style sheet may end the element.
        return dom.texts[node].replace("</", "<\\/")
    if tag == "head":
        return ""
    text = escape(dom.texts[node])
    return f"<{MARK} b={block}>{text}</{MARK}>" if block >= 0 and text.strip() else text


def _attributes(name: str, attributes: Mapping[str, str | None]) -> str:
    written = [
        f' {key}="{escape(value or "")}"' for key, value in attributes.items() if key in _ATTRIBUTES
    ]
    source = attributes.get("src") or ""
    if name == "img" and _PICTURE.fullmatch(source):
        written.append(f' src="{escape(source)}"')
    if name == "details":
        written.append(" open")
    return "".join(written)
