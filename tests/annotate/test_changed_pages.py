"""Pages that are not what they were when they were labelled, or are too large to be read."""

from __future__ import annotations

from pathlib import Path

import pytest
from labelling_tool import desk_of, story

from annotate.opinions import Machine
from annotate.sources import open_pages
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


def test_files_that_cannot_be_read_are_left_out_by_name(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "html"
    folder.mkdir()
    (folder / "fine.html").write_text(story(1))
    (folder / "huge.html").write_text("<p>Text.</p>" * 1_000_000)
    (folder / "torn.html.gz").write_bytes(b"no gzip")
    assert [page.id for page in open_pages(folder)] == ["fine"]
    told = [record.getMessage() for record in caplog.records]
    assert told[0] == "page 'huge' left out: huge.html has more than 10,000,000 bytes"
    assert told[1].startswith("page 'torn' left out: torn.html.gz: Not a gzipped file")
