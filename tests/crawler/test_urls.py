"""URLs: what is fetched, what is the same page, what is refused."""

from __future__ import annotations

import tracemalloc
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from w3lib.url import canonicalize_url, safe_url_string

from crawler.urls import UrlError, address, digest, host_key, moved_to
from settings.addresses import LONGEST_URL, host_of
from tests.cpu_time import bounded_time

PLAIN = st.from_regex(
    r"https?://[a-z][a-z0-9-]{0,9}(\.[a-z]{2,5})?/[A-Za-z0-9_/.~-]*", fullmatch=True
)
ANY = st.from_regex(r"https?://[a-z.]{1,9}(:80|:8080)?(/[^#]{0,20})?(#.{0,5})?", fullmatch=True)


@pytest.mark.parametrize(
    ("found", "same"),
    [
        ("http://a.test", "http://a.test/"),
        ("http://A.TEST/", "http://a.test/"),
        ("http://a.test./", "http://a.test/"),
        ("http://a.test:80/", "http://a.test/"),
        ("https://a.test:443/", "https://a.test/"),
        ("http://a.test/#top", "http://a.test/"),
        ("http://a.test/x/./y/../z", "http://a.test/x/z"),
        ("http://a.test/../..", "http://a.test/"),
        ("http://a.test/x/y/..", "http://a.test/x/"),
        ("http://a.test/x/.", "http://a.test/x/"),
        ("http://a.test/x/%2e%2E/y", "http://a.test/y"),
        ("http://a.test/?b=1&a=2", "http://a.test/?a=2&b=1"),
        ("http://a.test/?utm_source=x&FBclid=y", "http://a.test/"),
        ("http://a.test/p;jsessionid=1A2B?x=1", "http://a.test/p?x=1"),
        ("http://a.test/caf\u00e9", "http://a.test/caf%C3%A9"),
        ("http://b\u00fccher.test/", "http://xn--bcher-kva.test/"),
        ("ht\ntp:\\\\fa\u00df.test/", "http://xn--fa-hia.test/"),
        (" http://a.test/a\nb ", "http://a.test/ab"),
        ("http://a.test/%7Efoo/;jsessionid=8A?b=2&a=1&gclid=C#top", "http://a.test/~foo/?a=1&b=2"),
    ],
)
def test_spellings_of_one_page(found: str, same: str) -> None:
    assert address(found).canonical == address(same).canonical


MD5 = "9E107D9D372BB6826BD81D3542A419D6"


@pytest.mark.parametrize(
    ("found", "fetched"),
    [
        (f"/viewtopic.php?t=5&sid={MD5.lower()}", "/viewtopic.php?t=5"),
        (f"/showthread.php?s={MD5}&t=5", "/showthread.php?t=5"),
        (f"/index.php?s={MD5}{MD5[:8]}", "/index.php"),
        ("/shop?osCsid=1a2b&id=3", "/shop?id=3"),
        ("/shop?id=3&zenid=1a2b&XTCsid=4d", "/shop?id=3"),
        ("/a.cfm?CFID=12&CFTOKEN=5ad1-8f&id=3", "/a.cfm?id=3"),
        ("/a.cfm?id=3&cfid=12&cftoken=34", "/a.cfm?id=3"),
        ("/a.asp?ASPSESSIONIDQQBCRADS=ABCDEFGH&id=3", "/a.asp?id=3"),
        ("/(S(lit3py55t21z5v55vlm25s55))/a/b.aspx", "/a/b.aspx"),
        ("/x/(X(1)S(lit3py55t21z5v55vlm25s55))/", "/x/"),
        ("/(S(lit3py55t21z5v55vlm25s55))", "/"),
    ],
)
def test_session_ids_are_not_fetched(found: str, fetched: str) -> None:
    assert address(f"http://a.test{found}").url == f"http://a.test{fetched}"


@pytest.mark.parametrize(
    "path",
    [
        "/product?sid=123",
        "/?s=query",
        "/?s=deadbeef",
        # An object id of MongoDB, and ids with hyphens.
        "/p?sid=507f1f77bcf86cd799439011",
        "/p?sid=9e107d9d-372b-b682-6bd8-1d3542a419d6",
        f"/p?id={MD5}",
        f"/p?ids={MD5}",
        f"/p?s={MD5}0",
        "/p?cfid=12&id=3",
        "/p?xcfid=12&id=3",
        "/p?session=3&sessionid=4",
        "/wiki/(S(x))/a",
        "/wiki/Function_(S(lit3py55t21z5v55vlm25s55))",
        "/wiki/(S)/a",
    ],
)
def test_what_names_content_is_kept(path: str) -> None:
    assert address(f"http://a.test{path}").url == f"http://a.test{path}"


@pytest.mark.parametrize("piece", ["/(S(", "/(A(a)", "A(a)", ";jsessionid=", "cfid=1&", "sid=a"])
def test_session_ids_are_looked_for_in_linear_time(piece: str) -> None:
    with bounded_time():
        for number in range(200):
            address(f"http://a.test/{number}/(A(a){piece * (3_000 // len(piece))}")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.test/", "https://a.test/"),
        ("http://a.test/", "http://www.a.test/"),
        ("http://a.test/", "http://a.test:8080/"),
        ("http://a.test/", "http://a.test:443/"),
        ("http://a.test/x", "http://a.test/x/"),
        ("http://a.test/x", "http://a.test/X"),
        ("http://a.test/?page=1", "http://a.test/?page=2"),
        ("http://a.test/a//b", "http://a.test/a/b"),
    ],
)
def test_different_pages(one: str, other: str) -> None:
    assert address(one).canonical != address(other).canonical


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("", "not an http or https URL"),
        ("/relative", "not an http or https URL"),
        ("javascript:alert(1)", "not an http or https URL"),
        ("file:///etc/passwd", "not an http or https URL"),
        ("http://", "has no host"),
        ("http:///x", "has no host"),
        ("http://user:secret@a.test/", "user name or password"),
        ("http://user@a.test/", "user name or password"),
        ("http://a.test:99999/", "not a URL"),
        ("http://[::1/", "not a URL"),
        ("http://a b/", "host name"),
        ("http://a..test/", "host name"),
        ("http://[fe80::1%eth0]/", "host name"),
        ("http://-a.test/", "host name"),
        (f"http://{'a' * 64}.test/", "host name"),
        (f"http://{'a.' * 150}test/", "host name"),
        ("http://a.test/\ud800", "not allowed in a URL"),
        ("http://a.test/" + "x" * LONGEST_URL, "must have at most 4096 characters, not"),
        ("http://a.test/" + "\u00e9" * 1000, "characters when encoded"),
    ],
)
def test_what_is_refused(wrong: str, why: str) -> None:
    with pytest.raises(UrlError, match=why):
        address(wrong)


# A character that stands for eighteen.
LIGATURE = "\ufdfa"


@pytest.mark.parametrize(
    "before", ["http://", "http://a.", "http://user@", "HTTP:\\\\", "ht\ntp:/\t/", "//", "ftp://"]
)
def test_a_host_of_thousands_of_characters_is_refused_at_once(before: str) -> None:
    with bounded_time():
        for number in range(500):
            with pytest.raises(UrlError):
                address(f"{before}{number}{LIGATURE * 4000}/")


def test_long_addresses_are_not_remembered() -> None:
    tracemalloc.start()
    for number in range(700):
        address(f"http://a.test/?{number}{'x' * 4000}")
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken < 4_000_000


def test_what_is_fetched_has_a_path() -> None:
    assert address("http://a.test").url == address("http://a.test?utm_id=1").url == "http://a.test/"


def test_what_is_fetched_keeps_the_order_of_its_query() -> None:
    assert address("http://a.test/?z=1&a=&utm_medium=x&z=0#f").url == "http://a.test/?z=1&a=&z=0"


def test_a_host_is_a_name_without_port() -> None:
    assert host_key("http://a.test:8080/") == host_key("https://A.test./x") == "a.test"
    assert host_key("http://[2001:DB8::1]:80/") == "2001:db8::1"


@pytest.mark.parametrize(
    "url",
    [
        "http://[2606:4700:4700:0::1111]/a",
        "http://[2606:4700:4700::1111]:81/",
        "http://A.test.:81/",
        "https://Fa\u00df.test:81/\u00df",
        "http://\u2615.test/",
    ],
)
def test_a_job_and_its_crawl_write_a_host_in_the_same_way(url: str) -> None:
    assert address(url).host == host_of(url)


@pytest.mark.parametrize(
    ("written", "host"),
    [
        ("fa\u00df.de", "xn--fa-hia.de"),
        ("\u03b2\u03cc\u03bb\u03bf\u03c2.com", "xn--nxasmm1c.com"),
        ("B\u00dcCHER.de", "xn--bcher-kva.de"),
        ("b\u00fccher\u3002de", "xn--bcher-kva.de"),
        ("my_b\u00fccher.de", "xn--my_bcher-95a.de"),
        ("\u2615.example", "xn--53h.example"),
        # As a Mac writes it.
        ("bu\u0308cher.de", "xn--bcher-kva.de"),
    ],
)
def test_hosts_are_those_that_browsers_visit(written: str, host: str) -> None:
    assert address(f"https://{written}:81/\u00e9").url == f"https://{host}:81/%C3%A9"
    assert moved_to("http://a.test/", f"//{written}/x".encode()) == f"http://{host}/x"


@pytest.mark.parametrize(
    ("location", "url"),
    [
        (rb"\pbs", "http://a.test/pbs"),
        (rb" https:\\b.test\x ", "https://b.test/x"),
        (rb"y?file=docs\intro.htm", "http://a.test/x/y?file=docs%5Cintro.htm"),
        (b"caf\xc3\xa9", "http://a.test/x/caf%C3%A9"),
        (b"caf\xe9 a", "http://a.test/x/caf%E9%20a"),
        (b"/web/http://b.test//c", "http://a.test/web/http://b.test//c"),
        (b"b//c/../d", "http://a.test/x/b//d"),
        (b"../;jsessionid=1A?PHPSESSID=2b#c", "http://a.test/;jsessionid=1A?PHPSESSID=2b"),
    ],
)
def test_a_redirect_leads_where_browsers_go(location: bytes, url: str) -> None:
    assert moved_to("http://a.test/x/", location) == url


def test_spellings_of_an_ipv6_address_are_one_page() -> None:
    url = "http://[2606:4700:4700:0::1111]:80/a"
    assert address(url).url == "http://[2606:4700:4700::1111]/a"


@given(PLAIN)
def test_the_short_way_gives_what_w3lib_gives(url: str) -> None:
    if "/." not in url:
        assert address(url).url == safe_url_string(url)
        assert address(url).canonical == canonicalize_url(url)


@given(ANY)
def test_an_address_is_its_own_address(url: str) -> None:
    try:
        found = address(url)
    except UrlError:
        return
    assert address(found.url) == found
    assert address(found.canonical).canonical == found.canonical
    assert found.url.isascii()
    assert urlsplit(found.url).hostname in (found.host, f"{found.host}.")


@given(st.text(max_size=60))
def test_any_text_is_an_address_or_refused(text: str) -> None:
    for url in (text, "http://" + text, "http://a.test/" + text):
        try:
            address(url)
        except UrlError:
            continue


def test_digests_depend_on_the_key_and_fit_64_bits() -> None:
    one, other = (digest("http://a.test/", key * 16) for key in (b"a", b"b"))
    assert one != other
    assert -(2**63) <= one < 2**63
