"""Hostile markup is made safe, all other markup is unchanged."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from corpus_commons.markup import MarkupError, parse
from corpus_commons.markup import tame as tame_module
from corpus_commons.markup.nesting import Caps, Nesting
from corpus_commons.markup.tame import count_start_tags, tame
from corpus_commons.markup.tokens import ATTRIBUTE, TOKEN
from extraction import extract
from tests.cpu_time import bounded_time

DEPTH_CAP = 512
FORMATTING_CAP = 64

ORDINARY = (
    b"<title>a < b</title><script>if (a<b && '</div>') {}"
    b"<!-- <script> </script> --></script><style>p > a {}</style><div class='x > y'>"
    b"<p>One<p>two <b>bold <i>both</i></b><ul><li>a<li>b</ul><table><tr><td>1<td>2</table>"
    b"<svg viewBox='0 0 1 1'><path d='M0'/><title>t</title></svg><br/><!-- <div> -->"
    b"<textarea><div></textarea><select><option>a<option>b</select><a href='?a=1&b=2'>l</a></div>"
)


@pytest.mark.parametrize("repeats", [1, 400])
def test_an_ordinary_page_is_not_touched(repeats: int) -> None:
    page = b"<!DOCTYPE html><html lang=en><head></head><body class=x>" + ORDINARY * repeats
    assert tame(page) == page


@pytest.mark.parametrize(
    "attribute",
    [
        b'data-json="' + b"{ 'a': 1 / 2 > 0 } " * 5_000 + b'"',
        b'class="' + b"name " * 200_000 + b'"',
        b"src=data:image/png;base64," + b"iVBORw0KGgo/" * 50_000,
    ],
    ids=["json", "class", "data-url"],
)
def test_one_long_attribute_is_not_touched(attribute: bytes) -> None:
    page = b"<p " + attribute + b">text</p>"
    assert tame(page) == page


def test_a_less_than_sign_without_its_end_is_not_a_tag() -> None:
    page = b"<script>" + b"for(i=0;i<n;i++)'\"'" * 5_000 + b"</script><p>text</p>"
    assert tame(page) == page


DEEP = {
    "divisions": ("<div>", ""),
    "end tags of other elements": ("<div></span>", ""),
    "end tags that are out of scope": ("<div><object></div>", ""),
    "end tags in a comment": ("<div><!-- </div> -->", ""),
    "end tags in a script": ("<div><script></div></script>", ""),
    "end tags in a script in a comment": (
        "<div><script><!--<script></script></div>--></script>",
        "",
    ),
    "end tags in an attribute": ("<div a='</div>'>", ""),
    "end tags in a textarea": ("<div><textarea></div></textarea>", ""),
    "end tags in CDATA": ("<svg><g><![CDATA[></g>]]>", ""),
    "formatting": ("<b>", ""),
    "formatting misnested": ("<b></i>", ""),
    "spans": ("<span>x", ""),
    "ruby text": ("<rt>", ""),
    "lists": ("<ul><li>", ""),
    "definitions": ("<dl><dd>", ""),
    "tables": ("<table><tr><td>", ""),
    "tables without cells": ("<table>", ""),
    "captions": ("<table><caption>", ""),
    "templates": ("<template>", ""),
    "selects closed by inputs": ("<select><input><div></select>", ""),
    "svg": ("<svg>", ""),
    "svg groups": ("<g>", "<svg>"),
    "void elements in svg": ("<link>", "<svg>"),
    "elements that svg does not close": ("<g a=1/>", "<svg>"),
    "html in svg": ("<svg><foreignObject><div>", ""),
    "math": ("<math><mi>", ""),
    "forms": ("<form><div></form>", ""),
    "frame sets": ("<frameset>", ""),
    "objects": ("<object>", ""),
    "upper case": ("<DIV></Span>", ""),
    "unknown elements": ("<x-y>", ""),
}


@pytest.mark.parametrize(("unit", "before"), DEEP.values(), ids=DEEP.keys())
def test_depth_is_capped(unit: str, before: str) -> None:
    page = f"<body>{before}{unit * 15_000}<p>the end"
    with bounded_time():
        dom = parse(page)
    # Tables get an implied <tbody>.
    assert dom.depths.max() <= 1.5 * DEPTH_CAP + FORMATTING_CAP


@pytest.mark.parametrize("unit", ["<div>word ", "<b>word ", "<blockquote><p>word ", "<i></b>word "])
def test_capping_keeps_all_text(unit: str) -> None:
    dom = parse(f"<body>{unit * 15_000}")
    assert "".join(dom.texts).split() == ["word"] * 15_000


def test_elements_beyond_the_cap_still_begin_a_line() -> None:
    text = extract("<div>word " * 15_000, method="all-text").text
    assert text.split("\n\n") == ["word"] * 15_000


def test_end_tags_of_dropped_elements_are_dropped_with_them() -> None:
    page = b"<div id=out>" + b"<div>" * 15_000 + b"</div>" * 15_000 + b"<p>in</p></div><p>out</p>"
    dom = parse(page)
    [inside, outside] = [node for node, text in enumerate(dom.texts) if text in ("in", "out")]
    depth_of_body = dom.depths[dom.tags.index("body")]
    assert dom.depths[inside] == depth_of_body + 3
    assert dom.depths[outside] == depth_of_body + 2


@pytest.mark.parametrize(
    "page",
    [
        "".join(f"<b class=i{i}>" for i in range(7_000)) + "<p>x" * 30_000,
        "".join(f"<b class=i{i}>" for i in range(60)) + "<p>x" * 60_000,
        "<p>" + "".join(f"<font color={i}>" for i in range(3_000)) + "<p>x</p>y" * 30_000,
        "<p><a href=x><b><i>" + "<table><tr><td><b>x" * 5_000,
    ],
    ids=["7000 left open", "60 left open", "fonts", "tables"],
)
def test_reconstructed_formatting_is_limited(page: str) -> None:
    with bounded_time():
        dom = parse(page)
    assert len(dom) < 1_000_000
    assert "".join(dom.texts).count("x") == page.count("x") - page.count("href=x")


def test_a_long_value_in_a_deep_page_is_read_once() -> None:
    page = b"<b>" * 20_000 + b"<svg><path d=" + b"=" * 250_000 + b" />text"
    with bounded_time():
        tame(page)


OPTIONS = {
    "options": "<option>word " * 30_000,
    "options that are closed": "<OPTION value='>' selected>word </option>" * 30_000,
    "groups": "<optgroup label=x><option>word </optgroup>" * 30_000,
    "options after others": "<p>word " * 29_000 + "<option>word " * 1_000 + "<hr>" * 90_000,
    "options after a list that ends in a script": "<script>'</select>'</script><option>word "
    * 30_000,
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS.keys())
def test_options_are_capped(options: str) -> None:
    with bounded_time():
        dom = parse(f"<select>{options}</select><p>after")
    assert "".join(dom.texts[node] for node in np.flatnonzero(dom.visible)).count("word ") == 30_000
    assert dom.texts[-1] == "after"


@pytest.mark.parametrize(
    "page",
    [
        "<select>" + "<option>Ashford" * 7_000 + "</select>",
        "<p>word</p>" * 80_000 + "<select>" + "<option>Ashford</option>" * 5_000 + "</select>",
        "<datalist>" + "<option>Ashford" * 40_000 + "</datalist>",
    ],
    ids=["towns", "towns after a long text", "suggestions"],
)
def test_a_list_of_thousands_is_not_touched(page: str) -> None:
    assert tame(page.encode()) == page.encode()


ATTRIBUTES = {
    "names": "".join(f" a{i}" for i in range(100_000)),
    "names and values": "".join(f" a{i}=1" for i in range(100_000)),
    "quoted signs": "".join(f' a{i}="<>"' for i in range(100_000)),
    "names with signs": "".join(f" a{i}<" for i in range(100_000)),
    "slashes": "".join(f"/a{i}" for i in range(100_000)),
    "names after a quoted sign": ' a=">"' + "".join(f" a{i}" for i in range(100_000)),
}


@pytest.mark.parametrize("attributes", ATTRIBUTES.values(), ids=ATTRIBUTES.keys())
def test_attributes_are_capped(attributes: str) -> None:
    with bounded_time():
        dom = parse(f"<div{attributes}>text</div><p id=after>more")
    assert "".join(dom.texts) == "textmore"
    assert max(map(len, dom.attributes)) <= 2_000
    assert {"id": "after"} in dom.attributes


def test_attributes_of_many_body_tags_are_capped() -> None:
    with bounded_time():
        dom = parse("".join(f"<body a{i}=1>" for i in range(60_000)) + "text")
    assert "".join(dom.texts) == "text"


@pytest.mark.parametrize(
    "flood",
    ["<", "<a", "<a ", '<a "', "<a b='", "</", "<!", "<!--", "<!-->", "<![CDATA[", "&", "&x"],
)
def test_reading_is_linear(flood: str) -> None:
    page = (flood * 300_000).encode()
    with bounded_time():
        tame(page)


@pytest.mark.parametrize("tag", ["<p a{0}>x", "<x{0}>x</x{0}>", "<p {0}={0}>x", "</x{0}>x"])
def test_a_page_with_too_many_names_is_refused(tag: str) -> None:
    with pytest.raises(MarkupError, match="30,000 different names of tags and attributes"):
        parse("".join(tag.format(i) for i in range(100_000)))


def test_start_tags_are_counted() -> None:
    assert count_start_tags(b"<p>a</p><br/>< x<1<!-- --><A>") == 3


TAGS = (
    "div p b i a span li ul dd table tr td th tbody caption colgroup select option button form "
    "object applet marquee template svg math g mi desc title foreignObject annotation-xml style "
    "script textarea ruby rt h1 font nobr section article input br html body head frameset "
    "noscript iframe xmp code pre plaintext mtext optgroup"
).split()
tokens = st.one_of(
    st.tuples(
        st.sampled_from(("<", "<", "<", "</")),
        st.sampled_from(TAGS),
        st.sampled_from((">", ">", ">", " class=a>", "/>", " a=1/>", ' x="', " x='>'>")),
    ).map("".join),
    st.sampled_from(("x", " ", "<!--", "-->", "--!>", "<![CDATA[", "]]>", "<!", "'", '"')),
)
units = st.lists(tokens, min_size=1, max_size=9).map("".join)


@settings(deadline=None, max_examples=200)
@given(st.lists(tokens, max_size=4).map("".join), units)
def test_no_pattern_of_tags_nests_deeper_than_the_cap(before: str, unit: str) -> None:
    caps = Caps(depth=40, formatting=8, attributes=50)
    page = Nesting((before + unit * 300).encode(), caps).page
    root = LexborHTMLParser(page).root
    depth = {None: 0}
    deepest = 0
    for node in root.traverse() if root else ():
        parent = node.parent
        depth[node.mem_id] = depth.get(parent.mem_id if parent else None, 0) + 1
        deepest = max(deepest, depth[node.mem_id])
    # The elements that always exist, implied rows, and reconstructed formatting.
    assert deepest <= caps.depth + 3 * caps.formatting + 20


def exact_costs(page: bytes) -> tuple[int, int, int]:
    """Reconstructed elements, comparisons of attributes and names, counted tag by tag."""
    tags = [tag for tag in TOKEN.finditer(page) if tag[2]]
    attributes = [ATTRIBUTE.findall(tag[3]) for tag in tags]
    comparisons = sum(len(names) ** 2 // 2 for names in attributes)
    names = {tag[2] for tag in tags}.union(*attributes)
    return Nesting(page, Caps()).rebuilt, comparisons, len(names)


@settings(deadline=None, max_examples=200)
@given(st.lists(units, max_size=4), st.integers(1, 40), st.sampled_from((20, 200, 2_000)))
def test_the_quick_survey_finds_everything_beyond_a_budget(
    parts: list[str], repeats: int, budget: int
) -> None:
    page = "".join(part * repeats for part in parts).encode()
    with pytest.MonkeyPatch.context() as patch:
        for name in ("MAX_WORK", "MAX_REBUILT", "MAX_COMPARISONS", "MAX_NAMES"):
            patch.setattr(tame_module, name, budget)
        survey = tame_module._Survey(page)
        is_harmless, has_few_names = survey.nesting_is_harmless, survey.has_few_names
    rebuilt, comparisons, names = exact_costs(page)
    if is_harmless:
        assert rebuilt <= 2 * budget
        assert comparisons <= budget
    if has_few_names:
        assert names <= 3 * budget


@pytest.mark.parametrize(
    "page",
    [
        ORDINARY * 20,
        b"<section><span>x</span><br><svg><use href=a></use></svg></section>" * 2_000,
        b"<p>" + b"a word in a long text, 'quoted' and not. " * 9_000,
        b"<script>x = {'a': '"
        + b"json, as long as pages have it. " * 9_000
        + b"'}</script><p a=b>",
    ],
    ids=["ordinary", "letters of formatting", "text", "script"],
)
def test_a_page_that_passes_the_quick_survey_is_unchanged_by_a_full_reading(page: bytes) -> None:
    assert tame_module._Survey(page).nesting_is_harmless
    assert tame(page) == page == Nesting(page, tame_module._STAGES[0]).page


@given(st.binary(max_size=400), st.integers(1, 60))
def test_any_bytes_can_be_read(page: bytes, repeats: int) -> None:
    assert isinstance(Nesting(page * repeats, Caps(4, 2, 3)).page, bytes)
