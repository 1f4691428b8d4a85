"""The base of a page's relative addresses (HTML Living Standard, section 2.4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom


def base_href(dom: Dom) -> str:
    """The ``href`` of the first ``<base>`` that has one; empty if that is empty, or there is none.

    >>> from corpus_commons.markup.dom import parse
    >>> base_href(parse("<base target=a><base href=/a/><base href=/b/>"))
    '/a/'
    """
    bases = (dom.attributes[node] for node in dom.elements("base").tolist())
    return next((base["href"] for base in bases if "href" in base), None) or ""
