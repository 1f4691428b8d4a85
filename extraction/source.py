"""A page to extract from, and what is known about it."""

from __future__ import annotations

from collections.abc import Mapping
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
    page_type_scores: what the HTML classifier says of this HTML and URL, if it has been asked; a
        method that wants to know asks it otherwise.
    """

    html: str | bytes | Dom
    url: str | None = None
    genre: str | None = None
    charset: str | None = None
    site: SiteMemory | None = None
    rendered: bool = False
    page_type_scores: Mapping[str, float] | None = None
