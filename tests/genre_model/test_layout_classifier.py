"""Trees over layout measures: training, saving, loading, and prediction beside the network."""

from __future__ import annotations

import io
import resource
import shutil
from pathlib import Path

import numpy as np
import orjson
import pytest
import zstandard
from PIL import Image
from tiny_network import picture, save_tiny_network

from corpus_commons.kinds import GENRES, PAGE_TYPES
from genre_model.commands import main
from genre_model.fusion import LAYOUT, NETWORK, Fusion, HeadFusion
from genre_model.layout.classifier import SHIPPED_MODEL, LayoutClassifier, load
from genre_model.layout.measures import measure, measure_names
from genre_model.network.classifier import GenreClassifier, Layout
from genre_model.prediction import Prediction
from genre_model.scoring.prediction_file import read_predictions

_SITES, _PAGES = 5, 60


def jpeg(kind: str, random: np.random.Generator) -> bytes:
    """Paragraphs with full lines, or entries with short lines and wide gaps."""
    page = np.full((600, 320, 3), 255, np.uint8)
    left, top = int(random.integers(20, 60)), 80
    while top < 580:
        is_short = kind == "list-view" or random.random() < 0.2
        right = left + int(random.integers(40, 90)) if is_short else 300
        page[top : top + 3, left:right:2] = 40
        top += int(random.integers(28, 32)) if kind == "list-view" else 7
    out = io.BytesIO()
    Image.fromarray(page).save(out, "JPEG", quality=90)
    return out.getvalue()


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages of five sites, alternating between two kinds."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "shots").mkdir()
    random = np.random.default_rng(0)
    lines = []
    for number in range(_PAGES):
        kind = GENRES[number % 2]
        (folder / "shots" / f"p{number}.jpg").write_bytes(jpeg(kind, random))
        lines.append({"id": f"p{number}", "genre": kind, "repo": f"site{number // 2 % _SITES}"})
    (folder / "labels.jsonl").write_bytes(b"\n".join(map(orjson.dumps, lines)))
    return folder


def train(*words: object) -> int:
    return main(["train-layout", *map(str, words)])


@pytest.fixture(scope="module")
def trained(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model, its out-of-fold predictions and the measures it was trained on."""
    folder = tmp_path_factory.mktemp("trained")
    told = ("--data", data, "--out", folder / "model.zst", "--oof", folder / "oof.jsonl")
    assert train(*told, "--measures", folder / "measures") == 0
    return folder


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_network(tmp_path_factory.mktemp("network") / "tiny.npz")


class TestTraining:
    def test_predicts_every_page_with_trees_trained_without_its_site(self, trained: Path) -> None:
        answers = read_predictions(trained / "oof.jsonl")
        assert len(answers) == _PAGES
        assert {answer.fold for answer in answers.values()} == set("01234")
        right = [
            answers[f"p{number}"].prediction.genre == GENRES[number % 2] for number in range(_PAGES)
        ]
        assert np.mean(right) > 0.9

    def test_the_same_seed_gives_the_same_model(self, data: Path, trained: Path) -> None:
        again = trained / "again.zst"
        assert train("--data", data, "--out", again, "--measures", trained / "measures") == 0
        assert again.read_bytes() == (trained / "model.zst").read_bytes()

    def test_synthetic_pages_are_trained_on_but_not_predicted(
        self, data: Path, trained: Path, tmp_path: Path
    ) -> None:
        out, oof = tmp_path / "model.zst", tmp_path / "oof.jsonl"
        assert train("--data", data, "--synthetic", data, "--out", out, "--oof", oof) == 0
        assert len(read_predictions(oof)) == _PAGES
        assert out.read_bytes() != (trained / "model.zst").read_bytes()

    def test_additional_pages_are_of_other_sites(
        self, data: Path, trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        more, out, oof = tmp_path / "more", tmp_path / "model.zst", tmp_path / "oof.jsonl"
        shutil.copytree(data, more)
        told = ("--data", data, "--additional", more, "--out", out, "--oof", oof)
        assert train(*told) == 2
        assert "is in both" in capsys.readouterr().err
        labels = (more / "labels.jsonl").read_text()
        (more / "labels.jsonl").write_text(labels.replace('"repo":"', '"repo":"other '))
        assert train(*told) == 0
        assert len(read_predictions(oof)) == _PAGES
        assert out.read_bytes() != (trained / "model.zst").read_bytes()

    def test_measures_of_other_pages_are_refused(
        self, data: Path, trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        other = tmp_path / "other"
        shutil.copytree(data, other)
        lines = (data / "labels.jsonl").read_bytes().splitlines()
        (other / "labels.jsonl").write_bytes(b"\n".join(lines[::-1]))
        told = ("--data", other, "--measures", trained / "measures", "--no-model")
        assert train(*told) == 2
        assert "other pages" in capsys.readouterr().err

    def test_measures_of_other_pictures_with_the_same_ids_are_refused(
        self, data: Path, trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        other = tmp_path / "other"
        shutil.copytree(data, other)
        shutil.copy(data / "shots" / "p1.jpg", other / "shots" / "p0.jpg")
        told = ("--data", other, "--measures", trained / "measures", "--no-model")
        assert train(*told) == 2
        assert "other pages" in capsys.readouterr().err

    def test_measures_that_cannot_be_written_whole_are_not_kept(
        self, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        told = ("--data", data, "--measures", tmp_path, "--no-model")
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
        try:
            assert train(*told) == 2
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert "File too large" in capsys.readouterr().err
        assert not list(tmp_path.iterdir())

    def test_measures_of_another_version_are_refused(
        self, data: Path, trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with np.load(trained / "measures" / "data.npz") as kept:
            turned = {**kept, "names": measure_names()[::-1]}
        np.savez(tmp_path / "data.npz", **turned)
        assert train("--data", data, "--measures", tmp_path, "--no-model") == 2
        assert "other measures" in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (("--cross-validate", "1"), "must be at least 2"),
            (("--data", "nowhere"), "nowhere"),
            (("--out", "no/such/folder/model.zst"), "no/such/folder: no such folder"),
            (("--oof", "."), "must be a file, but "),
        ],
    )
    def test_what_cannot_be_used_is_refused(
        self,
        data: Path,
        words: tuple[str, str],
        message: str,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        try:
            code: object = train("--data", data, "--no-model", *words)
        except SystemExit as stopped:
            code = stopped.code
        assert code == 2
        assert message in capsys.readouterr().err

    def test_pages_without_a_genre_are_refused_before_they_are_measured(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        lines = [{"id": f"p{number}", "page_type": "forum"} for number in range(8)]
        (tmp_path / "labels.jsonl").write_bytes(b"\n".join(map(orjson.dumps, lines)))
        assert train("--data", tmp_path, "--no-model") == 2
        assert "known genre are needed in at least two folds; 0 of 8" in capsys.readouterr().err


class TestModelFile:
    def test_reads_back(self, trained: Path) -> None:
        model = load(trained / "model.zst")
        assert model.genre.labels == GENRES
        assert model.page_type.labels == PAGE_TYPES

    def test_other_measures_are_refused(self, trained: Path, tmp_path: Path) -> None:
        content = orjson.loads(zstandard.decompress((trained / "model.zst").read_bytes()))
        content["features"] = content["features"][1:]
        old = tmp_path / "old.zst"
        old.write_bytes(zstandard.compress(orjson.dumps(content)))
        with pytest.raises(ValueError, match="train it again"):
            load(old)

    @pytest.mark.parametrize("content", [b"", b"text", zstandard.compress(b"{}")])
    def test_another_file_is_refused(self, tmp_path: Path, content: bytes) -> None:
        file = tmp_path / "other.zst"
        file.write_bytes(content)
        with pytest.raises(ValueError, match=r"other\.zst"):
            load(file)


class TestShippedTrees:
    def test_tell_a_text_from_a_list(self) -> None:
        random = np.random.default_rng(1)
        pixels = [
            np.asarray(Image.open(io.BytesIO(jpeg(kind, random))))
            for kind in GENRES
            for _ in range(5)
        ]
        answers = LayoutClassifier.shipped().predict([measure(page) for page in pixels])
        by_kind = [answer.genre_scores["list-view"] for answer in answers]
        assert np.mean(by_kind[:5]) < np.mean(by_kind[5:])

    def test_are_small_and_give_no_answers_for_no_pages(self) -> None:
        assert SHIPPED_MODEL.stat().st_size < 1_500_000
        assert LayoutClassifier.shipped().predict([]) == []

    def test_do_not_depend_on_the_batch(self) -> None:
        random = np.random.default_rng(2)
        rows = [random.random(len(measure_names()), np.float32) for _ in range(9)]
        together = LayoutClassifier.shipped().predict(rows)
        assert together == [LayoutClassifier.shipped().predict([row])[0] for row in rows]


class TestBesideTheNetwork:
    def pooled(self, weights: Path, trained: Path, network: float, layout: float) -> Prediction:
        weights_of = {NETWORK: network, LAYOUT: layout}
        heads = (HeadFusion(its, weights_of, (0.0,) * len(its)) for its in (GENRES, PAGE_TYPES))
        second = Layout(trained / "model.zst", Fusion(*heads))
        classifier = GenreClassifier(weights, second, threads=1)
        (answer,) = classifier.predict([picture(1)])
        classifier.close()
        assert isinstance(answer, Prediction)
        return answer

    def test_the_fusion_decides_whose_answer_counts(self, weights: Path, trained: Path) -> None:
        alone = GenreClassifier(weights, threads=1)
        (network,) = alone.predict([picture(1)])
        alone.close()
        assert isinstance(network, Prediction)
        by_network = self.pooled(weights, trained, 1.0, 0.0)
        by_layout = self.pooled(weights, trained, 0.0, 1.0)
        assert by_network.genre_scores == pytest.approx(network.genre_scores, abs=1e-4)
        assert by_layout.genre_scores != pytest.approx(network.genre_scores, abs=1e-4)

    def test_a_fusion_of_other_labels_is_refused(self, weights: Path) -> None:
        head = HeadFusion.product_of((NETWORK, LAYOUT), ("news", "shop"))
        with pytest.raises(ValueError, match="news"):
            GenreClassifier(weights, Layout(None, Fusion(head, head)), threads=1)

    def test_what_ships_answers_alike_for_any_batch_and_order(self) -> None:
        random = np.random.default_rng(3)
        images = [jpeg(GENRES[number % 2], random) for number in range(18)]
        classifier = GenreClassifier.shipped(threads=1)
        together = classifier.predict(images)
        alone = [classifier.predict([image])[0] for image in reversed(images)]
        classifier.close()
        for one, other in zip(together, reversed(alone), strict=True):
            assert isinstance(one, Prediction)
            assert isinstance(other, Prediction)
            assert one.genre_scores == pytest.approx(other.genre_scores, abs=1e-3)
            assert one.page_type_scores == pytest.approx(other.page_type_scores, abs=1e-3)
