"""References mean what they mean to browsers."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_commons.url_reference import joined
from tests.cpu_time import bounded_time

BASE = "http://a/b/c/d;p?q"
# RFC 3986, sections 5.4.1 and 5.4.2; of the one with two readings, that of browsers.
_EXAMPLES = """
g:h           g:h                    ../..         http://a/
g             http://a/b/c/g         ../../        http://a/
./g           http://a/b/c/g         ../../g       http://a/g
g/            http://a/b/c/g/        ../../../g    http://a/g
/g            http://a/g             ../../../../g http://a/g
//g           http://g               /./g          http://a/g
?y            http://a/b/c/d;p?y     /../g         http://a/g
g?y           http://a/b/c/g?y       g.            http://a/b/c/g.
#s            http://a/b/c/d;p?q#s   .g            http://a/b/c/.g
g#s           http://a/b/c/g#s       g..           http://a/b/c/g..
g?y#s         http://a/b/c/g?y#s     ..g           http://a/b/c/..g
;x            http://a/b/c/;x        ./../g        http://a/b/g
g;x           http://a/b/c/g;x       ./g/.         http://a/b/c/g/
g;x?y#s       http://a/b/c/g;x?y#s   g/./h         http://a/b/c/g/h
.             http://a/b/c/          g/../h        http://a/b/c/h
./            http://a/b/c/          g;x=1/./y     http://a/b/c/g;x=1/y
..            http://a/b/            g;x=1/../y    http://a/b/c/y
../           http://a/b/            g?y/./x       http://a/b/c/g?y/./x
../g          http://a/b/g           g?y/../x      http://a/b/c/g?y/../x
g#s/./x       http://a/b/c/g#s/./x   g#s/../x      http://a/b/c/g#s/../x
http:g        http://a/b/c/g
""".split()
EXAMPLES = list(zip(_EXAMPLES[::2], _EXAMPLES[1::2], strict=True))

SEGMENT = st.sampled_from(["a", "b.c", "", ".", "..", "%2e", ".%2E", "..;", "d e", "\u00e9", ":"])
PATH = st.lists(SEGMENT, max_size=6).map("/".join)
MARKED = st.sampled_from(["", "?", "?x=1/../y", "#", "#z/./", "?#"])
START = st.sampled_from(["", "", "/", "//e.test/", "http://e.test/", "https:", "http:", "\\", " "])
REFERENCE = st.tuples(START, PATH, MARKED).map("".join)
HERE = st.tuples(st.just("http://a.test/"), PATH, MARKED).map("".join)
PLAIN = st.from_regex(
    r"/?([a-z]{1,3}/){0,3}[a-z]{1,3}(\?[a-z=/]{1,3})?(#[a-z/]{1,3})?", fullmatch=True
)


@pytest.mark.parametrize(
    ("reference", "url"),
    [("", "http://a/b/c/d;p?q"), *EXAMPLES],
)
def test_the_examples_of_the_standard(reference: str, url: str) -> None:
    assert joined(BASE, reference) == url


@pytest.mark.parametrize(
    ("base", "reference", "url"),
    [
        # Empty segments are segments: of archives, proxies and wikis.
        ("http://a/web/1/http://o/a/b", "c", "http://a/web/1/http://o/a/c"),
        ("http://a/web/1/http://o/a/b", "../../../c", "http://a/web/1/http:/c"),
        ("http://a/b", "c//d", "http://a/c//d"),
        ("http://a/b//", "..", "http://a/b/"),
        ("http://a/b", ".//c", "http://a//c"),
        # An empty query is a query.
        ("http://a/list?page=3", "?", "http://a/list?"),
        ("http://a/list?page=3", "", "http://a/list?page=3"),
        ("http://a/list?page=3#b", "#c", "http://a/list?page=3#c"),
        ("http://a", "?b", "http://a/?b"),
        ("http://a?b", "c", "http://a/c"),
        # However slashes and schemes are written.
        ("http://a/b", "///c/d", "http://c/d"),
        ("http://a/b", "http:///c", "http://c"),
        ("http://a/b", "https:c", "https://c"),
        ("http://a/b", "HTTP:/c", "http://a/c"),
        ("http://a/b", "/\\c\\d?e\\f", "http://c/d?e\\f"),
        ("http://a/b", "HTTPS://C/../D", "https://C/D"),
        ("http://a/b/c", "%2E%2e/./d/%2e", "http://a/d/"),
        ("http://a/b", " \n/c\td ", "http://a/cd"),
        ("http://a/b", "java\nscript:c", "javascript:c"),
        ("http://a/b", "mailto:c@d", "mailto:c@d"),
        ("http://a/b", "c:d", "c:d"),
        ("http://a/b", "./c:d", "http://a/c:d"),
        # What is no URL is left to others.
        ("http://a/b", "http://[", "http://["),
        ("", "c/../d", "c/../d"),
        ("", "HTTP://c/../d", "http://c/d"),
    ],
)
def test_as_browsers_do(base: str, reference: str, url: str) -> None:
    assert joined(base, reference) == url


@given(PLAIN)
def test_plain_references_are_what_the_older_standard_says(reference: str) -> None:
    assert joined(BASE, reference) == urljoin(BASE, reference)


@given(HERE, REFERENCE)
def test_what_is_joined_is_absolute_and_has_no_dots_left(base: str, reference: str) -> None:
    url = joined(base, reference)
    assert joined("https://other.test/", url) == joined(base, url) == url
    _, _, _, *segments = url.partition("#")[0].partition("?")[0].split("/")
    assert not {".", "..", "%2e", ".%2E"} & set(segments)


@given(HERE)
def test_a_page_refers_to_itself(base: str) -> None:
    here = joined(base, base)
    before, mark, _ = here.partition("#")
    assert joined(base, "") == before
    assert joined(base, "#x") == f"{before}#x"
    assert joined(base, "?x") == f"{before.partition('?')[0]}?x"
    assert joined(base, "x") == f"{before.partition('?')[0].rpartition('/')[0]}/x"
    assert not mark or here.startswith(before)


@given(st.text(), st.text())
def test_any_texts_can_be_joined(base: str, reference: str) -> None:
    assert isinstance(joined(base, reference), str)


@pytest.mark.parametrize("piece", ["/", "../", "a/", "%2e/", ":", "\\", " ", "?", "#", "http:"])
def test_long_references_take_linear_time(piece: str) -> None:
    with bounded_time():
        for reference in (piece * 100_000, "/a" * 100_000 + piece * 100_000):
            joined(BASE, reference)
            joined(f"http://a/{reference}", reference)
