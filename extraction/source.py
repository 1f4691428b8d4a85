"""A page to extract from, and what is known about it."""

from __future__ import annotations

from typing import NamedTuple

from corpus_commons.markup.dom import Dom
from extraction.site_memory import SiteMemory


class Page(NamedTuple):
    """A page, and what is known about it.

    html: decoded text, raw bytes, or a parsed page.
    url: the page's URL, to resolve links.
    genre: the kind of page, one of ``kinds.KINDS``; None or ``unsure`` if unknown. Methods made
        for one genre ignore it.
    charset: the encoding from the HTTP header, for bytes; a BOM takes precedence.
    site: what is known of other pages of the site; for methods that use it.
    rendered: whether a browser has run the page's scripts, so that it is no empty shell.
    """

    html: str | bytes | Dom
    url: str | None = None
    genre: str | None = None
    charset: str | None = None
    site: SiteMemory | None = None
    rendered: bool = False
