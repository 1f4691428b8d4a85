"""``repeated-lines`` takes out notes, and leaves alone what is repeated for a reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from dataset_samples import document, made, prose, rows

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


def test_each_line_is_judged_where_no_blank_ones_part_paragraphs(tmp_path: Path) -> None:
    own = [prose(number).replace("\n\n", "\n") for number in range(5)]
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
