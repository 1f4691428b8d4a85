"""Which pages are of one site, told by their URLs.

It is what folds are made by: one who has learned from a page of a site is not asked of another.
Private suffixes do not count, unlike in the scope of a crawl (``settings.addresses``): the sites of
one hosting service look alike, and are one.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tldextract import TLDExtract
    from tldextract.tldextract import ExtractResult


def registered_domain(url: str) -> str:
    """The registered domain of the URL; empty where it has none, as an address has none.

    >>> registered_domain("https://news.example.co.uk/1"), registered_domain("http://me.github.io/")
    ('example.co.uk', 'github.io')
    >>> registered_domain("http://127.0.0.1/")
    ''
    """
    return _parts(url).top_domain_under_public_suffix


def site_of(url: str) -> str:
    """The registered domain; without one the address, or the last name that is no public suffix.

    >>> site_of("https://news.example.co.uk/1"), site_of("http://127.0.0.1:80/"), site_of("")
    ('example.co.uk', '127.0.0.1', '')
    """
    parts = _parts(url)
    return parts.top_domain_under_public_suffix or parts.domain


def _parts(url: str) -> ExtractResult:
    return _suffixes()(url)


@cache
def _suffixes() -> TLDExtract:
    """No list is fetched: the one in the package serves."""
    import tldextract  # noqa: PLC0415 - slow to import, and ``--help`` does without

    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
