"""Block scores of methods: the labels, the counts and the command."""

from __future__ import annotations

import shutil
from pathlib import Path

import orjson
import pytest
import zstandard

from corpus_commons.markup.dom import parse
from corpus_commons.terminal.commands import EXIT_FINE, EXIT_USAGE
from evaluation.commands import main
from evaluation.commands.blocks import block_labels, score_blocks
from extraction.labelled import LabelledPage
from extraction.methods import victor
from extraction.methods.web2text.cdom import collapse
from extraction.result import Extraction, ExtractionError
from extraction.training.cleaneval import part_of

HTML = "<p>Home page</p><p>A very fine day</p><p>in the month of May</p><p>Contact us</p>"
GOLD = "A very fine day in the month of May"


class Fixed:
    """A method that returns the same text for every page; None for an error."""

    name = "fixed"

    def __init__(self, text: str | None) -> None:
        self.text = text

    def extract(self, html: str, **_: object) -> Extraction:
        if self.text is None:
            raise ExtractionError("beyond reading")
        return Extraction(self.text)


def labelled(number: int, **meta: object) -> LabelledPage:
    return LabelledPage(str(number), HTML, GOLD, meta=meta)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        (GOLD, [False, True, True, False]),
        ("a very fine day\n\nContact us!", [False, True, False, True]),
        ("", [False] * 4),
    ],
)
def test_a_text_is_aligned_with_the_blocks_of_the_page(text: str, labels: list[bool]) -> None:
    found = block_labels(Fixed(text), labelled(1), collapse(parse(HTML)))
    assert found.tolist() == labels


def test_the_blocks_of_all_pages_are_counted_together() -> None:
    methods = {"good": Fixed(GOLD), "poor": Fixed("Home page. A very fine day.")}
    scores = score_blocks([labelled(1), labelled(2)], methods)
    assert scores["good"].as_dict()["f1"] == 1
    poor = scores["poor"].confusion
    assert (poor.tp, poor.fp, poor.fn, poor.tn) == (2, 2, 2, 2)


def test_a_page_on_which_a_method_fails_counts_as_nothing_kept() -> None:
    scores = score_blocks([labelled(1)], {"broken": Fixed(None)})["broken"]
    assert scores.failures == 1
    assert (scores.confusion.fn, scores.confusion.tn) == (2, 2)


def test_the_test_pages_of_the_two_splits() -> None:
    pages = [
        labelled(1, w2t="train", w2t_ce_test=True),
        labelled(2, w2t="test", w2t_ce_test=False),
        labelled(3),
    ]
    assert [page.id for page in pages if part_of(page, "w2t") == "test"] == ["2"]
    assert [page.id for page in pages if part_of(page, "w2t_ce_test") == "test"] == ["1"]


class TestCommand:
    @pytest.fixture
    def data(self, tmp_path: Path) -> Path:
        path = tmp_path / "pages.jsonl.zst"
        record = {"id": "1", "html": HTML, "gold_text": GOLD, "meta": {"w2t": "test"}}
        path.write_bytes(zstandard.compress(orjson.dumps(record)))
        return path

    def test_prints_a_table_and_writes_json(
        self, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = tmp_path / "blocks.json"
        options = ["blocks", "--data", str(data), "--methods", "all-text", "--json", str(out)]
        assert main(options) == EXIT_FINE
        assert "all-text" in capsys.readouterr().out
        document = orjson.loads(out.read_bytes())
        assert document["run"]["pages"] == 1
        assert document["methods"]["all-text"]["precision"] == 0.5
        assert document["methods"]["all-text"]["recall"] == 1

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["--methods", "unheard-of"], "unheard-of"),
            (["--methods", "all-text", "--split", "w2t_ce_test"], "no test pages"),
        ],
    )
    def test_unusable_arguments_are_refused(
        self,
        data: Path,
        options: list[str],
        message: str,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        assert main(["blocks", "--data", str(data), *options]) == EXIT_USAGE
        assert message in capsys.readouterr().err

    def test_a_shipped_model_is_not_scored_on_its_training_pages(
        self, data: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        options = ["--methods", "web2text", "--split", "w2t_ce_test"]
        assert main(["blocks", "--data", str(data), *options]) == EXIT_USAGE
        assert "--models" in capsys.readouterr().err

    @pytest.mark.parametrize("folder", ["models", "no-such-folder"])
    def test_a_shipped_model_does_not_stand_in_for_one_that_is_missing(
        self, data: Path, tmp_path: Path, folder: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "models").mkdir()
        options = ["--methods", "victor", "--models", str(tmp_path / folder)]
        assert main(["blocks", "--data", str(data), *options]) == EXIT_USAGE
        why = f"--models {tmp_path / folder}: there is no victor.npz in it"
        assert why in capsys.readouterr().err

    def test_methods_without_a_model_need_none_in_the_folder(
        self, data: Path, tmp_path: Path
    ) -> None:
        shutil.copy(Path(victor.__path__[0]) / "model.npz", tmp_path / "victor.npz")
        options = ["--methods", "victor,all-text", "--models", str(tmp_path)]
        assert main(["blocks", "--data", str(data), *options]) == EXIT_FINE
