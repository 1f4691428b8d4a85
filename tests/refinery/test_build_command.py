"""``corpus build``: what its command takes and tells."""

from pathlib import Path

import pytest
from dataset_samples import corpus, document, rows

from genre_crawler.command_line import main


def test_a_corpus_that_is_given_twice_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = corpus(tmp_path / "corpus", [document(1)])
    again, out = tmp_path / "x/../corpus", tmp_path / "out"
    with pytest.raises(SystemExit):
        main(["corpus", "build", str(source), str(again), "--out", str(out)])
    assert f"{again} is given twice, and would count twice" in capsys.readouterr().err


def test_what_no_manifest_lists_is_left_out_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, recipe = corpus(tmp_path / "corpus", [document(1)]), tmp_path / "r.toml"
    recipe.write_text('name = "r"\n')
    [shard] = (source / "documents").iterdir()
    killed = shard.with_name("killed-000000.jsonl.zst.open")
    killed.write_bytes(shard.read_bytes())
    out = tmp_path / "out"
    assert main(["corpus", "build", str(source), "--recipe", str(recipe), "--out", str(out)]) == 0
    told = capsys.readouterr()
    assert told.out.startswith(f"{out}: 1 of 1 document")
    assert told.err.startswith(f"{killed} is in no manifest, so it is left out")


def test_a_data_set_without_steps_tells_of_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, recipe = corpus(tmp_path / "corpus", [document(1)]), tmp_path / "r.toml"
    recipe.write_text('name = "r"\nvalidation = 0\n')
    out = tmp_path / "out"
    assert main(["corpus", "build", str(source), "--recipe", str(recipe), "--out", str(out)]) == 0
    words = rows(out)[0]["words"]
    assert capsys.readouterr().out == f"{out}: 1 of 1 document, {words} words; {out}/report.html\n"
    card = (out / "README.md").read_text()
    assert "of\n1 document." in card
    assert "The recipe has no steps" in card
    assert "| step |" not in card
