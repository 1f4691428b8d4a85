"""``python -m evaluation extraction --by gold``: which pages hold their gold text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sample_pages import record, write_set

from corpus_commons.markup import dom
from evaluation.commands import main

pytestmark = pytest.mark.usefixtures("forked_workers")
ECHO = "trick_methods:Echo"


def groups(folder: Path, pages: list[dict[str, Any]]) -> dict[str, int]:
    """How many pages are in each group."""
    out = folder / "out.json"
    words = ["--data", write_set(folder, pages), "--methods", ECHO, "--by", "gold", "--json", out]
    assert main(["extraction", *map(str, words)]) == 0
    cells = json.loads(out.read_bytes())["cells"]["gold"]
    return {group: cell[ECHO]["pages"] for group, cell in cells.items()}


def test_pages_that_lack_their_gold_text_are_told_apart(tmp_path: Path) -> None:
    pages = [
        record("shown", "<p>the red fox</p>", "the red fox"),
        record("hidden", "<p>the red<p hidden>fox</p>", "the red fox"),
        record("empty", "<nav>menu</nav>", ""),
        record("next page", "<p>the red fox</p>", "the red fox and the blue one"),
        record("script", "<p>the red<script>show('fox')</script>", "the red fox"),
        {**record("snippets", "<p>the red fox</p>", "", **{"with": ["fox"]}), "gold_text": None},
    ]
    assert groups(tmp_path, pages) == {"whole": 3, "in part": 2, "unknown": 1}


def test_a_page_that_cannot_be_parsed_is_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dom, "MAX_CHARACTERS", 100)
    pages = [record("large", "<p>" + "the red fox " * 10, "the red fox")]
    assert groups(tmp_path, pages) == {"unknown": 1}
