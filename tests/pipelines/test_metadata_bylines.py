"""Bylines: the name in them, and nothing of what stands round it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from corpus_commons.markup import parse
from pipelines.metadata import page_metadata
from pipelines.metadata.authors import byline


def author_of(html: str) -> str | None:
    now = datetime(2026, 5, 1, 12, tzinfo=UTC)
    return page_metadata(parse(html), url="https://example.com/a", fetched_at=now).author


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("By Jane Doe", "Jane Doe"),
        ("Written by: Jane Doe · 4 min read", "Jane Doe"),
        ("Jane Doe, updated 5 May", "Jane Doe"),
        ("Jean-Luc Picard", "Jean-Luc Picard"),
        ("by admin", None),
        ("jane@example.com", None),
        ("About the author", None),
        ("a very long sentence that is certainly no name of anyone", None),
        ("", None),
        ("Post by Jane Doe » Tue Aug 5, 2024", "Jane Doe"),
        ("Submitted by Jane Doe on Tue, 03/04/2014 - 10:11", "Jane Doe"),
        ("홍길동 기자 | 입력 2014.03.04.", "홍길동"),
        ("发表于 2014-3-4 10:11:12", None),
        ("Posted in Gardens By Jane Doe", "Jane Doe"),
        ("Jane Doe Last updated May 5", "Jane Doe"),
        ("Jane Doe (Diary) Thursday, December 5", "Jane Doe (Diary)"),
        ("April Fulton", "April Fulton"),
        ("Thursday Bram | 5 May", "Thursday Bram"),
        ("The Omaha Sun | 5 May", "The Omaha Sun"),
        ("Posted by Dec. 18, 2025", None),
        ("Sun Dec 5, 2024 3:30 pm", None),
        ("5 мая 2024", None),
        ("Updated January 5, 2024", None),
        ("Name *", None),
        ("Name (required)", None),
        ("Topic Author", None),
        ("Sign In", None),
        ("Written By", None),
        ("Jane Doe says:", None),
        ("This review is posted in", None),
        ("成就一亿技术人!", None),
        ("billed annually, or $5", None),
        ("Jane Doe on May 5", "Jane Doe"),
        ("Jane Doe · 5 May", "Jane Doe"),
        ("On Joo-wan", "On Joo-wan"),
        ("Joan Gal·la", "Joan Gal·la"),
        ("乔治·奥威尔", "乔治·奥威尔"),
        ("作者：张三 2024-05-12", "张三"),
        ("文／张三", "张三"),
        ("記者 李明", "李明"),
        ("【聯合報╱記者張嘉芳／台北報導】", "張嘉芳"),
        ("Автор: Иван Петров", "Иван Петров"),
        ("نویسنده: علی رضایی", "علی رضایی"),
        ("ผู้เขียน: สมชาย", "สมชาย"),
        ("Por María José", "María José"),
        ("Beitrag von Jane Doe » 5 May 2024", "Jane Doe"),
        ("Von Maria Voß am 3. Mai 2024", "Maria Voß"),
        ("di Mario Rossi, 4 marzo 2024", "Mario Rossi"),
        ("Par Gérard Lefèvre, le 4 mars 2024", "Gérard Lefèvre"),
        ("Von Miller", "Von Miller"),
        ("von Braun, 3. Mai 2024", "von Braun"),
        ("Von der Redaktion", "Von der Redaktion"),
        ("Recipe by Jane Doe", "Jane Doe"),
        ("Jane Doe 31/12/2024", "Jane Doe"),
        ("Jane Doe 5 May 2024 09:30", "Jane Doe"),
        ("Jane Doe 1 hour 20 minutes ago", "Jane Doe"),
        ("Jane Doe 7 min read", "Jane Doe"),
        # Numbers are parts of other names, and of titles.
        ("style2k6 | 5 May", "style2k6"),
        ("Deploy a Server 2010 Farm", None),
        ("The Example University © 2024", None),
        ("Google profile", None),
        ("Google +", None),
        ("Enter your address", None),
    ],
)
def test_bylines(text: str, name: str | None) -> None:
    assert byline(text) == name


@pytest.mark.parametrize(
    ("lines", "author"),
    [
        ("<p>By Jane Doe</p><p>Health reporter, Example News</p>", "Jane Doe"),
        ("Jane Doe<br>Former editor", "Jane Doe"),
        ("<ul><li>Jane Doe<li><a>View profile</a><li><a>RSS</a></ul>", "Jane Doe"),
        (
            "<div>Written by</div><div>Jane <b>van</b> Doe</div><div>5 May 2024</div>",
            "Jane van Doe",
        ),
        ("<div>Jane Doe</div><div>and Li Na</div><div>Editors</div>", "Jane Doe; Li Na"),
        ("<div>Jane Doe,</div><div>Li Na</div>", "Jane Doe, Li Na"),
        # A teaser has a line that might be a name.
        ("<h3>Yesterday</h3><p>What the whole of the town had been saying all along is true", None),
    ],
)
def test_the_first_line_of_a_byline_with_a_name_has_it(lines: str, author: str | None) -> None:
    assert author_of(f"<div class=byline>{lines}</div>") == author


def test_buttons_in_a_byline_are_no_part_of_the_name() -> None:
    assert author_of("<p class=author>Jane Doe <button>Follow</button></p>") == "Jane Doe"


def test_journals_name_their_authors_in_either_number() -> None:
    names = "<meta name=citation_authors content='Jane Doe'><meta name=citation_authors content=Li>"
    assert author_of(names) == "Jane Doe; Li"


@pytest.mark.parametrize(
    ("page", "author"),
    [
        ("<div class=review-card><p class=review-card_author>Laura B.</p></div>", None),
        ("<blockquote class=CustomerQuote><b class=author>Laura B.</b></blockquote>", None),
        ("<div class=testimonial><p><i><b><u class=author>Laura B.</u></b></i></div>", None),
        ("<div class=authorized-dealer>Authorised Dealer</div>", None),
        # The whole page is a review, or is reviewed; a preview of it; an icon.
        ("<body class=reviews><p class=author>Jane Doe</p>", "Jane Doe"),
        ("<div class='post hReview'><p class=author>Jane Doe</p></div>", "Jane Doe"),
        ("<div class=reviewed><p class=author>Jane Doe</p></div>", "Jane Doe"),
        ("<div class=preview><p class=author>Jane Doe</p></div>", "Jane Doe"),
        ("<p class=fa-quote-left><b class=author>Jane Doe</b></p>", "Jane Doe"),
    ],
)
def test_customers_and_dealers_are_no_authors(page: str, author: str | None) -> None:
    assert author_of(page) == author


@pytest.mark.parametrize(
    "page",
    [
        "<div class='meta submitted'>Submitted by <span class=username>Jane Doe</span> on Tue",
        "<footer><div class=node__submitted>By <span><span>Jane Doe</span></span>, 4 March, 2014",
        "<div class=authi><a class=xw1>Jane Doe</a></div><div class=authi><em>发表于 2014-3-4",
    ],
    ids=["Drupal 7", "Drupal 8", "Discuz"],
)
def test_the_bylines_of_systems_have_their_classes(page: str) -> None:
    assert author_of(f"<h1>A title</h1>{page}") == "Jane Doe"
    assert author_of("<h1>A title</h1><div class=submitted-forms>Jane Doe</div>") is None


@pytest.mark.parametrize(
    ("name", "author"),
    [
        ("autor", "Jane Doe"),
        ("article-autor", "Jane Doe"),
        ("autor_name", "Jane Doe"),
        ("Autoren", "Jane Doe"),
        ("meta auteur", "Jane Doe"),
        ("penulis", "Jane Doe"),
        ("prawa-autorskie", None),
        ("autorisiert", None),
    ],
)
def test_classes_for_authors_are_in_several_languages(name: str, author: str | None) -> None:
    byline = f"<p class='{name}'>Jane Doe</p>"
    assert author_of(byline) == author
    assert author_of(f"<div class=kommentare>{byline}</div>") is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Geschrieben von: Karl Meier", "Karl Meier"),
        ("Verfasst von Karl Meier am 3. Mai 2020", "Karl Meier"),
        ("Publié par Anne Rey", "Anne Rey"),
        ("Propos recueillis par Anne Rey", "Anne Rey"),
        ("Escrito por Ana Ruiz", "Ana Ruiz"),
        ("Scritto da Anna Rossi", "Anna Rossi"),
        ("a cura di Anna Rossi", "Anna Rossi"),
        ("Geschreven door Anna Roos", "Anna Roos"),
        ("Napisane przez Jan Kowalski", "Jan Kowalski"),
        ("tekst: Jan Kowalski foto: Anna Nowak", "Jan Kowalski"),
        ("Опубликовал Иван Петров", "Иван Петров"),
        ("Av: Anna Ros", "Anna Ros"),
        ("Teksti: Anna Ranta", "Anna Ranta"),
        ("Oleh: Budi Santoso", "Budi Santoso"),
        ("Oleh Petrenko", "Oleh Petrenko"),
        ("Penulis: Budi Santoso", "Budi Santoso"),
        ("מאת אנה רו", "אנה רו"),
        ("كتب: أحمد علي", "أحمد علي"),
        ("โดย อันนา โร", "อันนา โร"),
        ("द्वारा अन्ना रो", "अन्ना रो"),
        ("取材・文：山田太郎", "山田太郎"),
        ("山田太郎記者", "山田太郎"),
        ("本报记者", "本报记者"),
        ("김철수 기자 kim@news.kr", "김철수"),
        ("noreply@blogger.com (Jane Doe)", "Jane Doe"),
        ("Super User", None),
        ("q_admin", None),
        ("adminn", None),
    ],
)
def test_the_words_before_and_after_a_name_are_known_in_many_languages(
    text: str, name: str | None
) -> None:
    assert author_of(f"<p class=author>{text}</p>") == name


def test_a_name_below_written_by_in_a_preview_is_the_authors() -> None:
    def preview(label: str) -> str:
        return (
            f"<meta name=twitter:label1 content='{label}'><meta name=twitter:data1 content='A B'>"
        )

    for label in ("Written by", "Verfasst von", "Écrit par", "Escrito por"):
        assert author_of(preview(label)) == "A B"
    assert author_of(preview("Price")) is None
    assert author_of("<meta name=DC.Creator.PersonalName content='Jane Doe'>") == "Jane Doe"


@pytest.mark.parametrize(
    ("lines", "author"),
    [
        ("<p>By Jane Doe</p>", "Jane Doe"),
        ("<div>Written by <a href=/people/jane>Jane Doe</a></div>", "Jane Doe"),
        ("<p><span>By</span><b>Jane Doe</b> and Li Na</p>", "Jane Doe; Li Na"),
        (f"<p>By Jane Doe {' ' * 80}</p>", "Jane Doe"),
        ("<p>A subtitle</p><p>Por Ana Ruiz | 5 de mayo</p>", "Ana Ruiz"),
        # The beginning of a sentence, something of one word, and what is far below the heading.
        ("<p>By the time that it was noon, the harbour was dry.</p>", None),
        ("<p>By Now</p><p>By sea</p>", None),
        (
            "<p>By Jane Doe, who has lived in the town since the harbour was built, and loved it",
            None,
        ),
        (f"<p>{'It rains. ' * 40}</p><p>By Jane Doe</p>", None),
        ("<p>Author Website Follow</p>", None),
        ("<script>By Jane Doe</script>", None),
        # Labels with a colon, also within the line, but those of editors.
        ("<p>Автор: Иван Петров, 12 мая 2024 г.</p>", "Иван Петров"),
        (
            "<p>Dodano: 3 stycznia <span>Autor: Jan Kowalski</span> Fot: Anna Nowak</p>",
            "Jan Kowalski",
        ),
        ("<p>2024年05月12日 10:30 来源：新华社 作者：张三 责任编辑：李四</p>", "张三"),
        ("<p>来源：<a>新华社</a> <span>作者：</span><span>张三</span></p>", "张三"),
        ("<p>来源：新华社 编辑：李四</p>", None),
        ("<p>作者：新华社记者三人</p>", None),
        ("<p>Text: the first of three</p>", None),
    ],
)
def test_a_line_below_the_heading_may_be_a_byline_without_a_class(
    lines: str, author: str | None
) -> None:
    assert author_of(f"<h1>Rain</h1>{lines}") == author
    if author is not None:
        assert author_of(lines) is None
