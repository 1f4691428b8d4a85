"""Pages that are not what they were when they were labelled."""

from __future__ import annotations

from pathlib import Path

import pytest
from labelling_tool import desk_of, story

from annotate.opinions import Machine
from evaluation.datasets import open_dataset

DONE = {"by": "Ada", "done": True}


def test_a_page_that_has_changed_is_asked_for_again_and_keeps_its_line_until_then(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    machine = Machine()
    out, file = tmp_path / "labels.jsonl", tmp_path / "html" / "page.html"
    file.parent.mkdir()
    file.write_text(story(1))
    with desk_of(file.parent, out, machine=machine) as desk:
        blocks = desk.blocks(0, "Ada")
        said = {"page_type": "article", "spans": list(blocks["machine"])}
        desk.save(0, {**DONE, **said, "blocks": blocks["blocks"]})
        desk.write()
    before = out.read_bytes()
    file.write_text(story(2))
    with desk_of(file.parent, out, machine=machine) as desk:
        blocks = desk.blocks(0, "Ada")
        assert (desk.next("Ada"), desk.done_by("Ada")) == (0, 0)
        assert (blocks["changed"], blocks["done"], blocks["spans"]) == (True, False, None)
        desk.write()
        assert out.read_bytes() == before
        assert "has changed since it was labelled" in caplog.text
        said = {"spans": list(blocks["machine"]), "blocks": blocks["blocks"]}
        desk.save(0, {**said, "by": "Ada", "done": False})
        desk.write()
        assert out.read_bytes() == before, "what is begun again is not done"
        desk.save(0, {**DONE, **said})
        assert (desk.next("Ada"), desk.write()) == (None, 1)
    (page,) = open_dataset(out)
    assert "A new bridge 2" in page.gold_text
