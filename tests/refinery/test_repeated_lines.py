"""``repeated-lines`` takes out notes, and leaves alone what is repeated for a reason."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from dataset_samples import document, dropped, made, prose, rows
from datatrove.pipeline.readers import JsonlReader

from refinery.steps import repeated_lines
from refinery.steps.text_blocks import blocks_of
from tests.cpu_time import bounded_time

STEP = '[[steps]]\nuse = "repeated-lines"'
NOTE = "Subscribe to our newsletter.\nNever miss a page."
# The parts that differ from page to page are {}.
LEFT = {
    "code": "import os\n\ndef f{}(x):\n    if x:\n        return None\n\n    return x\n\nmain()",
    "brackets": "do {}\n\n}",
    "fenced code": "Run it:\n\n```sh\nmake\n\nmake test\n```",
    "fenced code in quotations": "> ~~~\n> make\n>\n> make test\n> ~~~",
    "table of Markdown": "| a | b |\n| --- | --- |\n| {} | yes |",
    "repeated table of Markdown": "| a | b |\n| --- | --- |\n| 1 | yes |",
    "table": "Name\tValue\nalpha\tyes",
    "list with items of its own": "salt\nflour\ncake number {}\nbutter",
    "rule": "* * *",
}


def test_lines_that_a_host_repeats_are_taken_out(tmp_path: Path) -> None:
    note = "Subscribe to our newsletter, and never miss a page."
    documents = [document(n, f"{prose(n)}\n\n{note}", host="one.example") for n in range(5)]
    documents += [document(n, f"{prose(n)}\n\n{note}", host="two.example") for n in range(5, 9)]
    documents.append(document(9, note, host="one.example"))
    made(tmp_path, documents, STEP)
    found = {int(row["url"].rpartition("/")[2]): row for row in rows(tmp_path / "out")}
    assert [note in found[number]["text"] for number in range(9)] == [False] * 5 + [True] * 4
    assert (found[0]["lines_removed"], found[8]["lines_removed"]) == (1, 0)
    assert dropped(tmp_path / "out") == {9: "repeated-lines"}


def test_a_document_of_which_little_is_left_is_among_the_dropped_as_it_was(tmp_path: Path) -> None:
    note = "Subscribe to our newsletter, and never miss a page."
    documents = [document(n, f"{prose(n)}\n\n{note}", host="one.example") for n in range(5)]
    documents.append(document(5, f"Ask joe@example.org.\n\n{note}", host="one.example"))
    documents.append(document(6, note, host="one.example"))
    masked = '[[steps]]\nuse = "mask-personal-data"'
    built = made(tmp_path, documents, f"{STEP}\nmin_words = 4\n{masked}")
    shown = {example["text"] for example in built.steps[0].examples}
    assert shown == {f"Ask [email].\n\n{note}", note}
    assert {one.text for one in JsonlReader(str(tmp_path / "out/dropped"))()} == shown


def test_lines_of_any_number_are_counted_in_little_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repeated_lines, "_AT_ONCE", 10_000)
    edges = np.array([0, 2**63, 2**64 - 1], np.uint64)
    files = [tmp_path / f"{number}.npy" for number in range(4)]
    for number, file in enumerate(files):
        own = np.random.default_rng(number).integers(2**64, size=100_000, dtype=np.uint64)
        np.save(file, np.sort(np.concatenate([own, edges, own[: number * 10]])))
    every = np.concatenate([np.load(file) for file in files])
    for least, count in ((2, 63), (4, 3), (5, 0)):
        tracemalloc.start()
        found = repeated_lines._repeated(files, least)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < every.nbytes / 4
        lines, counts = np.unique(every, return_counts=True)
        assert found.tolist() == lines[counts >= least].tolist()
        assert len(found) == count


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    """Of pages of one host: as they were, and as they are."""
    folder = tmp_path_factory.mktemp("repeated")
    before = []
    for number in range(5):
        parts = [part.replace("{}", str(number)) for part in LEFT.values()]
        apart = f"\n\n\n{prose(number, 3)}\n\n{NOTE}\n\n{prose(9 + number, 3)}\n\n"
        before.append(apart.join(["Begin.", *parts, prose(20 + number, 3)]))
    made(folder, [document(n, text, host="one.example") for n, text in enumerate(before)], STEP)
    found = sorted(rows(folder / "out"), key=lambda row: row["url"])
    return list(zip(before, (row["text"] for row in found), strict=True))


def test_nothing_but_paragraphs_and_lines_that_stand_apart_is_taken_out(
    texts: list[tuple[str, str]],
) -> None:
    for before, after in texts:
        without = before.removeprefix("Begin.").strip("\n")
        assert after == without.replace(f"{NOTE}\n\n", "")


@pytest.mark.parametrize(
    "between", ["\n", "\n```sh\nmake all\nmake install\nmake test\n```\n"], ids=["prose", "code"]
)
def test_each_line_is_judged_where_no_blank_ones_part_paragraphs(
    tmp_path: Path, between: str
) -> None:
    own = [prose(number).replace("\n\n", between) for number in range(5)]
    texts = [f"{NOTE}\n{one}\n{NOTE}" for one in own]
    made(tmp_path, [document(n, text, host="one.example") for n, text in enumerate(texts)], STEP)
    found = rows(tmp_path / "out")
    assert sorted(row["text"] for row in found) == sorted(own)
    assert [row["lines_removed"] for row in found] == [4] * 5


@pytest.mark.parametrize(
    "text", ["", "\n", "\n\n  One.\n \nTwo.\n\n", "```\na\n\n```\nb", "```\n\na", "```a```\n\nb"]
)
def test_blocks_are_the_whole_text(text: str) -> None:
    assert "\n".join(line for block in blocks_of(text) for line in block) == text


def test_a_fence_that_never_ends_takes_no_quadratic_time() -> None:
    for text in ("`" * 500_000 + "a`", ">" * 500_000, "```\n" * 100_000, "\n \t" * 100_000):
        with bounded_time():
            blocks_of(text)
