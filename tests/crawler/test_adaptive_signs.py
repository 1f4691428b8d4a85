"""What the markup of a static page promises of scripts."""

from __future__ import annotations

import pytest

from corpus_commons.empty_pages import PageText, judge
from corpus_commons.markup import parse
from crawler.adaptive.prospects import Kind
from crawler.discovery.signs import Sign, sign_of

SCRIPT = "<script src=/app.js></script>"
TEXT = "<p>" + "It rained for two days, and the river rose. " * 8 + "</p>"


def sign(html: str) -> Sign:
    page = PageText(parse(html))
    return sign_of(page, judge(page))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"{SCRIPT}<div id=root></div>", Sign.EMPTY),
        (f"<title>404 Not Found</title><h1>Not found</h1>{SCRIPT}", Sign.WALL),
        (TEXT, Sign.NO_SCRIPTS),
        (f"{TEXT}<script type=application/json>{{}}</script>", Sign.NO_SCRIPTS),
        (f"{TEXT}{SCRIPT}", Sign.SCRIPTED),
        (f"{TEXT}<p>{{{{ page.title }}}}</p>{SCRIPT}", Sign.TEMPLATE),
        (f"{TEXT}<pre>{{{{ page.title }}}}</pre>{SCRIPT}", Sign.SCRIPTED),
        (f"{TEXT}<ul><li v-for='one in all'></li></ul>{SCRIPT}", Sign.TEMPLATE),
        (f"{TEXT}<div data-bind='foreach: stories'></div>{SCRIPT}", Sign.TEMPLATE),
        (f"{TEXT}<div id=app></div>{SCRIPT}", Sign.SHELL),
        (f"<body>{TEXT}<story-view></story-view>{SCRIPT}", Sign.SHELL),
        (f"{TEXT}<noscript>Please enable JavaScript.</noscript>{SCRIPT}", Sign.NOTICE),
        (f"{TEXT}<div aria-busy=true><b></b></div>{SCRIPT}", Sign.WAITING),
        (f"{TEXT}<div class='card skeleton'></div>{SCRIPT}", Sign.WAITING),
        (f"{TEXT}<ul id=results></ul>{SCRIPT}", Sign.HOLLOW),
        (f"{TEXT}<main><img src=a.png></main>{SCRIPT}", Sign.SCRIPTED),
        (f"<div id=__next>{TEXT}</div>{SCRIPT}", Sign.HYDRATED),
        (f"<div data-reactroot>{TEXT}</div>{SCRIPT}", Sign.HYDRATED),
    ],
)
def test_the_strongest_sign_of_a_page_counts(html: str, expected: Sign) -> None:
    assert sign(html) == expected


def test_an_article_that_only_json_ld_holds_is_noted() -> None:
    body = '{"@type": "Article", "articleBody": "%s"}' % ('Rain \\"and\\" wind. ' * 90)
    held = f'<script type="application/ld+json; charset=utf-8">{body}</script>{SCRIPT}'
    assert sign(TEXT + held) == Sign.DATA
    assert sign(TEXT * 6 + held) == Sign.SCRIPTED


def test_a_long_page_is_not_searched_for_places_that_scripts_may_fill() -> None:
    assert sign(TEXT * 10 + f"<ul id=results></ul>{SCRIPT}") == Sign.SCRIPTED


def test_walls_and_pages_without_scripts_gain_nothing_whatever_they_lack() -> None:
    for one in Sign:
        poor, rich = Kind(one, is_poor=True), Kind(one, is_poor=False)
        assert poor.may_gain == rich.may_gain == (one not in (Sign.WALL, Sign.NO_SCRIPTS))
        assert 0 <= rich.expected <= poor.expected <= 1
        assert (poor.expected > 0) == poor.may_gain
