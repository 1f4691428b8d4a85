"""The HTML report is well-formed, self-contained and safe with hostile pages."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from sample_pages import HOSTILE

from evaluation.pages import Gold
from evaluation.report import WorstPages, report
from evaluation.results import PageKey, Result
from evaluation.scoring import score
from evaluation.summary import summarise

VOID = {"meta", "br"}


class Elements(HTMLParser):
    """The elements of a document, checked to be properly nested, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def of(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.found if tag == name]


def make(results: list[Result], golds: dict[PageKey, Gold], count: int = 20) -> str:
    worst = WorstPages(count, golds)
    scores = [score(result, golds[result.page], ("words",)) for result in results]
    for result, scored in zip(results, scores, strict=True):
        worst.add(result, scored)
    methods = tuple(dict.fromkeys(result.method for result in results))
    summary = summarise(scores, golds, methods, ("words",), ("genre",))
    return "".join(report(summary, worst, golds, {"data": ["a", "b"], "limit": None}))


def gold(text: str, url: str | None = None, genre: str = "article") -> Gold:
    return Gold(text, genre, "en", url, (), ())


def key(identifier: str) -> PageKey:
    return PageKey("set", identifier)


def test_stretches_are_coloured_by_role() -> None:
    html = make(
        [Result(key("1"), "bte", "Menu\nthe red fox", 0.012, None)],
        {key("1"): gold("the red fox jumped", "https://example.org/a?b=1&c=2")},
    )
    assert '<span class="noise">Menu\n</span><span class="kept">the red fox</span>' in html
    assert '<span class="missed">jumped</span>' in html
    page = Elements(html)
    assert "set / 1" in page.text
    assert "precision 0.750, recall 0.750, 12 ms" in page.text
    assert "the red fox jumped" in page.text
    assert {"https://example.org/a?b=1&c=2", "#method-0"} == {a["href"] for a in page.of("a")}


def test_nothing_is_loaded_from_outside_and_nothing_runs() -> None:
    html = make([Result(key("1"), "bte", "text", 0.1, None)], {key("1"): gold("gold")})
    page = Elements(html)
    kinds = {tag for tag, _ in page.found}
    assert not kinds & {"script", "link", "img", "iframe", "object", "form", "base"}
    assert not re.search(r"url\(|@import", html)
    policies = [meta.get("content") for meta in page.of("meta") if "http-equiv" in meta]
    assert policies == ["default-src 'none'; style-src 'unsafe-inline'; img-src data:"]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "https://example.org/'\"><script>",
        "http://[broken",
        " javascript:alert(1)",
    ],
)
def test_hostile_text_stays_text(url: str) -> None:
    page_key = PageKey(HOSTILE, HOSTILE)
    golds = {page_key: gold(f"gold {HOSTILE}", url, HOSTILE)}
    results = [
        Result(page_key, HOSTILE, f"text {HOSTILE}", 0.1, None),
        Result(page_key, "failing", "", None, f"error: {HOSTILE}"),
    ]
    page = Elements(make(results, golds))
    assert "script" not in {tag for tag, _ in page.found}
    assert not any(name.startswith("on") for _, names in page.found for name in names)
    links = [a["href"] or "" for a in page.of("a")]
    assert all(link.startswith(("#method-", "https://example.org/")) for link in links)
    for place in (f"gold {HOSTILE}", f"{HOSTILE} / {HOSTILE}", f"error: {HOSTILE}", url):
        assert place in page.text


def test_the_worst_pages_come_first_and_no_more_than_asked() -> None:
    golds = {key(str(number)): gold("a b c d e f g h i j") for number in range(10)}
    results = [
        Result(page, "bte", "a b c d e f g h i j"[: 2 * number + 1], 0.1, None)
        for number, page in enumerate(golds)
    ]
    html = make(results, golds, count=3)
    assert re.findall(r'class="id">set / (\d)<', html) == ["0", "1", "2"]
    assert html == make(results[::-1], golds, count=3)


def test_of_equally_bad_pages_those_that_lost_more_come_first() -> None:
    golds = {key("empty"): gold(""), key("long"): gold("a long gold"), key("short"): gold("gold")}
    results = [Result(page, "bte", "else", 0.1, None) for page in golds]
    found = re.findall(r'class="id">set / (\w+)<', make(results, golds))
    assert found == ["long", "short", "empty"]


def test_a_failure_shows_its_reason_and_what_was_missed() -> None:
    failed = Result(key("1"), "bte", "", 30.0, "timeout: no result after 30 s")
    html = make([failed], {key("1"): gold("the gold")})
    assert '<p class="error">timeout: no result after 30 s</p>' in html
    assert '<span class="missed">the gold</span>' in html


def test_without_worst_pages_there_are_only_tables() -> None:
    html = make([Result(key("1"), "bte", "text", 0.1, None)], {key("1"): gold("gold")}, count=0)
    page = Elements(html)
    assert len(page.of("table")) == 2
    assert page.of("details") == page.of("nav") == []


def test_the_header_shows_the_settings_of_the_run() -> None:
    page = Elements(make([Result(key("1"), "m", "", 0.1, None)], {key("1"): gold("")}))
    assert "a, b" in page.text
    assert "limit" not in page.text
