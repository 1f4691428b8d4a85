"""Web2Text: training, and the choice of pages."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import numpy as np
import orjson
import pytest
import zstandard
from web2text_pages import MENU, SENTENCES, STORY

from extraction.__main__ import main
from extraction.labelled import LabelledPage
from extraction.methods.web2text import Web2Text, training
from extraction.training.cleaneval import part_of


def labelled(number: int, w2t: str | None, *, ce_test: bool) -> LabelledPage:
    return LabelledPage(
        id=str(number), html="", gold_text="", meta={"w2t": w2t, "w2t_ce_test": ce_test}
    )


@pytest.mark.parametrize(
    ("w2t", "ce_test", "expected"),
    [
        ("train", True, ("train", "test")),
        ("test", True, ("test", "test")),
        ("test", False, ("test", "train")),
        # Web2Text left it out, CleanEval did not.
        (None, False, (None, "train")),
    ],
)
def test_the_parts_of_the_two_splits(
    w2t: str | None, ce_test: bool, expected: tuple[str | None, str | None]
) -> None:
    made = labelled(1, w2t, ce_test=ce_test)
    assert (part_of(made, "w2t"), part_of(made, "w2t_ce_test")) == expected


class TestTraining:
    @pytest.fixture
    def data(self, tmp_path: Path) -> Path:
        path = tmp_path / "pages.jsonl.zst"
        pages = [
            {
                "id": str(i),
                "html": f"<body>{MENU}{STORY}</body>",
                "gold_text": 6 * f"{SENTENCES} ",
                "meta": {"w2t": "train" if i < 6 else "test", "w2t_ce_test": i > 5},
            }
            for i in range(8)
        ]
        path.write_bytes(zstandard.compress(b"\n".join(map(orjson.dumps, pages))))
        return path

    def test_makes_a_model_that_can_be_loaded_and_is_the_same_every_time(
        self, data: Path, tmp_path: Path
    ) -> None:
        pytest.importorskip("tensorflow")
        parser = argparse.ArgumentParser()
        training.add_arguments(parser)
        models = [tmp_path / "one.npz", tmp_path / "two.npz"]
        for model in models:
            options = ["--data", data, "--out", model, "--scores", tmp_path / "s.json"]
            training.run(parser.parse_args([*map(str, options), "--steps", "40"]))
        scores = orjson.loads((tmp_path / "s.json").read_bytes())
        assert (scores["training_pages"], scores["validation_pages"]) == (5, 1)
        assert scores["validation"]["unary_f1"] > 0.9
        with np.load(models[0]) as one, np.load(models[1]) as two:
            assert all((one[name] == two[name]).all() for name in one.files)
        text = Web2Text(models[0]).extract(f"<body>{MENU}{STORY}</body>")
        assert "Section 3" not in text.text
        assert "another winter" in text.text

    def test_runs_all_requested_steps(
        self, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        pytest.importorskip("tensorflow")
        main(f"train web2text --data {data} --out {tmp_path / 'm.npz'} --steps 101".split())
        told = capsys.readouterr().out
        assert told.count("step 101:") == len(("unary", "pairwise"))
        assert re.search(r"^validation: F1 [01]\.\d{3} by blocks alone, ", told, re.M)
        assert f"\nwrote {tmp_path / 'm.npz'} in " in told

    @pytest.mark.parametrize(
        ("meta", "message"),
        [
            ([{}, {}], 'no page has meta.w2t = "train"'),
            ([{"w2t": "train"}], "too few pages"),
            ([], 'no page has meta.w2t = "train"'),
        ],
    )
    def test_other_pages_than_cleanevals_are_a_one_line_error(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], meta: list[object], message: str
    ) -> None:
        page = {"html": f"<body>{MENU}{STORY}</body>", "gold_text": SENTENCES}
        lines = [orjson.dumps(page | {"id": str(i), "meta": its}) for i, its in enumerate(meta)]
        data = tmp_path / "pages.jsonl.zst"
        data.write_bytes(zstandard.compress(b"\n".join(lines)))
        with pytest.raises(SystemExit) as stopped:
            main(f"train web2text --data {data} --out {tmp_path / 'm.npz'}".split())
        assert stopped.value.code == 2
        assert message in capsys.readouterr().err

    def test_pages_of_the_test_part_are_not_trained_on(self, data: Path) -> None:
        assert [page.id for page in training.training_pages(data, "w2t")] == list("012345")

    def test_leaves_out_pages_that_web2text_left_out(self, tmp_path: Path) -> None:
        path = tmp_path / "pages.jsonl.zst"
        pages = [
            {"id": str(i), "html": "<p>", "gold_text": "", "meta": {"w2t": w2t}}
            for i, w2t in enumerate(("train", None, "test"))
        ]
        path.write_bytes(zstandard.compress(b"\n".join(map(orjson.dumps, pages))))
        assert [page.id for page in training.training_pages(path, "w2t_ce_test")] == ["0", "2"]
