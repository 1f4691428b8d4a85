"""Several pages at once: the same results as one by one, and each page for itself."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nasty_pages import FILES

from extraction import Extraction, ExtractionError, Page, SiteMemory, extract, extract_many, parse
from extraction.methods.base import Parsed
from extraction.methods.boosted_blocks import BoostedBlocks

POSTS = "".join(
    f"<article class=post><h2>Day {day}</h2><p>{'It rained on the harbour all day. ' * day}"
    "<ul class=tags><li><a href=/rain>rain</a><li><a href=/sea>sea</a></ul></article>"
    for day in range(9)
)
PAGES = (
    f"<title>Rain</title><nav><a href=/>Home</a></nav><main>{POSTS}</main><footer>Us</footer>",
    "<h1>Tides</h1><table><tr><th>Day<th>Tide<tr><td>1<td>high<tr><td>2<td>low</table>",
    "<p>今天天气很好。我们去公园散步，看见了很多人。" * 9,
    "<pre>a = 1\n\nb = 2</pre><p hidden>secret</p>",
    "<img src=x>",
    "",
)
NASTY = [file.read_bytes() for file in FILES.values()]
TOO_LARGE = "<p>" * 2_100_000


def alone(page: str | bytes) -> Extraction | str:
    try:
        return extract(page)
    except ExtractionError as error:
        return str(error)


def together(pages: Sequence[str | bytes]) -> list[Extraction | str]:
    return [str(one) if isinstance(one, ExtractionError) else one for one in extract_many(pages)]


@given(st.lists(st.sampled_from((*PAGES, *NASTY)), max_size=12))
@settings(max_examples=40, deadline=None)
def test_pages_are_read_as_if_alone(pages: list[str | bytes]) -> None:
    assert together(pages) == [*map(alone, pages)]


def test_threads_may_share_the_default_method() -> None:
    with ThreadPoolExecutor(4) as threads:
        assert [*threads.map(alone, PAGES * 4)] == [*map(alone, PAGES)] * 4


def test_a_page_that_cannot_be_parsed_fails_alone() -> None:
    first, failed, last = extract_many([PAGES[0], TOO_LARGE, PAGES[2]])
    assert isinstance(failed, ExtractionError)
    assert "more than" in str(failed)
    assert [first, last] == [extract(PAGES[0]), extract(PAGES[2])]


def test_each_page_has_its_own_address_genre_and_site() -> None:
    memory = SiteMemory()
    pages = [
        Page(PAGES[0], url="https://a.example/1", genre="forum", site=memory),
        Page(PAGES[0], url="https://b.example/"),
    ]
    marked, unmarked = extract_many(pages, format="markdown", links=True)
    assert marked == extract(
        PAGES[0], url="https://a.example/1", genre="forum", site=memory, format="markdown",
        links=True,
    )  # fmt: skip
    assert isinstance(marked, Extraction)
    assert isinstance(unmarked, Extraction)
    assert marked.marks is not None
    assert unmarked.marks is None


@pytest.mark.parametrize("pages", [("", "<p>"), ("", PAGES[0], "<p>")])
def test_empty_pages_have_no_marks_alone_or_among_others(pages: Sequence[str]) -> None:
    found = BoostedBlocks().marks([Parsed(parse(html), None, None) for html in pages])
    assert [marks is not None for marks in found] == [html == PAGES[0] for html in pages]


def test_large_batches_are_read_in_parts() -> None:
    pages = [f"<p>{number} {'<b>x</b> ' * 20_000}" for number in range(4)]
    assert together(pages) == [*map(alone, pages)]


def test_wrong_arguments_are_errors_of_the_caller() -> None:
    with pytest.raises(ValueError, match="poem"):
        extract_many([Page("<p>x", genre="poem")])
    with pytest.raises(TypeError, match="must be str, bytes or a Dom"):
        extract_many([7])  # type: ignore[list-item]
    assert extract_many([]) == []


@pytest.mark.parametrize(
    "pages",
    [
        *("<p>x", b"<p>x", bytearray(b"<p>x"), Page("<p>x", url="https://example.com/")),
        *(parse("<p>x"), None, 5, {"https://example.com/": "<p>x"}),
    ],
)
def test_what_is_no_list_of_pages_is_an_error_of_the_caller(pages: Any) -> None:
    with pytest.raises(TypeError, match=r"^pages is \w+; it must be a list of pages$"):
        extract_many(pages)


@pytest.mark.parametrize("method", ["all-text", "goce", "victor", "trafilatura"])
def test_every_method_reads_several_pages(method: str) -> None:
    assert extract_many(PAGES[:2], method=method) == [
        extract(page, method=method) for page in PAGES[:2]
    ]
