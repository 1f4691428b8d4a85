"""The difference between extracted text and gold text: kept, noise and missed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evaluation.difference import stretches


def roles(text: str, gold: str) -> list[tuple[str, str]]:
    return [(part.role, part.text) for part in stretches(text, gold)]


def test_words_are_compared_without_case_and_punctuation() -> None:
    assert roles("The fox ran.", "the FOX, ran!") == [("kept", "The fox ran.")]


def test_stretches_are_shown_in_reading_order_with_their_line_breaks() -> None:
    assert roles("Menu\n\nA fox\n\nran. Share", "A fox\n\njumped and ran.") == [
        ("noise", "Menu\n\n"),
        ("kept", "A fox\n\n"),
        ("missed", "jumped and "),
        ("kept", "ran. "),
        ("noise", "Share"),
    ]


def test_scripts_without_spaces_are_compared_character_by_character() -> None:
    assert roles("天气好", "天气很好") == [("kept", "天气"), ("missed", "很"), ("kept", "好")]


def test_one_side_may_be_empty() -> None:
    assert roles("", "") == []
    assert roles("", "gold") == [("missed", "gold")]
    assert roles("text", "") == [("noise", "text")]


def test_long_stretches_are_shown_by_their_ends() -> None:
    parts = roles(" ".join(f"w{number}" for number in range(1000)), "")
    assert [role for role, _ in parts] == ["noise", "left-out", "noise"]
    assert parts[0][1].startswith("w0 w1 ")
    assert parts[1][1] == "880 words noise"
    assert parts[2][1].endswith("w998 w999")


def test_the_whole_is_bounded() -> None:
    words = range(60_000)
    parts = stretches(
        " ".join(f"{n} x{n}" if n % 2 else str(n) for n in words), " ".join(map(str, words))
    )
    assert sum(len(part.text) for part in parts) < 100_000
    assert "40,000 more words of the gold not compared" in [part.text for part in parts]


@given(
    st.lists(st.sampled_from("abcde"), max_size=40), st.lists(st.sampled_from("abcde"), max_size=40)
)
def test_both_texts_can_be_read_back(text: list[str], gold: list[str]) -> None:
    parts = stretches(" ".join(text), " ".join(gold))
    extracted = "".join(part.text for part in parts if part.role != "missed")
    assert extracted.split() == text
    wanted = " ".join(part.text for part in parts if part.role != "noise")
    assert wanted.split() == gold
