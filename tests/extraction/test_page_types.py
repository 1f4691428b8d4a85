"""What a page is taken for: by the method itself, its caller, or the HTML classifier."""

from __future__ import annotations

from bridge_article import ARTICLE

from corpus_commons.markup.dom import parse
from extraction import Page, extract_many
from extraction.methods.base import Parsed
from extraction.methods.boosted_blocks.page_types import page_types
from genre_model.html.classifier import HtmlClassifier

SHOP = "".join(f'<li class="product-card"><a href="/{n}">Chair {n}</a> € {n}9' for n in range(40))
URL = "https://example.org/forum/viewtopic"
LIKELY, OTHER = {"article": 0.6, "forum": 0.4}, {"article": 0.4, "forum": 0.6}
TOLD = {"listing": 0.7, "collection": 0.3}


def test_its_own_judgement_counts_where_it_finds_an_article() -> None:
    assert page_types([Parsed(parse(SHOP), URL, None, page_type_scores=TOLD)], [LIKELY]) == [LIKELY]


def test_it_counts_where_it_is_sure_of_another_type() -> None:
    sure = {"article": 0.1, "forum": 0.9}
    assert page_types([Parsed(parse(SHOP), URL, None, page_type_scores=TOLD)], [sure]) == [sure]


def test_otherwise_what_the_caller_knows_counts() -> None:
    pages = [
        Parsed(parse(SHOP), URL, "product", page_type_scores=TOLD),
        Parsed(parse(SHOP), URL, None, page_type_scores=TOLD),
    ]
    assert page_types(pages, [LIKELY, OTHER]) == [{"product": 1.0}, TOLD]


def test_otherwise_the_html_classifier_is_asked() -> None:
    pages = [Parsed(parse(html), url, None) for html in (SHOP, ARTICLE) for url in (None, URL)]
    found = page_types(pages, [OTHER, LIKELY, LIKELY, OTHER])
    [shop] = HtmlClassifier.shipped().predict([SHOP])
    [article] = HtmlClassifier.shipped().predict([ARTICLE], [URL])
    assert found == [shop.page_type_scores, LIKELY, LIKELY, article.page_type_scores]


def test_a_model_without_page_types_asks_nobody() -> None:
    assert page_types([Parsed(parse(SHOP), None, None)], [{}]) == [{}]


def test_a_page_has_the_same_text_whether_the_classifier_was_asked_before_or_not() -> None:
    pages = [Page(parse(html), URL) for html in (SHOP, ARTICLE)]
    asked = [
        page._replace(page_type_scores=found.page_type_scores)
        for page, found in zip(
            pages, HtmlClassifier.shipped().predict([SHOP, ARTICLE], [URL, URL]), strict=True
        )
    ]
    assert extract_many(asked) == extract_many(pages)
