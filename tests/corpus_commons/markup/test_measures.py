"""Counts over text nodes and subtrees."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_commons.markup import parse
from corpus_commons.markup.measures import WORD, Measures, words_in


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        (" \n— … !", 0),
        ("one two", 2),
        ("it's", 1),
        ("state-of-the-art", 1),
        ("3.14 1,000", 3),
        ("naïve café", 2),
        ("中文", 2),
        ("カタカナ", 4),
        ("한국어 문장", 2),
        ("ภาษาไทย", 1),
        ("שלום עולם", 2),
        ("e-mail中文", 3),
        ("- a -", 1),
    ],
)
def test_words_of_any_script(text: str, words: int) -> None:
    assert len(words_in(text)) == words


def measures_of(page: str) -> tuple[Measures, dict[str, int]]:
    dom = parse(page)
    return Measures(dom), {tag: node for node, tag in enumerate(dom.tags)}


def test_counts_of_an_element_are_those_of_all_text_in_it() -> None:
    measures, node = measures_of("<div>one two <a>three</a> <p>four</p></div>")
    assert measures.words[node["div"]] == 4
    assert measures.words[node["a"]] == 1
    assert measures.characters[node["div"]] == len("one two") + len("three") + len("four")
    assert measures.linked_characters[node["div"]] == len("three")
    assert measures.words[0] == measures.own_words.sum()


def test_white_space_is_collapsed_before_characters_are_counted() -> None:
    measures, node = measures_of("<p>  a \n\n b  </p>")
    assert measures.characters[node["p"]] == 3


def test_hidden_text_is_not_counted() -> None:
    measures, _ = measures_of("<p>one</p><script>two three</script><p hidden>four</p>")
    assert measures.words[0] == 1


def test_shown_says_which_text_counts() -> None:
    dom = parse("<p>one<p>two three")
    assert Measures(dom, np.array([text == "one" for text in dom.texts])).words[0] == 1


def test_a_link_covers_all_below_it() -> None:
    measures, node = measures_of("<a><b><i>deep</i></b></a> out")
    assert measures.in_link[node["i"]]
    assert not measures.in_link[node["body"]]


def test_elements_have_no_counts_of_their_own() -> None:
    measures, _ = measures_of("<p>one <b>two</b></p>")
    assert not measures.own_words[~measures.dom.is_text].any()


@given(st.text(alphabet="aZ0_'.- \n\x1c", max_size=30))
def test_words_of_ascii_are_those_of_any_text(text: str) -> None:
    assert words_in(text) == WORD.findall(text)
