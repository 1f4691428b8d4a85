"""The classifier of screenshots."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from forking import error_in_a_fork
from tiny_network import CONFIG, picture, save_tiny_network

from corpus_commons.kinds import GENRES, PAGE_TYPES
from extraction import extract
from genre_model.network.classifier import MAX_BATCH, GenreClassifier
from genre_model.network.config import NetworkConfig
from genre_model.prediction import Prediction
from genre_model.screenshot import ScreenshotError


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_network(tmp_path_factory.mktemp("network") / "tiny.npz")


@pytest.fixture(scope="module")
def classifier(weights: Path) -> Iterator[GenreClassifier]:
    classifier = GenreClassifier(weights, threads=1)
    classifier.warm()
    yield classifier
    classifier.close()


PICTURES = [picture(seed) for seed in range(2 * MAX_BATCH + 3)]


def vectors(results: list[Prediction | ScreenshotError]) -> np.ndarray:
    rows = []
    for result in results:
        assert isinstance(result, Prediction)
        rows.append([*result.genre_scores.values(), *result.page_type_scores.values()])
    return np.array(rows)


def test_gives_probabilities_for_every_label(classifier: GenreClassifier) -> None:
    (result,) = classifier.predict(PICTURES[:1])
    assert isinstance(result, Prediction)
    assert tuple(result.genre_scores) == GENRES
    assert tuple(result.page_type_scores) == PAGE_TYPES
    assert sum(result.genre_scores.values()) == pytest.approx(1)
    assert sum(result.page_type_scores.values()) == pytest.approx(1)
    assert result.genre in GENRES
    assert result.page_type in PAGE_TYPES


def test_sees_the_picture(classifier: GenreClassifier) -> None:
    found = vectors(classifier.predict(PICTURES))
    assert len(np.unique(found.round(6), axis=0)) == len(PICTURES)


def test_answers_are_the_same_for_any_batch_size(classifier: GenreClassifier) -> None:
    together = vectors(classifier.predict(PICTURES))
    alone = np.concatenate([vectors(classifier.predict([one])) for one in PICTURES])
    assert np.abs(together - alone).max() < 1e-3


def test_answers_are_the_same_in_any_order(classifier: GenreClassifier) -> None:
    order = np.random.default_rng(0).permutation(len(PICTURES))
    shuffled = vectors(classifier.predict([PICTURES[i] for i in order]))
    assert np.abs(vectors(classifier.predict(PICTURES))[order] - shuffled).max() < 1e-3


@pytest.mark.skipif(sys.platform != "linux", reason="forks")
def test_in_a_fork_it_refuses_to_run(classifier: GenreClassifier, weights: Path) -> None:
    uses = (
        lambda: classifier.predict(PICTURES[:1]),
        classifier.warm,
        lambda: GenreClassifier(weights),
    )
    for use in uses:
        error = error_in_a_fork(use)
        assert error.startswith("RuntimeError: a network was loaded before a fork")
        assert error.endswith("use spawn")


@pytest.mark.skipif(sys.platform != "linux", reason="forks")
def test_in_a_fork_another_library_with_networks_refuses_too(classifier: GenreClassifier) -> None:
    classifier.predict(PICTURES[:1])
    error = error_in_a_fork(lambda: extract("<p>text", method="web2text"))
    assert error.startswith("RuntimeError: a network was loaded before a fork")


def test_answers_are_the_same_in_many_threads(classifier: GenreClassifier) -> None:
    expected = vectors(classifier.predict(PICTURES))
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: vectors(classifier.predict(PICTURES)), range(8)):
            assert np.abs(found - expected).max() < 1e-3


def test_a_broken_picture_does_not_affect_its_batch(classifier: GenreClassifier) -> None:
    good = picture(1)
    broken = [b"", b"<html>", good[: len(good) // 2]]
    results = classifier.predict([good, *broken, picture(2, "PNG")])
    assert [type(result) for result in results] == [
        Prediction,
        *[ScreenshotError] * 3,
        Prediction,
    ]
    assert np.abs(vectors(results[:1]) - vectors(classifier.predict([good]))).max() < 1e-3


def test_a_batch_of_broken_pictures_is_answered(classifier: GenreClassifier) -> None:
    (result,) = classifier.predict([b"nothing"])
    assert isinstance(result, ScreenshotError)


def test_no_pictures_give_no_answers(classifier: GenreClassifier) -> None:
    assert classifier.predict([]) == []


def test_a_stream_is_read_only_a_few_batches_ahead(classifier: GenreClassifier) -> None:
    taken = 0

    def endless() -> Iterator[bytes]:
        nonlocal taken
        while True:
            taken += 1
            yield PICTURES[0]

    results = classifier.stream(endless())
    for _ in range(MAX_BATCH):
        next(results)
    assert taken <= 3 * MAX_BATCH


def test_the_temperature_in_the_file_softens_the_scores(
    weights: Path, classifier: GenreClassifier
) -> None:
    from genre_model.network.weights import load_weights  # noqa: PLC0415 - imports nothing at collection

    _, fields = load_weights(weights)
    assert NetworkConfig.from_json(fields) == CONFIG
    assert classifier.config.genre_temperature == 2.0


def test_a_threshold_makes_it_unsure(weights: Path) -> None:
    strict = GenreClassifier(weights, threshold=1.01)
    (result,) = strict.predict(PICTURES[:1])
    assert isinstance(result, Prediction)
    assert result.genre is None
    assert result.page_type is None
    strict.close()


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        GenreClassifier(tmp_path / "none.npz")
    (tmp_path / "text.npz").write_bytes(b"not an archive")
    with pytest.raises(ValueError, match="not a file of weights"):
        GenreClassifier(tmp_path / "text.npz")


def test_the_configuration_reads_back_without_fields_of_others() -> None:
    fields = CONFIG.to_json()
    assert NetworkConfig.from_json(fields | {"trained_on": "pages of mine"}).to_json() == fields


@pytest.mark.parametrize(
    "change", [{"window": None}, {"window": [0, 32]}, {"genres": []}, {"page_types": 3}]
)
def test_another_configuration_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="configuration"):
        NetworkConfig.from_json(CONFIG.to_json() | change)


def test_importing_the_classifier_does_not_import_tensorflow() -> None:
    script = (
        "import sys, genre_model.network.classifier, genre_model.commands.predict, "
        "genre_model.commands.evaluate; "
        "sys.exit(any(m in sys.modules for m in ('tensorflow', 'keras', 'scipy')))"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)  # noqa: S603 - ours
