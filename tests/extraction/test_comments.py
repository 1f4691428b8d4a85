"""Readers' comments: separated from the article, but kept if they are the main content."""

from __future__ import annotations

from dataclasses import replace

import pytest

from corpus_commons.markup.dom import Dom
from extraction import Extraction, Output, extract, extractor
from extraction.methods.all_text import AllText
from tests.cpu_time import bounded_time

WORDS = "The tide comes in twice a day because the earth turns under two bulges of water. "
ARTICLE = f"<article><h1>Tides</h1><p>{WORDS * 5}</p></article>"
COMMENTS = """
<div id="comments" class="comments-area"><h2>2 comments</h2><ol class="comment-list">
<li class="comment"><b>Ann</b> <time>May 1</time><p>Nicely explained.</p><a href="#r">Reply</a></li>
<li class="comment"><b>Bob</b> <time>May 2</time><p>What about <i>lakes</i>?</p><a>Reply</a></li>
<li class="comment"><b>Ann</b> <time>May 3</time><p>Too small.</p><a>Reply</a></li></ol>
<form id="commentform"><label>Name</label><textarea>Your words</textarea><button>Send</button>
</form></div>"""
PAGE = f"<body>{ARTICLE}{COMMENTS}<p>{WORDS}</p>"


class Careful(AllText):
    """Keeps all text, but drops comments."""

    drops_comments = True


class OfManuals(Careful):
    """Takes every page for documentation."""

    def extract_dom(self, dom: Dom, *, url: str | None, genre: str | None) -> Extraction:
        found = super().extract_dom(dom, url=url, genre=genre)
        return replace(found, page_type_scores={"documentation": 0.9})


def kept(page: str, comments: str = "drop", **known: str) -> Extraction:
    return Careful().extract(page, output=Output(comments=comments), **known)  # type: ignore[arg-type]


def test_comments_are_dropped_by_methods_with_drops_comments() -> None:
    assert kept(PAGE).text == f"Tides\n\n{(WORDS * 5).strip()}\n\n{WORDS.strip()}"
    assert "Nicely" in extract(PAGE, method="all-text").text


def test_kept_comments_are_in_place_and_marked() -> None:
    found = kept(PAGE, "keep")
    marked = [block.text for block in found.blocks if block.comment]
    assert marked == [
        *("2 comments", "Ann May 1", "Nicely explained."),
        *("Bob May 2", "What about lakes?", "Ann May 3", "Too small."),
    ]
    assert found.text.index("twice") < found.text.index("Nicely") < found.text.rindex("twice")
    assert found.comments == ""


def test_separate_comments_are_no_text() -> None:
    found = kept(PAGE, "separate")
    assert found.text == kept(PAGE).text
    assert not any(block.comment for block in found.blocks)
    assert found.comments == (
        "2 comments\n\nAnn May 1\nNicely explained.\n"
        "Bob May 2\nWhat about lakes?\nAnn May 3\nToo small."
    )


def test_comments_that_the_method_had_dropped_are_found_all_the_same() -> None:
    page = f"<body>{ARTICLE}{COMMENTS}"
    method = extractor("goce-article")
    assert "lakes" not in method.extract(page).text
    assert "lakes" in method.extract(page, output=Output(comments="separate")).comments
    assert "lakes" in method.extract(page, output=Output(comments="keep")).text


def test_comments_are_written_in_the_same_format() -> None:
    found = Careful().extract(PAGE, output=Output("markdown", comments="separate"))
    assert "What about *lakes*?" in found.comments
    assert found.text.startswith("# Tides\n\n")
    found = Careful().extract(PAGE, output=Output("html", comments="separate"))
    assert "<p>What about <em>lakes</em>?</p>" in found.comments


@pytest.mark.parametrize("choice", ["drop", "keep", "separate"])
def test_posts_of_a_forum_are_no_comments(choice: str) -> None:
    forum = kept(PAGE, choice, genre="forum")
    assert "Nicely explained." in forum.text
    assert forum.comments == ""


@pytest.mark.parametrize(
    "sign",
    [
        '<div itemscope itemtype="https://schema.org/QAPage"></div>',
        '<script type="application/ld+json">{"@type": "DiscussionForumPosting"}</script>',
        '<script type="Application/LD+JSON; x=y">{"@type": "DiscussionForumPosting"}</script>',
        '<i class="forum-icon"></i>' * 10,
    ],
)
def test_a_page_that_declares_a_discussion_is_one(sign: str) -> None:
    assert "Nicely explained." in kept(PAGE + sign).text


def test_a_page_of_hardly_anything_but_comments_is_a_discussion() -> None:
    page = "<body><h1>Tides</h1>" + COMMENTS.replace("Nicely explained.", WORDS * 3)
    assert "twice" in kept(page).text


@pytest.mark.parametrize(
    "markup",
    [
        "<body class='comments-open'><p>{}</p>",
        "<main id='comments'><p>{}</p></main>",
        "<div class='has-comments'><h1>Tides</h1><p>{}</p></div>",
        "<aside class='recent-comments'><p>{}</p></aside>",
        "<section class='testimonial-comment'><p>{}</p></section>",
        "<pre><span class='hljs-comment'>{}</span></pre>",
        "<div class=fragment><div class=line><span class=comment>{}</span></div></div>",
        "<p class='commentary'>{}</p>",
    ],
)
def test_names_with_comment_that_are_not_comment_sections(markup: str) -> None:
    page = f"<body><p>{WORDS * 5}</p>" + markup.format("Nicely explained.")
    assert "Nicely explained." in kept(page).text


@pytest.mark.parametrize(
    "name",
    "no-comments comments-off comments-open has-comments comments_disabled comment-status-closed "
    "hide-comments commentsEnabled comment-free with-comments allow-comments commentable".split(),
)
def test_a_name_may_say_no_more_than_whether_there_are_comments(name: str) -> None:
    page = f"<body><div class='{name}'><p>{WORDS * 5}</p></div><p>{WORDS * 3}</p>"
    assert kept(page).text.count("twice") == 8
    assert kept(page, "separate").comments == ""


@pytest.mark.parametrize(
    "name", "art-komentarze komentarzWiersz lista-comentarios Kommentare reacties yorumlar".split()
)
def test_elements_may_be_named_in_other_languages(name: str) -> None:
    page = f"<body>{ARTICLE}<div class='{name}'><p>Nicely explained.</div><p>{WORDS}</p>"
    assert "Nicely explained." not in kept(page).text
    assert kept(page, "separate").comments == "Nicely explained."


def test_a_number_of_comments_is_no_comment() -> None:
    page = f"<body>{ARTICLE}<p class='comment-count'>4 comments on tides</p>{COMMENTS}"
    assert "4 comments on tides" not in kept(page, "separate").comments


@pytest.mark.parametrize("names", ["class='entry-content comment-box'", "class=story id=comments"])
def test_what_holds_most_of_the_text_and_is_called_so_is_the_text(names: str) -> None:
    body = f"<div {names}><p>{WORDS * 9}</p>{COMMENTS}</div>"
    page = f"<body><p>{WORDS * 3}</p>{body}"
    assert kept(page).text.count("twice") == 12
    assert "Nicely" not in kept(page).text


def test_comments_may_be_most_of_the_text() -> None:
    comments = COMMENTS.replace("Nicely explained.", WORDS * 30)
    assert kept(f"<body>{ARTICLE}{comments}").text.count("twice") == 5
    one = f"<div class='article-comments'><p>{WORDS * 30}</p></div>"
    assert kept(f"<body>{ARTICLE}{one}").text.count("twice") == 5


@pytest.mark.parametrize(
    "field",
    [
        "<div class='list-comments'><b>Comments:</b> 9 pages</div>",
        "<table><tr><td>Comments:</td><td class='tablecell comments'>9 pages</td></table>",
    ],
)
def test_a_field_of_a_record_is_no_comment_section(field: str) -> None:
    assert "9 pages" in kept(f"<body>{ARTICLE}{field}").text


def test_elements_in_one_another_do_not_each_have_their_text_read_to_its_end() -> None:
    page = f"<body>{ARTICLE}{'<div class=comment>' * 400}Comment: {'1' * 9_000_000}"
    with bounded_time():
        kept(page)


def test_a_manual_may_have_a_section_on_comments() -> None:
    section = f"<section id=comments><h2>Comments</h2><p>{WORDS}</section>"
    above, below = f"<main><p>{WORDS}", f"<p>{WORDS}</main>"
    found = OfManuals().extract(above + section + below)
    assert found.text.count("twice") == 3
    assert "Comments" in found.text
    assert kept(above + section + below).text.count("twice") == 2
    assert OfManuals().extract(above + section).text.count("twice") == 1


def test_comments_in_a_librarys_text_are_kept() -> None:
    pytest.importorskip("resiliparse")
    found = extract(PAGE, method="resiliparse", comments="separate")
    assert (found.comments, found.text) == ("", extract(PAGE, method="resiliparse").text)
