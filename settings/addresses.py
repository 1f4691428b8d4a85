"""URLs, hosts and contacts in a job file; which of them are loopback or reserved."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final
from unicodedata import normalize
from urllib.parse import SplitResult, urlsplit

import idna
import tldextract

from settings.networks import AddressPolicy, literal

# In characters. Servers and browsers promise no more than about 2,000 and 8,000.
LONGEST_URL: Final = 4096
LONGEST_HOST: Final = 253
EMBEDDED: Final = "embedded"
FRONTIERS: Final = (
    '"embedded", or a Redis URL: "redis://host:6379/0", "rediss://…" or "unix:///path"'
)
_HOST: Final = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
# By the dots that there are in NFKC. In ASCII no label is shorter.
_LONG_LABEL: Final = re.compile(r"[^.\u3002]{64}")
# Links lead to the same few hosts again and again.
_HOSTS_KEPT: Final = 10_000
_EMAIL: Final = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([A-Za-z0-9.-]{1,253})")
_ODD: Final = re.compile(r"[\x00-\x20\x7f\\]")
# RFC 2606 and 6761: nobody can be reached there.
_RESERVED: Final = ("example", "example.com", "example.net", "example.org", "invalid", "test")
_DATABASE: Final = re.compile(r"/?[0-9]*/?")
_LOGIN: Final = re.compile(r'(?<=://)[^/@"\s]*@')
_ALL_BEFORE_HOST: Final = re.compile(r'([a-z]+:/*)?[^"\s]*@')
_PASSWORD_OPTION: Final = re.compile(r'(?<=password=)[^&"\s]*')


@cache
def _suffixes() -> tldextract.TLDExtract:
    """The list bundled with the library, never a newer one from the network.

    Its private part counts: the sites of a hosting service are as many domains.
    """
    return tldextract.TLDExtract(
        cache_dir=None, suffix_list_urls=(), include_psl_private_domains=True
    )


@lru_cache(_HOSTS_KEPT)
def registered_domain(host: str) -> str:
    """What its owner registered; an address, or a name without a known suffix, is its own.

    >>> registered_domain("news.example.co.uk"), registered_domain("me.github.io")
    ('example.co.uk', 'me.github.io')
    >>> registered_domain("127.0.0.1"), registered_domain("intranet")
    ('127.0.0.1', 'intranet')
    """
    return _suffixes()(host).top_domain_under_public_suffix or host


def web_url(text: str) -> str:
    """The URL itself, checked. Raises ValueError that says what would be right."""
    _web_host(text)
    return text


def seed_url(text: str) -> str:
    """The same for one that a crawl can begin with."""
    host = _web_host(text)
    if not AddressPolicy(loopback=is_loopback(host)).allows_host(host):
        raise ValueError(f"must be on the open network; {host} is a private address, never dialled")
    return text


def _web_host(text: str) -> str:
    if len(text) > LONGEST_URL:
        raise ValueError(f"must have at most {LONGEST_URL} characters")
    if _ODD.search(text):
        raise ValueError("must be a URL without spaces, control characters and backslashes")
    if "://" not in text:
        raise ValueError(f'must be a whole URL; write "https://{text.lstrip("/")}"')
    parts = _split(text)
    if parts.scheme not in ("http", "https"):
        raise ValueError("must begin with http:// or https://")
    if parts.username is not None:
        raise ValueError("must carry no user name or password")
    return host_name(parts.hostname or "")


def _split(text: str) -> SplitResult:
    try:
        parts = urlsplit(text)
        _ = parts.port, parts.hostname  # both are checked only when asked for
    except ValueError as error:
        raise ValueError(f"must be a URL ({error})") from None
    return parts


def host_of(url: str) -> str:
    """The host of a URL that ``web_url`` accepted, as ``host_name`` writes it."""
    return host_name(urlsplit(url).hostname or "")


def host_name(text: str) -> str:
    """A host or domain in lower case and ASCII. Raises ValueError that says what would be right.

    >>> host_name("Bücher.Example."), host_name("[::1]")
    ('xn--bcher-kva.example', '::1')
    """
    if "://" in text or "/" in text:
        host = urlsplit(text if "://" in text else f"//{text}").hostname
        raise ValueError(f'must be a host without scheme and path; write "{host or "example.com"}"')
    if text.startswith("*."):
        raise ValueError(f'must have no asterisk, subdomains belong to it; write "{text[2:]}"')
    name = text.strip("[]").lower().removesuffix(".")
    ip = literal(name)
    if ip is not None and "%" not in name:  # no URL names a zone
        return str(ip)
    name = in_ascii(name)
    if len(name) > LONGEST_HOST or not _HOST.fullmatch(name):
        raise ValueError('must be a host name such as "example.com"')
    return name


def in_ascii(name: str) -> str:
    """A host or domain as the Domain Name System has it, by IDNA 2008 as browsers do. Raises
    ValueError that says what would be right.

    >>> in_ascii("faß.example"), in_ascii("βόλος.example")
    ('xn--fa-hia.example', 'xn--nxasmm1c.example')
    """
    if name.isascii():
        return name
    # Both take the square of a label, in which one character may stand for eighteen.
    if len(name) > LONGEST_HOST or _LONG_LABEL.search(normalize("NFKC", name)):
        raise ValueError("must be a host name that can exist")
    try:
        return idna.encode(name, uts46=True).decode()
    except idna.IDNAError:
        pass
    try:  # IDNA 2003 takes names that 2008 refuses.
        return name.encode("idna").decode()
    except UnicodeError:
        raise ValueError("must be a host name that can exist") from None


def contact(text: str) -> str:
    """An e-mail address or web URL. Raises ValueError."""
    if _EMAIL.fullmatch(text):
        return text
    if "://" not in text or not text.isascii() or len(text) > 200:
        raise ValueError("no contact")
    return web_url(text)


def frontier_url(text: str) -> str:
    """``embedded`` or the URL of a Redis. Raises ValueError that says what would be right."""
    if text == EMBEDDED:
        return text
    try:
        problem = _problem_of_redis(urlsplit(text))
    except ValueError:
        # Its words may hold a part of the password.
        problem = f"must be {FRONTIERS}"
    if problem:
        raise ValueError(problem)
    return text


def _problem_of_redis(parts: SplitResult) -> str | None:
    """What the URL of a Redis must be that this one is not. Raises ValueError for a wrong port."""
    beyond = parts.path + parts.query.partition("=")[0] + parts.fragment
    if parts.netloc.count("@") > 1 or (parts.netloc and "@" in beyond):
        return (
            'must have "@", "/", "?" and "#" in its password percent-encoded, as "%40", "%2F", '
            '"%3F" and "%23"'
        )
    if parts.scheme == "unix":
        is_one = parts.path.startswith("/") and not parts.netloc.rpartition("@")[2]
    else:
        is_one = parts.scheme in ("redis", "rediss") and bool(parts.hostname) and parts.port != 0
    if not is_one:
        return f"must be {FRONTIERS}"
    if parts.scheme != "unix" and not _DATABASE.fullmatch(parts.path):
        return 'must name its database by a number, as in "redis://host:6379/0"'
    return None


def without_login(text: str) -> str:
    """The text with what stands where URLs have user names and passwords replaced.

    >>> without_login("redis://worker:secret@cache:6379/0")
    'redis://***@cache:6379/0'
    """
    return _LOGIN.sub("***@", text)


def without_any_login(text: str) -> str:
    """The same for a setting that is meant to hold a password, however badly it is written.

    >>> without_any_login("redis:/worker:sec/ret@cache"), without_any_login("x?password=y")
    ('redis:/***@cache', 'x?password=***')
    """
    if len(text) > LONGEST_URL:
        return "***"
    return _PASSWORD_OPTION.sub("***", _ALL_BEFORE_HOST.sub(r"\1***@", text))


def is_under(host: str, domain: str) -> bool:
    """Whether the host is the domain or one of its subdomains."""
    return host == domain or host.endswith("." + domain)


def is_loopback(host: str) -> bool:
    """Whether only this machine can be meant.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.9", "::1", "10.0.0.1", "a.example")]
    [True, True, True, False, False]
    """
    ip = literal(host)
    return ip.is_loopback if ip is not None else is_under(host, "localhost")


def is_reserved(host: str) -> bool:
    """Whether the name is kept for examples and tests.

    >>> is_reserved("www.example.com"), is_reserved("counterexample.com")
    (True, False)
    """
    return any(is_under(host, domain) for domain in _RESERVED)


def contact_host(text: str) -> str:
    """The host of a contact that ``contact`` accepted."""
    email = _EMAIL.fullmatch(text)
    return (email[1] if email else host_of(text)).lower()
