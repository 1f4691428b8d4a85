"""The HTML features."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus_commons.markup import Dom, parse
from corpus_commons.markup.forest import Forest
from genre_model.html.characters import CharacterClass, count
from genre_model.html.features import Reading, feature_names, read
from genre_model.training.html.pages import stripped

SENTENCE = "A sentence of some length, with a comma, and then it ends. "
ARTICLE = (
    "<title>The day of rain | A paper</title><nav><a href=/>Home</a> <a href=/a>News</a></nav>"
    "<article><h1>The day of rain</h1><p>3 May 2024, by Ann"
    + "".join(f"<p>{SENTENCE * 4}" for _ in range(8))
    + "</article>"
)
ENTRY = (
    '<div class="entry post-{n}"><h2><a href="/posts/{n}">Number {n} of the news, in short</a>'
    f"</h2><img src=a.png><p>{SENTENCE}</p><time>2024-05-03</time></div>"
)
LIST = "<main>" + "".join(ENTRY.format(n=n) for n in range(10)) + "</main><a href=/2>2</a>"


def together(*pages: str) -> Reading:
    return read(Forest([parse(page) for page in pages]))


def seen(html: str) -> dict[str, float]:
    return dict(zip(feature_names(), together(html).rows[0].tolist(), strict=True))


def test_an_article_is_one_stretch_of_prose():
    article = seen(ARTICLE)
    assert article["run.share-of-prose"] == 1
    assert article["prose.blocks"] == 8
    assert article["parent.share"] > 0.9
    assert article["text.link-density"] < 0.05


def test_the_heading_that_repeats_the_title_is_found():
    article = seen(ARTICLE)
    assert article["title.level"] == 1
    assert article["title.likeness"] > 0.5
    assert article["title.linked"] == 0
    assert article["title.dates-near"] == 1


def test_links_of_menus_are_in_clutter():
    page = seen("<nav><ul>" + "<li><a href=/x>An item of the menu</a>" * 9 + "</ul></nav><p>Text")
    assert page["links.count"] == 9
    assert page["links.outside-clutter"] == 0


def test_page_numbers_in_a_row():
    assert seen("".join(f"<a href=?p={n}>{n}</a> " for n in (1, 2, 3, 4, 90)))["pages.in-row"] == 3


@pytest.mark.parametrize("price", ["$12", "12 €", "¥1,200", "₹ 50"])
def test_prices_are_currency_signs_beside_digits(price):
    assert seen(f"<p>{price}</p>")["text.prices"] == 1
    assert seen("<p>$ and € are currencies</p>")["text.prices"] == 0


def test_scripts_without_spaces_have_words_and_sentences():
    counted = count(
        ["今天下雨了。明天也下雨。", "It rains today. It will rain tomorrow."], np.zeros(2, int)
    )
    assert counted.sentences.tolist() == [2, 2]
    assert counted.words[0] == pytest.approx(counted.words[1], rel=0.3)
    assert counted.counts[0, CharacterClass.FULL_STOP] == 2


def test_chinese_prose_is_prose():
    assert seen("<p>" + "今天下雨了,我们都在家里看书。" * 3)["prose.blocks"] == 1


def test_metadata():
    page = seen(
        '<meta property="og:type" content="article"><meta name="generator" content="Hugo 0.1">'
        '<body class="single-post"><p>Text'
    )
    for name in ("og-article", "generator-blog", "body-single"):
        assert page[f"meta.{name}"] == 1, name
    assert page["meta.og-website"] == page["meta.body-archive"] == 0


@pytest.mark.parametrize(
    ("text", "dated"),
    [("2024", 1), ("May 1970.", 1), ("1969", 0), ("2050", 0), ("12024", 0), ("20245", 0)],
)
def test_a_short_line_with_a_year_is_a_date(text, dated):
    assert seen(f"<p>{text}</p>")["dates.blocks"] == dated


def test_shares_of_names_count_nested_elements_once():
    page = seen(
        "<div class=card><p>one <b class=card>two</b></p></div><p class=toc>three</p><p>four</p>"
    )
    assert page["name.card"] == 2
    assert page["name-share.card"] == pytest.approx(0.5)
    assert page["name-share.toc"] == pytest.approx(0.25)
    assert page["tag-share.p"] == 1


def test_hidden_text_does_not_count():
    assert seen('<p>One two</p><p style="display:none">three four five</p>')["text.words"] == 2


def test_urls_of_the_page_itself_are_not_read():
    head = '<link rel="canonical" href="{0}"><meta property="og:url" content="{0}"><p>Text'
    one, other = together(*map(head.format, ("/2024/05/a-post.html", "/"))).rows
    assert np.array_equal(one, other)


def test_a_stripped_page_has_neither_scripts_nor_style():
    html = '<style>p{}</style><p style="display:none">Text<SCRIPT type=x>1</SCRIPT ></p>'
    assert stripped(html) == "<p>Text</p>"


def test_one_parsed_page_serves_again_and_again():
    dom = parse(LIST)
    one, other = (read(Forest([dom])) for _ in range(2))
    assert np.array_equal(one.rows, other.rows)


TAGS = ["p", "div", "a href=/x", "a href=/x/y", "h1", "li", "img src=x", "article", "table", "td",
        "time", "nav class=menu", "div class='card n1'", "svg", "template", "body class=x", "title",
        "meta name=description content=rain", "script type=application/ld+json"]  # fmt: skip
TEXTS = ["Rain. ", "It rained for a day, and all of us stayed at home. ", "下雨了。", "2024", "7"]
PAGES = st.lists(
    st.one_of(
        st.sampled_from(TAGS).map("<{}>".format),
        st.sampled_from(["</div>", "</a>", "</ul>", "</nav>", "</title>", "</template>"]),
        st.sampled_from(TEXTS),
        st.text(max_size=20),
    ),
    max_size=40,
).map("".join)


@settings(max_examples=40, deadline=None)
@given(PAGES)
def test_every_page_has_all_features_and_they_are_finite(page):
    rows, [words] = together(page)
    assert rows.dtype == np.float32
    assert rows.shape == (1, len(feature_names()))
    assert np.isfinite(rows).all()
    assert np.isfinite(words.values).all()


def assert_read_as_alone(batch: Reading, *alone: Reading) -> None:
    for row, words, own in zip(batch.rows, batch.words, alone, strict=True):
        differing = np.flatnonzero(row != own.rows[0])
        assert [feature_names()[place] for place in differing] == []
        assert np.array_equal(words.buckets, own.words[0].buckets)
        assert np.array_equal(words.values, own.words[0].values)


@settings(max_examples=60, deadline=None)
@given(st.lists(PAGES, min_size=2, max_size=5))
def test_a_page_is_read_alike_alone_and_among_others(pages):
    assert_read_as_alone(together(*pages), *map(together, pages))


def test_whole_pages_are_read_alike_alone_and_among_others():
    pages = [ARTICLE, LIST, "", ARTICLE * 2, "<nav class=menu>Menu</nav><footer>End", LIST]
    assert_read_as_alone(together(*pages), *map(together, pages))


def test_a_price_is_on_one_page():
    assert together("<p>2024", "<p>$").rows[1][feature_names().index("text.prices")] == 0


def test_a_page_without_elements_in_it_is_read_among_others():
    empty, full = Dom(["html"], [""], [{}], [-1]), parse(LIST)
    pages = (empty, full, empty)
    assert_read_as_alone(read(Forest(pages)), *(read(Forest([page])) for page in pages))


def test_names_of_other_attributes_are_not_looked_at():
    page = seen("<p>Text</p><div role=navigation data-testid=card>Other</div>")
    assert page["name.navigation"] == page["name.card"] == 0
