"""URLs: the form that is fetched, the canonical form, and the host.

The fetched URL keeps the order of its query, because some servers depend on it. Two URLs are the
same page if their canonical forms are equal; only these are compared, hashed and stored.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit, urlunsplit

from w3lib.url import canonicalize_url, safe_url_string

from corpus_commons.url_reference import as_read, host_in_url, joined, without_dots
from settings.addresses import LONGEST_HOST, LONGEST_URL, host_name, in_ascii

# Query parameters that identify visitors or campaigns, and do not affect the page.
_TRACKING_NAMES = frozenset(
    """_ga _gl _hsenc _hsmi cftoken dclid ef_id epik fbclid gbraid gclid gclsrc hsctatracking igsh
    igshid jsessionid li_fat_id mc_cid mc_eid mkt_tok msclkid oly_anon_id oly_enc_id oscsid
    phpsessid rb_clickid s_kwcid srsltid ttclid twclid vero_conv vero_id wbraid wickedid xtcsid
    yclid zenid""".split()
)
_TRACKING_PREFIXES = ("utm_", "hsa_", "pk_campaign", "pk_kwd", "mtm_", "aspsessionid")
# Names that also other things have, with the MD5 or SHA-1 by which forums tell visitors.
_SESSION = re.compile(r"s(?:id)?=(?:[0-9a-f]{32}|[0-9a-f]{40})", re.IGNORECASE)
# Of ColdFusion, which writes a number and a token that none but itself has.
_BEFORE_TOKEN = re.compile(r"(?<![^&])cfid=\d+&(?=cftoken=)", re.IGNORECASE)
# Of Java; of ASP.NET, with what else it tells visitors by.
_SESSION_IN_PATH = re.compile(
    r";jsessionid=[^/?#;]*"
    r"|/\((?:[AFX]\([\w-]+\))*S\([0-9a-z]{24}\)(?:[AFX]\([\w-]+\))*\)(?![^/])",
    re.IGNORECASE,
)

_HOST_BEYOND_ASCII = re.compile(r"\A([^/?#]*//(?:[^/?#]*@)?)([^/?#:@]*[^\x00-\x7f/?#:@][^/?#:@]*)")
_DEFAULT_PORTS = {"http": 80, "https": 443}
# In bytes. Only addresses of such URLs are remembered, so that they take 80 MB at most.
_LONGEST_KNOWN = 300
_MOST_KNOWN = 2**15
# A fast path: these URLs, which are most, are already canonical.
_PLAIN = re.compile(r"https?://([a-z][a-z0-9-]{0,62}(?:\.[a-z][a-z0-9-]{0,62})*)/[A-Za-z0-9_/.-]*")


class UrlError(ValueError):
    """Not a URL that a crawler may visit; the message says why."""


class Address(NamedTuple):
    """The forms of a URL.

    url: to be fetched: percent-encoded ASCII, without fragment and tracking parameters.
    canonical: equal for all spellings of the URL; for comparisons, not for fetching.
    host: for politeness: the host name in lower case, without port.
    """

    url: str
    canonical: str
    host: str


def address(url: str) -> Address:
    """The address of an absolute http or https URL, as found in a page.

    Raises UrlError if it is invalid, longer than ``LONGEST_URL``, or has a user name or password.

    >>> address("HTTP://Example.com:80/a/../shop?size=2&colour=red&utm_source=mail#top").url
    'http://example.com/shop?size=2&colour=red'
    >>> address("http://example.com/shop?colour=red&size=2").canonical
    'http://example.com/shop?colour=red&size=2'
    >>> address("https://Bücher.example:8443/").host
    'xn--bcher-kva.example'
    >>> address("mailto:someone@example.com")
    Traceback (most recent call last):
    crawler.urls.UrlError: 'mailto:someone@example.com' is not an http or https URL
    """
    is_short = len(url.encode("utf-8", "replace")) <= _LONGEST_KNOWN
    return _known_address(url) if is_short else _address(url)


def _address(url: str) -> Address:
    plain = _PLAIN.fullmatch(url)
    if plain and "/." not in url and len(plain[1]) <= LONGEST_HOST and len(url) <= LONGEST_URL:
        return Address(url, url, plain[1])
    parts, host = _parts(url)
    path, query = _SESSION_IN_PATH.sub("", parts.path), without_tracking(parts.query)
    fetched = _written(parts._replace(path=path, query=query))
    return Address(fetched, canonicalize_url(fetched), host)


_known_address = lru_cache(maxsize=_MOST_KNOWN)(_address)


def _parts(url: str) -> tuple[SplitResult, str]:
    """The parts of a URL, encoded, and its host. Raises UrlError."""
    if len(url) > LONGEST_URL:
        raise UrlError(f"a URL must have at most {LONGEST_URL} characters, not {len(url)}")
    try:
        parts = urlsplit(safe_url_string(_with_ascii_host(url.strip())))
        host, port = _host(parts, url), parts.port
    except UrlError:
        raise
    except UnicodeError as error:
        raise UrlError(f"{url!r} has characters that are not allowed in a URL") from error
    except ValueError as error:
        raise UrlError(f"{url!r} is not a URL: {error}") from error
    name = host_in_url(host)
    netloc = name if port in (None, _DEFAULT_PORTS[parts.scheme]) else f"{name}:{port}"
    return parts._replace(netloc=netloc), host


def _written(parts: SplitResult) -> str:
    """The URL to be fetched. Raises UrlError if it is too long."""
    path = without_dots(parts.path or "/")
    url = urlunsplit(parts._replace(path=path, fragment=""))
    if len(url) > LONGEST_URL:
        raise UrlError(f"{url!r} must have at most {LONGEST_URL} characters when encoded")
    return url


def moved_to(url: str, location: bytes) -> str:
    """The URL in the ``Location`` header of a response from ``url``, encoded to be fetched.

    It still has what ``address`` leaves out, since the server may insist on its session id.
    location: the raw header; non-ASCII bytes are encoded as in browsers. Raises UrlError.

    >>> moved_to("http://example.com/a/b", "caf\u00e9;jsessionid=1A#top".encode())
    'http://example.com/a/caf%C3%A9;jsessionid=1A'
    """
    # w3lib registers this error handler.
    parts, _ = _parts(joined(url, location.decode("utf-8", "percentencode")))
    return _written(parts)


def host_key(url: str) -> str:
    """The host of a URL, for politeness.

    >>> host_key("https://www.Example.com.:8443/about")
    'www.example.com'
    """
    return address(url).host


def host_if_any(url: str) -> str:
    """The host as of ``host_key``; empty if the URL is none.

    >>> host_if_any("https://example.com/"), host_if_any("mailto:a@example.com")
    ('example.com', '')
    """
    try:
        return host_key(url)
    except UrlError:
        return ""


def origin_of(url: str) -> str:
    """The scheme and the authority of a URL, with which the addresses of its host's files begin.

    >>> origin_of("http://example.com:8080/a/b?c")
    'http://example.com:8080'
    """
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def without_tracking(query: str) -> str:
    """A query without tracking parameters; the others keep their spelling and order.

    >>> without_tracking("id=7&utm_campaign=spring&fbclid=IwAR0&page=2")
    'id=7&page=2'
    >>> without_tracking("sid=123&CFID=45&CFTOKEN=67"), without_tracking("cfid=45")
    ('sid=123', 'cfid=45')
    """
    query = _BEFORE_TOKEN.sub("", query)
    return "&".join(part for part in query.split("&") if not _is_tracking(part))


def digest(canonical_url: str, key: bytes, kind: str = "") -> int:
    """A signed 64-bit digest, keyed so that nobody can make URLs collide on purpose.

    kind: the same URL with another kind has another digest.
    Among N URLs, about N² / 2⁶⁵ pairs collide by chance: 0.0003 pairs for 100 million.

    >>> digest("http://example.com/", b"0123456789abcdef")
    4921809324873173527
    """
    name = f"{kind} {canonical_url}" if kind else canonical_url
    hashed = blake2b(name.encode(), digest_size=8, key=key).digest()
    return int.from_bytes(hashed, "big", signed=True)


def _with_ascii_host(url: str) -> str:
    """Encode the host; w3lib would use IDNA 2003, without a limit. Raises ValueError."""
    if url.isascii():
        return url
    return _HOST_BEYOND_ASCII.sub(lambda found: found[1] + in_ascii(found[2]), as_read(url), 1)


def _host(parts: SplitResult, url: str) -> str:
    if parts.scheme not in _DEFAULT_PORTS:
        raise UrlError(f"{url!r} is not an http or https URL")
    if parts.username is not None or parts.password is not None:
        raise UrlError(f"{url!r} has a user name or password")
    if not parts.hostname:
        raise UrlError(f"{url!r} has no host")
    try:
        return host_name(parts.hostname)
    except ValueError as error:
        raise UrlError(f"{url!r} has an invalid host name") from error


def _is_tracking(parameter: str) -> bool:
    name = parameter.partition("=")[0].lower()
    is_named = name in _TRACKING_NAMES or name.startswith(_TRACKING_PREFIXES)
    return is_named or _SESSION.fullmatch(parameter) is not None
