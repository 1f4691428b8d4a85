"""``python -m evaluation victor`` on a synthetic site."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
import zstandard

from evaluation.commands import main


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Six pages of the same template: a menu, a heading and two paragraphs."""
    lines = []
    for i in range(6):
        text = [f"Sentence {n} of page {i} says something new. It does." for n in range(2)]
        html = f"<div><a href=/>Home</a> <a href=/n>News</a></div><h1>Page {i} now</h1>"
        html += "".join(f"<p>{paragraph}</p>" for paragraph in text)
        gold = f"<h>Page {i} now\n" + "".join(f"<p>{paragraph}\n" for paragraph in text)
        lines.append(
            {"id": str(i), "html": html, "gold_text": gold, "gold_tagged": gold, "split": "dev"}
        )
    path = tmp_path / "site.jsonl.zst"
    path.write_bytes(zstandard.compress(b"\n".join(map(orjson.dumps, lines))))
    return path


def test_learns_a_site_with_one_template(site: Path, tmp_path: Path) -> None:
    out = tmp_path / "scores.json"
    told = ["--folds", "2", "--c1", "0.1", "--c2", "0.1", "--json", str(out)]
    assert main(["victor", "--data", str(site), *told]) == 0
    scores = orjson.loads(out.read_bytes())
    assert set(scores) == {"marginal", "viterbi", "gold labels"}
    for means in scores.values():
        assert means["text and markup"] == means["block F1"] == 1.0


def test_a_page_without_visible_text_is_scored_but_not_trained_on(
    site: Path, tmp_path: Path
) -> None:
    blank = {"id": "6", "html": "<script>x", "gold_text": "Text", "gold_tagged": "<p>Text"}
    pages = zstandard.decompress(site.read_bytes()) + b"\n" + orjson.dumps(blank | {"split": "dev"})
    site.write_bytes(zstandard.compress(pages))
    out = tmp_path / "scores.json"
    told = ["--folds", "3", "--c1", "0.1", "--c2", "0.1", "--json", str(out)]
    assert main(["victor", "--data", str(site), *told]) == 0
    assert orjson.loads(out.read_bytes())["gold labels"]["text only"] == pytest.approx(6 / 7)


def test_too_few_pages_for_the_folds_are_refused(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["victor", "--data", str(site), "--folds", "7"]) == 2
    assert "too few for 7 folds" in capsys.readouterr().err


def test_a_single_fold_is_refused(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["victor", "--data", str(site), "--folds", "1"])
    assert stopped.value.code == 2
    assert "--folds: must be at least 2" in capsys.readouterr().err


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert main(["victor", "--data", str(tmp_path / "none.jsonl.zst")]) == 2
