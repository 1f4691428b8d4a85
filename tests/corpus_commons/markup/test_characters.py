"""Classification of characters: each text is independent of the others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from corpus_commons.markup.characters import IDEOGRAPHS, Alphabet, classified

OTHER, SMALL, CAPITAL, UNSPACED, STOP = range(5)
ALPHABET = Alphabet({"L": SMALL, "Lu": CAPITAL}, IDEOGRAPHS, UNSPACED, {STOP: ".。"})


def test_names_are_stronger_than_ranges_and_ranges_than_categories() -> None:
    read = classified(["aB中。1\U0001d400"], ALPHABET)
    assert read.classes.tolist() == [SMALL, CAPITAL, UNSPACED, STOP, OTHER, OTHER, OTHER]


def test_lone_surrogates_and_no_texts_at_all_are_read() -> None:
    assert classified(["\ud800"], ALPHABET).by_class(5).tolist() == [[1, 0, 0, 0, 0]]
    assert classified([], ALPHABET).by_class(5).shape == (0, 5)


@given(st.lists(st.text(max_size=20), max_size=8))
def test_every_text_is_counted_for_itself(texts: list[str]) -> None:
    together = classified(texts, ALPHABET)
    capitals = together.totals(together.classes == CAPITAL)
    for number, text in enumerate(texts):
        alone = classified([text], ALPHABET)
        counts = together.by_class(5)[number]
        assert counts.tolist() == alone.by_class(5)[0].tolist()
        assert counts.sum() == together.lengths[number] == len(text)
        assert capitals[number] == counts[CAPITAL]
        start = together.starts[number]
        assert together.classes[start : start + len(text)].tolist() == alone.classes[:-1].tolist()
