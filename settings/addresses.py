"""The valid form of URLs, hosts and contacts, and the domains that hosts are in."""

from __future__ import annotations

import ipaddress
import re
from functools import cache, lru_cache
from typing import Final
from unicodedata import normalize
from urllib.parse import SplitResult, urlsplit

import idna
import tldextract

from settings.networks import AddressPolicy, literal

# In characters; servers and browsers support at least 2,000 to 8,000.
LONGEST_URL: Final = 4096
LONGEST_HOST: Final = 253
_HOST: Final = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
# Applied after NFKC, which leaves these dots. Encoding to ASCII never makes a label shorter.
_LONG_LABEL: Final = re.compile(r"[^.\u3002]{64}")
# Most links lead to few hosts, so what is known of so many is kept.
HOSTS_KEPT: Final = 10_000
_EMAIL: Final = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([A-Za-z0-9.-]{1,253})")
_ODD: Final = re.compile(r"[\x00-\x20\x7f\\]")
# RFC 2606 and 6761: reserved names, not in use.
_RESERVED: Final = ("example", "example.com", "example.net", "example.org", "invalid", "test")


@cache
def _suffixes() -> tldextract.TLDExtract:
    """The public suffix list bundled with the library, never a newer one from the network.

    Includes private suffixes, so that the sites of a hosting service are separate domains.
    """
    return tldextract.TLDExtract(
        cache_dir=None, suffix_list_urls=(), include_psl_private_domains=True
    )


@lru_cache(HOSTS_KEPT)
def own_domain(host: str) -> str:
    """The domain that is the owner's of the host: the registered one or, at a hosting service, the
    subdomain; for addresses and names without a known suffix, the host itself.

    >>> own_domain("news.example.co.uk"), own_domain("me.github.io")
    ('example.co.uk', 'me.github.io')
    >>> own_domain("127.0.0.1"), own_domain("intranet")
    ('127.0.0.1', 'intranet')
    """
    return _suffixes()(host).top_domain_under_public_suffix or host


def web_url(text: str) -> str:
    """The URL, if it is valid. Raises ValueError that says what would be right."""
    _web_host(text)
    return text


def seed_url(text: str) -> str:
    """As ``web_url``, for seeds, which must not be in a private network."""
    host = _web_host(text)
    if not AddressPolicy(loopback=is_loopback(host)).allows_host(host):
        raise ValueError(f"must be a public host; {host} is a private address")
    return text


def url_of_bare(text: str) -> str | None:
    """The URL of a text that looks like one without its scheme: its host is this machine, or has a
    public suffix.

    >>> url_of_bare("example.org/a"), url_of_bare("localhost:8000"), url_of_bare("page.html")
    ('https://example.org/a', 'http://localhost:8000', None)
    """
    try:
        host = _web_host(f"https://{text}")
    except ValueError:
        return None
    if is_loopback(host):
        return f"http://{text}"
    return f"https://{text}" if _suffixes()(host).suffix else None


def _web_host(text: str) -> str:
    if len(text) > LONGEST_URL:
        raise ValueError(f"must have at most {LONGEST_URL} characters")
    if _ODD.search(text):
        raise ValueError("must be a URL without spaces, control characters and backslashes")
    if "://" not in text:
        raise ValueError(f'must be an absolute URL; write "{_absolute(text.lstrip("/"))}"')
    parts = _split(text)
    if parts.scheme not in ("http", "https"):
        raise ValueError("must begin with http:// or https://")
    if parts.username is not None:
        raise ValueError("must not have a user name or password")
    return host_name(parts.hostname or "")


def _absolute(text: str) -> str:
    """What was probably meant by a URL without its scheme; an example if it names no host."""
    host = re.split(r"[:/?#]", text)[0]
    if is_loopback(host):
        return f"http://{text}"
    return f"https://{text if '.' in host else 'example.com/'}"


def _split(text: str) -> SplitResult:
    try:
        parts = urlsplit(text)
        _ = parts.port, parts.hostname  # these properties validate
    except ValueError as error:
        raise ValueError(f"must be a URL ({error})") from None
    return parts


def host_of(url: str) -> str:
    """The host of a valid URL, in the form of ``host_name``."""
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
        raise ValueError(f'must not have an asterisk, subdomains are included; write "{text[2:]}"')
    host, _, port = text.rpartition(":")
    if host and port.isdecimal() and (":" not in host or host.endswith("]")):
        raise ValueError(f'must be a host without a port; write "{host.strip("[]")}"')
    name = text.strip("[]").lower().removesuffix(".")
    ip = literal(name)
    if ip is not None and "%" not in name:  # URLs cannot have zone ids
        return str(ip)
    name = in_ascii(name)
    if len(name) > LONGEST_HOST or not _HOST.fullmatch(name):
        raise ValueError('must be a host name such as "example.com"')
    return name


def in_ascii(name: str) -> str:
    """A host or domain in the ASCII form of DNS, by IDNA 2008 as in browsers. Raises ValueError
    that says what would be right.

    >>> in_ascii("faß.example"), in_ascii("βόλος.example")
    ('xn--fa-hia.example', 'xn--nxasmm1c.example')
    """
    if name.isascii():
        return name
    # Encoding takes quadratic time in the length of a label, and NFKC may make it 18 times as long.
    if len(name) > LONGEST_HOST or _LONG_LABEL.search(normalize("NFKC", name)):
        raise ValueError("must be a valid host name")
    try:
        return idna.encode(name, uts46=True).decode()
    except idna.IDNAError:
        pass
    try:  # IDNA 2003 accepts some names that 2008 does not.
        return name.encode("idna").decode()
    except UnicodeError:
        raise ValueError("must be a valid host name") from None


def contact(text: str) -> str:
    """An e-mail address or web URL. Raises ValueError."""
    if _EMAIL.fullmatch(text):
        return text
    if "://" not in text or not text.isascii() or len(text) > 200:
        raise ValueError("not a contact")
    return web_url(text)


def is_under(host: str, domain: str) -> bool:
    """Whether the host is the domain or one of its subdomains."""
    return host == domain or host.endswith("." + domain)


def is_loopback(host: str) -> bool:
    """Whether the host is this machine.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.9", "::1", "10.0.0.1", "a.example")]
    [True, True, True, False, False]
    """
    ip = literal(host)
    return ip.is_loopback if ip is not None else is_under(host, "localhost")


def ip_address(text: str) -> str:
    """The address of a machine. Raises ValueError unless it is one.

    >>> ip_address("0.0.0.0"), ip_address("::1")
    ('0.0.0.0', '::1')
    """
    return str(ipaddress.ip_address(text))


def is_reserved(host: str) -> bool:
    """Whether the name is reserved for examples and tests.

    >>> is_reserved("www.example.com"), is_reserved("counterexample.com")
    (True, False)
    """
    return any(is_under(host, domain) for domain in _RESERVED)


def contact_host(text: str) -> str:
    """The host of a valid contact."""
    email = _EMAIL.fullmatch(text)
    return (email[1] if email else host_of(text)).lower()
