"""Metadata: from the best place, clean, bounded, and total on whatever a page holds."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_commons.markup import parse
from pipelines.metadata import PageMetadata, identify_language, page_metadata
from tests.cpu_time import bounded_time

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
URL = "https://example.com/a"


def read(html: str, url: str = URL) -> PageMetadata:
    return page_metadata(parse(html), url=url, fetched_at=NOW)


def json_ld(*things: Any) -> str:
    scripts = (orjson.dumps(thing).decode() for thing in things)
    return "".join(f'<script type="application/ld+json">{script}</script>' for script in scripts)


ARTICLE = {
    "@context": "https://schema.org",
    "@graph": [
        {"@type": "WebSite", "name": "The Site", "@id": "#site"},
        {"@type": "WebPage", "headline": "The page", "datePublished": "2020-01-01"},
        {
            "@type": ["NewsArticle"],
            "headline": "The article",
            "author": [{"@id": "#jane"}, {"name": "Li Na"}],
            "datePublished": "2024-02-03T04:05:06.789+01:00",
            "license": {"@id": "https://creativecommons.org/licenses/by/4.0/"},
            "description": "About it.",
        },
        {"@type": "Person", "@id": "#jane", "name": "Jane Doe"},
    ],
}


def test_json_ld_describes_what_the_page_is_about() -> None:
    assert read(json_ld({"@type": "Organization", "name": "Corp"}, ARTICLE)) == PageMetadata(
        title="The article",
        author="Jane Doe; Li Na",
        published="2024-02-03T04:05:06+01:00",
        licence="https://creativecommons.org/licenses/by/4.0/",
        site_name="The Site",
        description="About it.",
    )


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("/b?x=1&amp;utm_source=mail#top", "https://example.com/b?x=1"),
        ("HTTPS://Other.example:443/Ł", "https://other.example/%C5%81"),
        ("http://example.com/a", "http://example.com/a"),
        ("c", "https://example.com/folder/c"),
        (f"{URL}?utm_source=mail#top", None),
        ("#top", None),
        ("", None),
        ("mailto:a@example.com", None),
        ("http://[", None),
        ("/" + "a" * 5_000, None),
    ],
)
def test_a_canonical_link_is_absolute_and_clean_and_not_the_page(
    href: str, expected: str | None
) -> None:
    page = f'<base href="/folder/"><link rel="canonical" href="{href}"><p>A'
    assert read(page).canonical == expected


def test_the_canonical_link_of_a_file_is_known_if_it_is_absolute() -> None:
    assert read(f'<link rel="canonical" href="{URL}">', "file:///a.html").canonical == URL
    assert read('<link rel="canonical" href="/a">', "file:///a.html").canonical is None


def test_open_graph_and_meta() -> None:
    found = read(
        """<title>Wrong</title>
        <meta property="og:title" content="A title | The Site">
        <meta property="og:site_name" content="The Site">
        <meta property="article:published_time" content="2024-02-03">
        <meta name="Author" content="Jane Doe">
        <meta name="description" content="About&amp;nbsp;it.">"""
    )
    assert found == PageMetadata("A title", "Jane Doe", "2024-02-03", None, "The Site", "About it.")


def test_microdata() -> None:
    found = read(
        """<article itemscope itemtype="https://schema.org/Article">
        <span itemprop="headline">A title</span>
        <a itemprop="author" href="/jane">Jane Doe</a>
        <time itemprop="datePublished" datetime="2024-02-03T04:05Z">yesterday</time></article>"""
    )
    assert (found.title, found.author) == ("A title", "Jane Doe")
    assert found.published == "2024-02-03T04:05:00+00:00"


def test_the_words_of_a_page_that_declares_nothing() -> None:
    found = read(
        """<svg><title>Icon</title></svg><h1>A <b>title</b></h1>
        <p class="post-byline">By Jane Doe | 5 May 2024</p>"""
    )
    assert (found.title, found.author) == ("A title", "Jane Doe")
    assert read("<title>Only this</title>").title == "Only this"
    assert read("<p>Nothing") == PageMetadata()


@pytest.mark.parametrize(
    "script",
    [
        '<!-- {"@type": "Article", "headline": "x"} -->',
        '//<![CDATA[\n{"@type": "Article", "headline": "x"}\n//]]>',
        '/*<![CDATA[*/ {"@type": "Article", "headline": "x"} /* ]]>*/ ;',
        '<![CDATA[{"@type": "Article", "headline": "x"}\n ]]>',
        '{"@type": "Article", "headline":\n "x"};',
        '{"@type": "Article", "headline": "\nx\t"}',
    ],
)
def test_json_ld_as_pages_write_it(script: str) -> None:
    assert read(f'<script type="application/ld+json; charset=x">{script}</script>').title == "x"


def test_reviews_comments_and_list_items_are_not_what_the_page_is_about() -> None:
    review = {"@type": "Review", "datePublished": "2025-01-01", "headline": "Great", "author": "Li"}
    product = {"@type": "Product", "name": "A thing", "review": [review]}
    items = {"@type": "ItemList", "itemListElement": [{"item": {**review, "@type": "Article"}}]}
    assert read(json_ld(product, items)) == PageMetadata()
    assert read(json_ld(review)).published == "2025-01-01"
    found = read(
        """<div itemscope itemtype="https://schema.org/Question">
        <time itemprop="dateCreated" datetime="2020-01-02"></time>
        <div itemprop="comment" itemscope><time itemprop="datePublished" datetime="2020-01-01">
        <i itemprop="author">Li</i></div>
        <div itemprop="suggestedAnswer" itemscope><i itemprop="author">Li Na</i></div>
        <span itemprop="author">Jane Doe</span></div>"""
    )
    assert (found.published, found.author) == ("2020-01-02", "Jane Doe")


def test_ids_and_keys_are_no_authors() -> None:
    page = "<meta name=author content=262588213843476><meta name=author content=page.head.author>"
    assert read(page).author is None
    assert read(page + "<meta name=author content=J.R.R.Tolkien>").author == "J.R.R.Tolkien"


@pytest.mark.parametrize(
    "other",
    [
        "<form><p class=comment-form-author>Your name, please</p></form>",
        "<label class=author>Your name, please</label>",
        "<p class=comment-author>Li Na</p>",
        "<li class='comment even'><div><div><cite class=author>Li Na</cite></div></div></li>",
    ],
)
def test_who_writes_comments_is_not_the_author(other: str) -> None:
    assert read(f"<body>{other}").author is None
    page = f"<body class=comments-open>{other}<p class=author>Jane Doe"
    assert read(page).author == "Jane Doe"


def test_lines_of_chinese_are_joined_without_a_space() -> None:
    assert read("<title>中国位于\n  亚洲东部</title>").title == "中国位于亚洲东部"


def test_values_are_clean_and_bounded() -> None:
    found = read(
        f"""<meta property="og:title" content="A&lt;b&gt;B&lt;/b&gt;\u200b  {"x " * 9000}">
        <meta name="description" content="{"文" * 9000}">
        <meta property="og:site_name" content="a\x01b">"""
    )
    assert found.title is not None
    assert found.title.startswith("A B x x")
    assert len(found.title) <= 300
    assert found.description == "文" * 999 + "…"
    assert found.site_name == "ab"


HOSTILE = {
    "deep JSON": f'<script type="application/ld+json">{"[" * 100_000}</script>',
    "spaces in JSON": f'<script type="application/ld+json">"\n"{" " * 300_000}x</script>',
    "spaces after JSON": f'<script type="application/ld+json">]]>{" " * 300_000}x</script>',
    "wide JSON": json_ld([{"@type": "Article", "author": {}}] * 50_000),
    "odd JSON": json_ld(
        *({"@type": kind, "author": value, "headline": value, "@id": value, "datePublished": value}
          for kind in ("Article", 1, None, [], ["Article", 1], {"a": 1})
          for value in (None, 1, [], [[]], [None], {}, {"name": {}}, {"name": [[]]}, [{"@id": []}]))
    ),
    "itself": json_ld({"@type": "Article", "@id": "#a", "author": {"@id": "#a"}}),
    "many meta": '<meta name="a" content="b">' * 50_000,
    "many names": "".join(f'<meta name="n{n}" content="b">' for n in range(20_000)),
    "many bylines": '<p class="author">' + '<b class="byline">x' * 20_000,
    "long values": f'<meta name="author" content="{"by " * 300_000}">' * 3,
    "tags": f'<meta name="author" content="{"<a" * 300_000}">',
    "spaces": f'<h1>{" | " * 300_000}</h1><meta property="og:site_name" content="x">',
    "titles": "<h1>" + "<i>x</i>" * 100_000,
    "headings": "<h1>x</h1>" * 20_000 + "<p class=date>May 5, 2024" * 20_000,
    "years": "<h1>x</h1>" + "<p class=date>2024" * 20_000,
    "deep dates": "<h1>" + "<div class=time>" * 500 + "<time datetime='13/14/2024'>" * 20_000,
    "long text": "<h1>x</h1>" + "2024" * 500_000,
    "headlines": json_ld(*([{"@type": "Article", "headline": "a b " * 70}] * 1000 for _ in "12"))
    + '<meta property="og:title" content="c d e f">' * 1000,
    "credits": f"<p>{'x' * 100_000}" + '<a href="//creativecommons.org/">x' * 20_000,
    "long classes": f'<div class="{"x" * 500_000}">' + "<p class=author>1" * 20_000,
}  # fmt: skip


@pytest.mark.parametrize("page", HOSTILE.values(), ids=HOSTILE)
def test_hostile_pages_are_read_in_bounded_time(page: str) -> None:
    dom = parse(page)
    with bounded_time():
        found = page_metadata(dom, url=URL, fetched_at=NOW)
    assert all(len(value or "") <= 1000 for value in (found.title, found.author, found.licence))


PIECES = st.sampled_from(
    ["<meta name=author content='", "'>", "<time datetime='", "<a rel=license href='", "<h1>",
     "<script type=application/ld+json>", "</script>", '{"@type":"Article","author":', '["x"]', "}",
     "<p itemprop='author datePublished'>", "<p class=byline>", "by ", "2024-01-01", "\ud800", "<",
     "<p itemprop=comment>", "<html lang=fr>", "<p class=date>", "3/4/2020", "5 May ", "updated ",
     "1985", "2031", "</p>"]
)  # fmt: skip


def assert_sound(found: PageMetadata) -> None:
    if found.published is not None:
        day = datetime.fromisoformat(found.published).date()
        assert date(1605, 1, 1) <= day <= NOW.date() + timedelta(days=1)


@given(st.binary(max_size=200))
def test_any_bytes_have_metadata(page: bytes) -> None:
    assert_sound(page_metadata(parse(page), url=URL, fetched_at=NOW))


@given(st.lists(st.one_of(PIECES, st.text(max_size=5)), max_size=30).map("".join))
def test_any_page_has_metadata(page: str) -> None:
    found = read(page)
    assert_sound(found)
    for value in (found.title, found.author, found.published, found.licence, found.description):
        assert value is None or (value.strip() and "\n" not in value and value.encode())


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The committee will meet again in the autumn to discuss the new proposals.", "en"),
        ("Der Ausschuss trifft sich im Herbst wieder, um die Vorschläge zu besprechen.", "de"),
        ("委员会将在秋天再次开会，讨论新的提案，并决定下一步的工作计划。", "zh"),
        ("委員会は秋に再び会合を開き、新しい提案について話し合う予定です。", "ja"),
    ],
)
def test_the_language_of_a_text(text: str, language: str) -> None:
    found = identify_language(text)
    assert found is not None
    assert found[0] == language
    assert 0.5 < found[1] <= 1


def test_chinese_amid_code_and_names_is_chinese() -> None:
    text = "2023-01-02 Git常用命令总结\n2022-05-06 Docker部署Nginx\n2022-03-04 Linux下安装Python3"
    found = identify_language(text)
    assert found is not None
    assert found[0] == "zh"


def test_chinese_is_as_sure_as_it_and_wu_together_and_read_without_spaces_for_the_eye() -> None:
    text = "中国位于亚洲东部，太平洋西岸，是世界上人口最多的国家之一，首都北京，人口众多。"
    assert identify_language(" ".join(text)) == identify_language(text)
    found = identify_language(text)
    assert found is not None
    assert found[0] == "zh"
    assert found[1] > 0.9


@pytest.mark.parametrize(
    "text",
    [
        *("", "12345 67890 " * 50, "too short", "\ud800" * 50),
        # Words, but of no language: each one of a hundred is as likely as the next.
        *("Ibuprofen 200mg Paracetamol 500mg Aspirin", "def foo(x): return x + 1 # bar baz"),
    ],
)
def test_a_text_without_words_has_no_language(text: str) -> None:
    assert identify_language(text) is None


def test_a_long_text_costs_no_more_than_its_sample() -> None:
    with bounded_time():
        identify_language("A sentence of a book that does not end. " * 100_000)
