"""What a data set tells of the texts that its steps have changed."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest
from dataset_samples import document, made, prose

from pipelines.forgetting.record import Record
from pipelines.forgetting.wanted import Wanted
from refinery.dataset.account import Built
from refinery.dataset.changes import Changes
from refinery.dataset.forgetting import forget

NOTE = "Write to <jane@example.org> & subscribe."
STEPS = "".join(
    f'[[steps]]\nuse = "{name}"\n' for name in ("repeated-lines", "c4", "mask-personal-data")
)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("changed")
    documents = [document(n, f"{prose(n)}\n\n{NOTE}", host="one.example") for n in range(5)]
    documents.append(document(5, f"{prose(5)}\n\nNo end\n\nAsk joe@example.org about it."))
    made(folder, documents, STEPS)
    return folder / "out"


def test_the_card_has_the_texts_that_each_step_changed_and_the_words_that_these_lost(
    out: Path,
) -> None:
    card = (out / "README.md").read_text()
    assert "| 1. repeated-lines |  | 6 | 0 |  | 5 | 25 |" in card
    assert "| 2. c4 |  | 6 | 0 |  | 1 | 2 |" in card
    assert "| 3. mask-personal-data |  | 6 | 0 |  | 1 | 0 |" in card


def test_the_report_shows_lines_of_several_pages_masked_and_not_as_markup(out: Path) -> None:
    report = (out / "report.html").read_text()
    assert "1. repeated-lines: 5 of 6 that it kept" in report
    assert "words taken out: 25" in report
    assert "Write to &lt;[email]&gt; &amp; subscribe." in report
    assert "No end" not in report, "a line of a single page"
    for file in (out / "report.html", out / "dataset.json"):
        assert "@example.org" not in file.read_text()


def test_lines_are_not_shown_any_more_when_a_page_was_removed(out: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(out, tmp_path / "copy"))
    forget(copy, Wanted.of([document(5).url]), Record("2026-06-01T00:00:00.000Z"))
    assert "subscribe" not in (copy / "report.html").read_text()
    changes = Built.read(copy / "dataset.json").steps[0].changes
    assert changes == Changes(5, 25)


def test_lines_of_any_number_take_little_memory() -> None:
    changes = Changes()
    for number in range(30_000):
        changes.add(f"Alike.\n{number}\n{'long ' * 100}", "")
    assert len(changes.lines) <= 10_000
    changes.merge({"documents": 1, "words": 1, "lines": {"Alike.": 1}})
    assert len(changes.lines) <= 10_000
    assert changes.shown().lines == Counter({"Alike.": 30_001})
