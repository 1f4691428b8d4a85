"""Articles with made discussions, from which methods learn what comments are."""

from __future__ import annotations

from random import Random

import lxml.html
import pytest

from extraction.labelled import DataError, LabelledPage
from extraction.training.discussions import discussed

BODY = " ".join(f"The {number}th reason is that rivers change their beds." for number in range(9))
POST = "I was there last week and it is {} metres deep at least."
ARTICLE = LabelledPage(
    "rivers",
    f"<body><nav>Home Maps</nav><main><h1>Rivers</h1><p>{BODY}</p></main>"
    "<footer>Imprint</footer></body>",
    f"Rivers\n{BODY}",
    url="https://rivers.example/1",
    genre="article",
)
FORUM = LabelledPage(
    "thread", "<p>…", "\n".join(POST.format(depth) for depth in range(9)), genre="forum"
)


def made(count: int = 1, *pages: LabelledPage, seed: int = 1) -> list[LabelledPage]:
    return list(discussed([ARTICLE, FORUM, *pages], count, Random(seed)))


@pytest.mark.parametrize("seed", range(30))
def test_posts_of_forums_stand_below_the_article(seed: int) -> None:
    (page,) = made(seed=seed)
    text = lxml.html.document_fromstring(page.html).text_content()
    assert text.index(BODY) < text.index("metres deep")
    assert text.index("Home Maps") < text.index(BODY) < text.index("Imprint")


def test_all_else_about_the_page_stays_but_its_id() -> None:
    (page,) = made()
    assert (page.gold_text, page.url, page.genre) == (ARTICLE.gold_text, ARTICLE.url, "article")
    assert page.id == "discussed-rivers"


def test_the_same_seed_makes_the_same_pages() -> None:
    assert made(seed=4) == made(seed=4) != made(seed=5)


def test_there_are_no_more_than_articles() -> None:
    assert len(made(9)) == 1
    assert made(0) == []


@pytest.mark.parametrize(
    ("html", "gold"),
    [
        ("<p>Something else.", BODY),
        (f"<p>{BODY}", "The 1th reason is that rivers change."),
        (f"<p>{BODY}", "河流" * 200),
        ("", BODY),
    ],
    ids=["not on the page", "short", "no posts of its script", "empty"],
)
def test_an_article_that_does_not_fit_is_left_out(html: str, gold: str) -> None:
    odd = LabelledPage("odd", html, gold, genre="article")
    assert [page.id for page in made(9, odd)] == ["discussed-rivers"]


@pytest.mark.parametrize("page", [ARTICLE, FORUM])
def test_without_articles_or_posts_there_is_nothing_to_make(page: LabelledPage) -> None:
    with pytest.raises(DataError, match="types article and forum"):
        list(discussed([page], 1, Random(1)))
