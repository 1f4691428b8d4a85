"""The beginnings of long texts, in any script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_commons.markup.beginnings import beginning


@pytest.mark.parametrize(
    ("text", "longest", "begin"),
    [
        ("one two three", 13, "one two three"),
        ("one two three", 8, "one two…"),
        ("one two three", 7, "one…"),
        ("one\ntwo\n\nthree", 10, "one\ntwo…"),
        # Truncated within a word that is most of what may be kept.
        ("a antidisestablishmentarianism", 12, "a antidises…"),
        ("東京は雨でした。明日は晴れです。", 6, "東京は雨で…"),
    ],
)
def test_a_long_text_ends_after_a_word(text: str, longest: int, begin: str) -> None:
    assert beginning(text, longest) == begin


@pytest.mark.parametrize(
    "character",
    ["นี้", "कि", "e\u0301", "\N{WOMAN}\u200d\N{WOMAN}\u200d\N{GIRL}", "\N{HEAVY BLACK HEART}\ufe0f"],
)
def test_a_character_is_kept_whole(character: str) -> None:
    size = len(character)
    for longest in range(size + 1, 3 * size):
        assert beginning(character * 3, longest) == character * ((longest - 1) // size) + "…"


@given(st.text("ab \n\u0301\u200d東", max_size=40), st.integers(1, 40))
def test_it_is_never_longer_than_that_and_always_a_beginning(text: str, longest: int) -> None:
    found = beginning(text, longest)
    assert len(found) <= longest
    assert found == text or (found.endswith("…") and text.startswith(found[:-1]))
