"""Authors: who wrote the page, or began the thread."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from corpus_commons.markup import parse
from pipelines.metadata import PageMetadata, page_metadata

PERSON = "itemprop=author itemscope itemtype='https://schema.org/Person'"


def read(html: str) -> PageMetadata:
    now = datetime(2026, 5, 1, 12, tzinfo=UTC)
    return page_metadata(parse(html), url="https://example.com/a", fetched_at=now)


@pytest.mark.parametrize(
    ("item", "author"),
    [
        ("<i>J</i> <b itemprop=name>Jane Doe</b> <i>Senior moderator</i>", "Jane Doe"),
        ("<a itemprop='url name' href=/jane>Jane Doe</a> 6,796", "Jane Doe"),
        ("<meta itemprop=name content='Jane Doe'>" + "reputation 1,234 " * 20, "Jane Doe"),
        ("Jane Doe", "Jane Doe"),
        ("<meta itemprop=name content=''>", None),
        # A biography without a name in it.
        ("She was born in a small town by the sea. " * 5, None),
    ],
)
def test_an_author_who_is_an_item_has_the_items_name(item: str, author: str | None) -> None:
    assert read(f"<div {PERSON}>{item}</div>").author == author


def test_a_reply_tells_neither_author_nor_date_of_its_thread() -> None:
    def reply(properties: str) -> str:
        return (
            f"<article itemscope itemtype='https://schema.org/Comment'>{properties}"
            f"<div {PERSON}><b itemprop=name>Li Na</b></div>"
            "<time itemprop=datePublished datetime=2024-02-04>Sunday</time></article>"
        )

    thread = "<meta itemprop=parentItem itemscope itemid=/threads/1>"
    first = "<h1>Rain</h1><article><time datetime=2024-02-03>Saturday</time> It rains.</article>"
    found = read(first + reply(thread))
    assert (found.author, found.published) == (None, "2024-02-03")
    # Some forums call the first post a comment, too.
    found = read("<h1>Rain</h1>" + reply(""))
    assert (found.author, found.published) == ("Li Na", "2024-02-04")


@pytest.mark.parametrize(
    ("first", "author"),
    [
        ("<article class=message data-author=jane_d><h4 class=message-name>jane_d</h4>", "jane_d"),
        ("<dl class=postprofile><dt><a class=username href=/u/2>jane_d</a></dl>", "jane_d"),
        ("<dl class=postprofile><dt><a class=username-coloured>jane_d</a></dl>", "jane_d"),
        ("<table><td class=alt2><a class=bigusername>jane_d</a></table>", "jane_d"),
        ("<div class=titleBar><p>Started by <a class=username>jane_d</a></div>", "jane_d"),
        ("<li class=kpost-username>jane_d</li>", "jane_d"),
        # Of whoever is signed in, or has posted elsewhere.
        ("<div class=username>jane_d</div>", None),
        ("<aside class=posts><a class=username>jane_d</a></aside>", None),
        ("<form class=post><a class=username>jane_d</a></form>", None),
    ],
)
def test_who_began_a_thread_is_its_author(first: str, author: str | None) -> None:
    reply = "<div class=post><a class=username>Li</a></div>" if author else ""
    assert read(f"<h1>Rain</h1>{first}{reply}").author == author
    byline = "<p class=byline>By Jane Doe</p>"
    assert read(byline + first).author == "Jane Doe"


def test_a_name_in_capitals_is_no_other_author() -> None:
    names = ("Jane Doe", "JANE DOE", "Li Na")
    assert read("".join(f"<meta name=author content='{name}'>" for name in names)).author == (
        "Jane Doe; Li Na"
    )


@pytest.mark.parametrize(
    ("listed", "author"),
    [
        ("Jane Doe and Li Na", "Jane Doe; Li Na"),
        ("Anna Roth und Karl Meier", "Anna Roth; Karl Meier"),
        ("Ana Reis e João Luz", "Ana Reis; João Luz"),
        ("Jane Doe, Vincent van Gogh, and Ana Ruiz", "Jane Doe; Vincent van Gogh; Ana Ruiz"),
        ("Jane Doe, Li Na, Ana Ruiz, Karl Meier", "Jane Doe; Li Na; Ana Ruiz; Karl Meier"),
        ("Doe J;Na L;", "Doe J; Na L"),
        ("张三、李四", "张三; 李四"),
        # A newspaper, an office, a firm and a couple.
        ("Jane Doe, Daily Mirror", "Jane Doe, Daily Mirror"),
        ("Jane Doe, Chief Scientist and News Editor", "Jane Doe, Chief Scientist and News Editor"),
        ("Jane Doe and Li Na, The Harbour News", "Jane Doe and Li Na, The Harbour News"),
        ("Privacy and Security Group", "Privacy and Security Group"),
        ("Maria and Ana Ruiz", "Maria and Ana Ruiz"),
    ],
)
def test_each_of_several_authors_is_one(listed: str, author: str) -> None:
    assert read(f"<meta name=author content='{listed}'>").author == author
    assert read(f"<p class=byline>By {listed.rstrip(';')}</p>").author == author
    thing = f'{{"@type": "Article", "author": {{"name": "{listed}"}}}}'
    assert read(f"<script type=application/ld+json>{thing}</script>").author == author


def test_a_value_that_lists_the_other_authors_is_left_out() -> None:
    names = ("Jane Doe, Li Na, Ana Ruiz", "Jane Doe", "Li Na", "Ana Ruiz")
    page = "".join(f"<meta name=author content='{name}'>" for name in names)
    assert read(page).author == "Jane Doe; Li Na; Ana Ruiz"


def test_the_neighbours_of_the_first_author_are_authors() -> None:
    links = "<a rel=author href=/j>Jane Doe</a> and <a rel=author href=/l>Li Na</a>"
    more = "<a rel=author href=/j>More posts</a><p><a rel=author href=/a>Ana Ruiz</a>"
    assert read(f"<p><a rel=author href=/j><img></a>{links}{more}").author == "Jane Doe; Li Na"
    items = "<i itemprop=author>Jane Doe</i>, <i itemprop=author>Li Na</i>"
    assert read(f"<p>{items}<p><i itemprop=author>Ana Ruiz</i>").author == "Jane Doe; Li Na"
