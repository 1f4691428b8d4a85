"""The report on pages that boosted blocks has not learned from."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from evaluation.metrics.words import words
from extraction.methods.boosted_blocks.held_out import HeldOut, report
from extraction.methods.boosted_blocks.lexicon_fitting import Vocabulary
from extraction.methods.boosted_blocks.samples import samples
from extraction.result import Extraction


def held_out(folder: Path, gold: str, *found: Extraction) -> list[HeldOut]:
    """A page with this gold text for everything that is found."""
    file = folder / "pages.jsonl"
    file.write_bytes(
        b"".join(
            orjson.dumps(
                {"id": str(number), "html": "<p>A bridge", "gold_text": gold},
                option=orjson.OPT_APPEND_NEWLINE,
            )
            for number in range(len(found))
        )
    )
    pages = samples([file], Vocabulary())
    return [HeldOut(*known, on_site=False) for known in zip(pages, found, strict=True)]


@pytest.mark.parametrize(
    ("text", "gold"),
    [
        ("It's five o'clock", "It is five o'clock"),
        ("A state-of-the-art bridge", "A bridge, state of the art"),
        ("The city of 北", "The city of 北京"),
        ("天气好", "天气很好"),
        ("", ""),
        ("", "A bridge"),
    ],
)
def test_f1_is_the_word_f1_of_evaluation(tmp_path: Path, text: str, gold: str) -> None:
    [result] = held_out(tmp_path, gold, Extraction(text))
    assert result.f1 == pytest.approx(words(text, gold).f1)


def test_the_table_of_confidence_has_only_pages_with_a_confidence(tmp_path: Path) -> None:
    found = (Extraction("A bridge", confidence=0.97), Extraction("A", confidence=0), Extraction(""))
    told = report(held_out(tmp_path, "A bridge", *found)).splitlines()
    assert told[0] == "pages: 3 pages, F1 0.556"
    assert [line.split()[:3] for line in told[3:]] == [
        ["0.00-0.50", "1", "0.667"],
        ["0.95-1.00", "1", "1.000"],
    ]


def test_without_any_confidence_the_table_is_empty(tmp_path: Path) -> None:
    told = report(held_out(tmp_path, "A bridge", Extraction("")))
    assert told == "pages: 1 page, F1 0.000\n\nconfidence   pages  mean F1"
