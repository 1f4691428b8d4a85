"""The site of a page, from its URL: what cross-validation by site goes by.

Private suffixes are ignored, unlike in the scope of a crawl (``own_domain`` of ``settings``):
the sites of a hosting service look alike, so they count as one.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tldextract import TLDExtract
    from tldextract.tldextract import ExtractResult


def registered_domain(url: str) -> str:
    """The registered domain of the URL; empty if it has none, such as an IP address.

    >>> registered_domain("https://news.example.co.uk/1"), registered_domain("http://me.github.io/")
    ('example.co.uk', 'github.io')
    >>> registered_domain("http://127.0.0.1/")
    ''
    """
    return _parts(url).top_domain_under_public_suffix


def site_of(url: str) -> str:
    """The registered domain; if there is none, the IP address, or the last two labels.

    The labels where the suffix is not public, as in a company's network. Empty for a bare suffix.

    >>> site_of("https://news.example.co.uk/1"), site_of("http://127.0.0.1:80/"), site_of("")
    ('example.co.uk', '127.0.0.1', '')
    >>> site_of("http://new.wiki.corp/1"), site_of("http://localhost/")
    ('wiki.corp', 'localhost')
    """
    parts = _parts(url)
    above = parts.subdomain.rpartition(".")[2]
    return parts.top_domain_under_public_suffix or f"{above}.{parts.domain}".strip(".")


def subdomain(url: str) -> str:
    """What precedes the registered domain; empty if nothing does.

    >>> subdomain("https://new.blog.example.co.uk/1"), subdomain("http://127.0.0.1/")
    ('new.blog', '')
    """
    return _parts(url).subdomain


def _parts(url: str) -> ExtractResult:
    return _suffixes()(url)


@cache
def _suffixes() -> TLDExtract:
    """Uses the list in the package; nothing is fetched."""
    import tldextract  # noqa: PLC0415 - slow to import, and not needed for ``--help``

    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
