"""The commands ``pretrain`` and ``train``, with tiny networks."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import IO

import numpy as np
import pytest
from tiny_training import CONFIG, PAGES, SIZE, eagerly

from genre_model.commands import main
from genre_model.network.model import load_network, network, save_network

pytestmark = pytest.mark.usefixtures("tiny")


def relabel(folder: Path, labels: Callable[[dict[str, str]], dict[str, str | None]]) -> None:
    """Other labels for the same pages and sites."""
    path = folder / "labels.jsonl"
    records = [json.loads(line) for line in path.read_text().splitlines()]
    others = [{"id": r["id"], "repo": r["repo"], **labels(r)} for r in records]
    path.write_text("".join(json.dumps(record) + "\n" for record in others))


class TestCommands:
    options = ("--backbone", "tiny", "--window", "32x64", "--width", "0.125", "--epochs", "1")

    @eagerly()
    def test_pretrain_then_train_with_folds(
        self, folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        begun = tmp_path / "begun.npz"
        out = tmp_path / "out"
        assert main(["pretrain", "--data", str(folder), "--out", str(begun), *self.options]) == 0
        assert f"wrote {begun}" in caplog.text
        words = ["pretrain", "--data", str(folder), "--out", str(begun)]
        assert main([*words, "--taught-by", str(begun), *self.options]) == 0
        words = ["train", "--data", str(folder), "--out", str(out), "--weights", str(begun)]
        assert main([*words, "--cross-validate", "2", *self.options]) == 0
        _, config = load_network(out / "network.npz")
        assert config.window == SIZE
        assert config.genre_temperature != 1
        lines = (out / "held-out.jsonl").read_text().splitlines()
        assert [json.loads(line)["id"] for line in lines] == [f"{n:02}" for n in range(PAGES)]
        assert len(json.loads((out / "training.json").read_text())["history"]["loss"]) == 1

    @eagerly()
    def test_networks_of_a_run_teach_those_of_another(
        self, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def train(out: str, *words: str) -> int:
            its = ["train", "--data", str(folder), "--out", str(tmp_path / out), *words]
            return main([*its, *self.options])

        teacher = str(tmp_path / "teacher")
        assert train("learner", "--taught-by", teacher) == 2
        assert "run.json: No such file" in capsys.readouterr().err
        assert train("teacher", "--cross-validate", "2", "--folds", "0,1") == 0
        assert train("learner", "--taught-by", teacher, "--cross-validate", "3") == 2
        assert "teacher was trained with other folds" in capsys.readouterr().err
        two = ("--taught-by", teacher, "--cross-validate", "2")
        assert train("learner", *two) == 2
        assert "network.npz does not exist" in capsys.readouterr().err
        assert train("learner", *two, "--folds", "0,1") == 0
        assert (tmp_path / "learner" / "held-out.jsonl").is_file()

    def test_networks_are_averaged(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        files = [tmp_path / f"{name}.npz" for name in "ab"]
        models = [network(CONFIG) for _ in files]
        for file, model in zip(files, models, strict=True):
            save_network(file, model, replace(CONFIG, genre_temperature=2.0))
        out = tmp_path / "mean.npz"
        assert main(["average", *map(str, files), "--out", str(out)]) == 0
        mean, config = load_network(out)
        assert config.genre_temperature == 1
        for found, *theirs in zip(*(its.weights for its in (mean, *models)), strict=True):
            expected = np.mean([its.numpy() for its in theirs], axis=0)
            assert np.allclose(found.numpy(), expected, atol=2e-3)
        wider = replace(CONFIG, width=0.25)
        save_network(files[1], network(wider), wider)
        assert main(["average", *map(str, files), "--out", str(out)]) == 2
        assert "b.npz is another network than" in capsys.readouterr().err

    @eagerly()
    def test_synthetic_pages_are_trained_on_but_not_predicted(
        self, folder: Path, tmp_path: Path
    ) -> None:
        words = ["train", "--data", str(folder), "--synthetic", str(folder), "--out", str(tmp_path)]
        assert main([*words, "--cross-validate", "2", "--batch", "48", *self.options]) == 0
        lines = (tmp_path / "held-out.jsonl").read_text().splitlines()
        assert [json.loads(line)["id"] for line in lines] == [f"{n:02}" for n in range(PAGES)]
        record = json.loads((tmp_path / "training.json").read_text())
        assert record["recipe"]["synthetic_weight"] == 0.5

    @eagerly()
    def test_additional_pages_are_in_no_fold(
        self, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """They are trained on in both folds, and predicted in neither."""
        more = tmp_path / "more"
        shutil.copytree(folder, more)
        labels = (more / "labels.jsonl").read_text()
        for number in range(PAGES):
            (more / "shots" / f"{number:02}.png").rename(more / "shots" / f"m{number:02}.png")
        (more / "labels.jsonl").write_text(labels.replace('"id": "', '"id": "m'))
        words = ["train", "--data", str(folder), "--additional", str(more), *self.options]
        words += ["--batch", "48", "--cross-validate", "2"]
        assert main([*words, "--out", str(tmp_path / "refused")]) == 2
        assert "site s0 is in both" in capsys.readouterr().err
        (more / "labels.jsonl").write_text(
            labels.replace('"id": "', '"id": "m').replace('"repo": "', '"repo": "m')
        )
        assert main([*words, "--out", str(tmp_path / "out")]) == 0
        lines = (tmp_path / "out" / "held-out.jsonl").read_text().splitlines()
        assert [json.loads(line)["id"] for line in lines] == [f"{n:02}" for n in range(PAGES)]

    def test_another_run_does_not_reuse_the_folds(
        self, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        data, out = tmp_path / "data", tmp_path / "out"
        shutil.copytree(folder, data)
        words = ["train", "--data", str(data), "--out", str(out), "--batch", "8", *self.options]
        words += ["--cross-validate", "2", "--epochs", "0"]
        assert main([*words, "--folds", "0"]) == 0
        before = (out / "fold-0.npz").stat().st_mtime_ns
        assert main([*words, "--folds", "0,1"]) == 0
        assert (out / "fold-0.npz").stat().st_mtime_ns == before
        assert main([*words, "--rate", "1e-4"]) == 2
        assert "(recipe.rate: 0.001 there, 0.0001 asked)" in capsys.readouterr().err
        lines = (data / "labels.jsonl").read_text().splitlines(keepends=True)
        (data / "labels.jsonl").write_text("".join(lines[::-1]))
        assert main(words) == 2
        assert "another recipe or other data (data)" in capsys.readouterr().err

    def test_a_fold_whose_answers_are_cut_short_is_trained_again(
        self, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        words = ["train", "--data", str(folder), "--out", str(tmp_path), "--batch", "8"]
        words += [*self.options, "--cross-validate", "2", "--epochs", "0", "--folds", "0"]

        def cut(file: IO[bytes] | Path, **_: object) -> None:
            (file.write_bytes if isinstance(file, Path) else file.write)(b"PK")
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as full:
            full.setattr("genre_model.training.cross_validation.np.savez", cut)
            assert main(words) == 1
        assert main(words) == 0

    def test_an_interrupted_pretraining_is_not_resumed_by_another_run(
        self, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "phase-0").mkdir()
        words = ["pretrain", "--data", str(folder), "--out", str(tmp_path / "out.npz")]
        assert main([*words, "--state", str(tmp_path), *self.options]) == 2
        assert "the state or the network of a run with another recipe" in capsys.readouterr().err

    def test_labels_of_one_head_suffice_for_a_cross_validation(
        self, folder: Path, tmp_path: Path
    ) -> None:
        data, out = tmp_path / "data", tmp_path / "out"
        shutil.copytree(folder, data)
        relabel(data, lambda record: {"page_type": record["genre"], "goce": None})
        words = ["train", "--data", str(data), "--out", str(out), "--batch", "8", *self.options]
        assert main([*words, "--cross-validate", "2", "--epochs", "0"]) == 0
        _, config = load_network(out / "network.npz")
        assert config.genre_temperature == 1
        assert config.page_type_temperature != 1

    def test_validation_sites_must_leave_others_for_training(
        self, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Outside of either fold there is only one site."""
        data = tmp_path / "data"
        shutil.copytree(folder, data)
        relabel(data, lambda record: {"genre": record["genre"], "repo": record["genre"]})
        words = ["train", "--data", str(data), "--out", str(tmp_path), "--patience", "1"]
        assert main([*words, "--cross-validate", "2", *self.options]) == 2
        assert "at least two sites outside of every fold" in capsys.readouterr().err

    def test_a_folder_without_a_known_label_is_refused(
        self, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        data = tmp_path / "data"
        shutil.copytree(folder, data)
        relabel(data, lambda record: {"genre": "Foo"})
        assert main(["train", "--data", str(data), "--out", str(tmp_path), *self.options]) == 2
        assert "no page has a known genre or page type" in capsys.readouterr().err

    @pytest.mark.parametrize("command", ["train", "pretrain"])
    def test_a_missing_tensorboard_is_reported_before_anything_is_read(
        self,
        command: str,
        folder: Path,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.setitem(sys.modules, "tensorboard", None)
        with pytest.raises(SystemExit) as stopped:
            main(
                [
                    command,
                    "--data",
                    str(folder),
                    "--out",
                    str(tmp_path / "out"),
                    "--tensorboard",
                    "logs",
                ]
            )
        assert stopped.value.code == 2
        assert "pip install tensorboard" in capsys.readouterr().err

    def test_unusable_data_are_told_before_keras_is_loaded(self, tmp_path: Path) -> None:
        words = ["train", "--data", str(tmp_path), "--out", str(tmp_path)]
        script = (
            f"import sys; from genre_model.commands import main; assert main({words}) == 2;"
            "assert 'keras' not in sys.modules"
        )
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        )
        assert "labels.jsonl: no such file" in done.stderr

    def test_what_is_wrong_is_all_that_is_told(self, folder: Path, tmp_path: Path) -> None:
        """None of TensorFlow's log."""
        words = ("train", "--data", folder, "--out", tmp_path, "--backbone", "resnet")
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-m", "genre_model", *map(str, words)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2
        assert done.stderr.startswith("python -m genre_model train: unknown backbone 'resnet'")
        assert done.stderr.count("\n") == 1

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["--window", "30x64"], "multiples of 32"),
            (["--window", "wide"], "expected WIDTHxHEIGHT"),
            (["--backbone", "resnet"], "unknown backbone 'resnet'"),
            (["--weights", "nowhere.npz"], "nowhere.npz"),
            (["--views", "mirrored,nonsense"], "unknown view 'nonsense'"),
            (["--batch", "0"], "--batch: must be at least 1, not '0'"),
            (["--epochs", "-1"], "--epochs: must be a whole number, 0 or more, not '-1'"),
            (["--cross-validate", "1"], "--cross-validate: must be at least 2"),
            (["--folds", "0;1"], "--folds: must be a whole number, 0 or more, not '0;1'"),
            (["--folds", "0"], "--folds needs --cross-validate"),
            (["--cross-validate", "2", "--folds", "0,7"], "fold 7 has no pages; folds with pages"),
            (["--out", __file__], "File exists"),
        ],
    )
    def test_a_wrong_option_is_named(
        self,
        folder: Path,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        words: list[str],
        message: str,
    ) -> None:
        command = ["train", "--data", str(folder), "--out", str(tmp_path), "--backbone", "tiny"]
        command += words
        try:
            code = main(command)
        except SystemExit as stopped:
            code = stopped.code
        assert code == 2
        assert message in capsys.readouterr().err
