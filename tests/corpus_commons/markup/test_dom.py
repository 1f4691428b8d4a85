"""The flat tree: its invariants, and visibility."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_commons.markup import Dom, MarkupError, parse
from corpus_commons.markup import dom as dom_module

TAGS = ("p", "div", "b", "a", "li", "ul", "td", "tr", "table", "script", "noscript", "svg", "br")
markup = st.lists(
    st.one_of(
        st.sampled_from(TAGS).flatmap(
            lambda tag: st.sampled_from(
                (f"<{tag}>", f"</{tag}>", f"<{tag} hidden>", f'<{tag} style="display: none">')
            )
        ),
        st.sampled_from(("<!-- c -->", "<!", "</", "<", "&amp;", "&#x110000;", "\0", "\ud800")),
        st.text(max_size=5),
    ),
    max_size=60,
).map("".join)


@st.composite
def trees(draw: st.DrawFn) -> Dom:
    """Any tree: a node's parent is the previous node or one of its ancestors."""
    tags, texts, parents = ["html"], [""], [-1]
    open_elements = [0]
    for _ in range(draw(st.integers(0, 40))):
        del open_elements[draw(st.integers(1, len(open_elements))) :]
        parents.append(open_elements[-1])
        tag = draw(st.sampled_from((*TAGS, "#text", "#text")))
        if tag != "#text":
            open_elements.append(len(tags))
        texts.append(draw(st.text(max_size=4)) if tag == "#text" else "")
        tags.append(tag)
    attributes: list[Mapping[str, str | None]] = [{} for _ in tags]
    return Dom(tags, texts, attributes, parents)


def ancestors(dom: Dom, node: int) -> list[int]:
    """The node and its ancestors, innermost first."""
    way = [node]
    while dom.parents[way[-1]] >= 0:
        way.append(int(dom.parents[way[-1]]))
    return way


def assert_is_a_tree(dom: Dom) -> None:
    n = len(dom)
    assert len(dom.tags) == len(dom.texts) == len(dom.attributes) == n >= 1
    assert dom.parents[0] == -1
    assert all(0 <= dom.parents[node] < node for node in range(1, n))
    for node in range(n):
        way = ancestors(dom, node)
        assert dom.depths[node] == len(way) - 1
        inside = [other for other in range(n) if node in ancestors(dom, other)]
        assert inside == list(range(node, dom.ends[node]))


@given(trees())
def test_ends_and_depths_describe_the_tree(dom: Dom) -> None:
    assert_is_a_tree(dom)


@given(markup)
def test_any_markup_becomes_a_tree(page: str) -> None:
    dom = parse(page)
    assert_is_a_tree(dom)
    assert all(tag == tag.lower() for tag in dom.tags)
    assert all(
        (tag == "#text") == bool(text) for tag, text in zip(dom.tags, dom.texts, strict=True)
    )


@given(st.binary(max_size=300))
def test_any_bytes_become_a_tree(page: bytes) -> None:
    assert_is_a_tree(parse(page))


@given(trees(), st.randoms())
def test_sums_over_subtrees_are_the_sums_over_their_nodes(dom: Dom, random) -> None:
    values = np.array([random.randint(-9, 9) for _ in dom.tags])
    naive = [
        sum(values[other] for other in range(len(dom)) if node in ancestors(dom, other))
        for node in range(len(dom))
    ]
    assert dom.subtree_sums(values).tolist() == naive


@given(trees(), st.randoms())
def test_nearest_is_the_first_chosen_on_the_way_up(dom: Dom, random) -> None:
    chosen = np.array([random.random() < 0.3 for _ in dom.tags])
    naive = [
        next((above for above in ancestors(dom, node) if chosen[above]), -1)
        for node in range(len(dom))
    ]
    assert dom.nearest(chosen).tolist() == naive


@given(markup)
def test_visible_nodes_have_no_hidden_element_above_them(page: str) -> None:
    dom = parse(page)
    hidden = [
        tag == "script"
        or (tag not in {"html", "body"} and ("hidden" in attributes or "style" in attributes))
        for tag, attributes in zip(dom.tags, dom.attributes, strict=True)
    ]
    for node in range(len(dom)):
        way = ancestors(dom, node)
        if not any(dom.tags[above] in ("noscript", "head") for above in way):
            assert dom.visible[node] == (not any(hidden[above] for above in way))


def visible_text(page: str) -> str:
    dom = parse(page)
    return "".join(dom.texts[node] for node in np.flatnonzero(dom.visible & dom.is_text))


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>x</script>",
        "<style>x</style>",
        "<template>x</template>",
        "<iframe>x</iframe>",
        "<object>x</object>",
        "<video>x</video>",
        "<canvas>x</canvas>",
        "<svg><title>x</title><desc>x</desc></svg>",
        "<p hidden>x</p>",
        "<p style='DISPLAY : none'>x</p>",
        "<p style='color: red; visibility:hidden'>x</p>",
        "<div hidden><p>x</p></div>",
        "<datalist><option>x</datalist>",
    ],
)
def test_hidden_text_is_not_visible(hidden: str) -> None:
    assert visible_text(f"<body>a{hidden}b") == "ab"


@pytest.mark.parametrize(
    "shown",
    [
        "<p hidden=until-found>x</p>",
        "<p style='display: block'>x</p>",
        "<details><p>x</p></details>",
        "<svg><text>x</text></svg>",
        "<unknown-element>x</unknown-element>",
    ],
)
def test_all_other_text_is_visible(shown: str) -> None:
    assert "x" in visible_text(f"<body>{shown}")


@pytest.mark.parametrize("opening", ["<html style='display:none'>", "<body hidden>"])
def test_a_page_hidden_until_its_script_runs_is_visible(opening: str) -> None:
    assert visible_text(f"{opening}<p>text") == "text"


def test_noscript_is_hidden_beside_the_text_it_stands_in_for() -> None:
    assert visible_text("<p>The article.</p><noscript>No script</noscript>") == "The article."


def test_noscript_is_visible_where_it_holds_most_of_the_page() -> None:
    assert visible_text("<p>Loading</p><noscript><p>The whole article.</p>") == (
        "LoadingThe whole article."
    )


def test_comments_and_processing_instructions_are_no_nodes() -> None:
    assert parse("<p>a<!-- c -->b<?php echo?></p>").tags == [
        *("html", "head", "body", "p"),
        *("#text", "#text"),
    ]


def test_a_parsed_page_passes_through() -> None:
    dom = parse("<p>text")
    assert parse(dom) is dom


def test_text_that_was_read_as_latin_1_is_read_again() -> None:
    assert "łódź" in parse("<p>łódź".encode().decode("latin-1")).texts


def test_has_tag_finds_all_nodes_with_one_of_the_names() -> None:
    dom = parse("<p>a<b>c</b></p><i></i>")
    assert [dom.tags[node] for node in np.flatnonzero(dom.has_tag({"p", "i"}))] == ["p", "i"]
    assert not dom.has_tag(set()).any()


@pytest.mark.parametrize(("page", "unit"), [("x", "characters"), (b"x", "bytes")])
def test_a_page_beyond_the_limit_is_refused(page: str | bytes, unit: str) -> None:
    with pytest.raises(MarkupError, match=f"^the page has more than 10,000,000 {unit}$"):
        parse(page * 10_000_001)


@pytest.mark.parametrize("kind", [bytearray, memoryview])
def test_a_page_may_be_any_bytes_like_object(kind: type) -> None:
    page = "<p>Größe".encode("utf-16")
    assert parse(kind(page)).texts == parse(page).texts == ["", "", "", "", "Größe"]


@pytest.mark.parametrize(
    ("page", "name"), [(None, "NoneType"), (Path("page.html"), "PosixPath"), (7, "int")]
)
def test_the_error_for_a_wrong_type_names_the_right_ones(page: Any, name: str) -> None:
    with pytest.raises(TypeError, match=f"^html is {name}; it must be str, bytes or a Dom$"):
        parse(page)


def test_a_page_with_too_many_nodes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dom_module, "MAX_NODES", 100)
    with pytest.raises(MarkupError, match="nodes"):
        parse("<br>" * 101)
    assert len(parse("<br>" * 97)) == 100


def test_a_page_with_far_too_many_tags_is_refused_before_it_is_parsed() -> None:
    with pytest.raises(MarkupError, match="more than 1,000,000 nodes"):
        parse("<br>" * 2_400_000)


@given(trees())
def test_elements_are_listed_by_their_tag(dom: Dom) -> None:
    for tag in (*TAGS, "#text", "h1"):
        expected = [node for node in range(len(dom)) if dom.tags[node] == tag]
        assert dom.elements(tag).tolist() == expected == np.flatnonzero(dom.has_tag({tag})).tolist()


def test_the_elements_that_have_an_attribute_are_listed_with_its_values() -> None:
    dom = parse("<p class=a><b class>x</b><i id=class>y</i></p><p class='b c'>")
    nodes, values = zip(*dom.attribute("class"), strict=True)
    assert [dom.tags[node] for node in nodes] == ["p", "b", "p"]
    assert values == ("a", "", "b c")
    assert [*dom.attribute("role")] == []


def test_invisible_characters_at_the_ends_of_a_text_do_not_count() -> None:
    dom = parse("<p> two words <b>\u200b</b><i>\u00ad\ufeffa\u200bb\n</i>")
    lengths = [length for tag, length in zip(dom.tags, dom.lengths, strict=True) if tag == "#text"]
    assert lengths == [9, 0, 3]
    assert dom.lengths[0] == 0


def test_elements_are_chosen_by_their_value() -> None:
    classes = parse("<p class=a><b class>x</b><i class=a>y</i></p><p class='b c'>").attribute(
        "class"
    )
    assert classes.values == ["a", "", "b c"]
    assert classes.where(lambda value: value == "a").tolist() == classes.nodes[[0, 2]].tolist()
    assert classes.where(lambda value: value == "b").tolist() == []
