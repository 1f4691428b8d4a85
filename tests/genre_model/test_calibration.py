"""Temperature scaling, calibration error, and the fusion of several classifiers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from genre_model.calibration import (
    expected_calibration_error,
    fit_temperature,
    log_loss,
    softmax,
)
from genre_model.fusion import Fusion, HeadFusion, by_types, genre_by_types
from genre_model.prediction import Prediction
from genre_model.training.fusion import cross_fused, fit_fusion, mean

NAMES = ("article", "list-view", "other")


def drawn(probabilities: np.ndarray, seed: int = 0) -> np.ndarray:
    """Labels sampled from the probabilities, which are therefore calibrated."""
    random = np.random.default_rng(seed)
    chosen = (random.random((len(probabilities), 1)) > probabilities.cumsum(1)).sum(1)
    return np.asarray(chosen).clip(max=probabilities.shape[1] - 1)


def logits(samples: int = 4000, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, 2, (samples, len(NAMES)))


class TestTemperature:
    @pytest.mark.parametrize("true", [0.5, 1.0, 3.0])
    def test_finds_by_how_much_logits_were_scaled(self, true: float) -> None:
        calm = logits()
        labels = drawn(softmax(calm))
        assert fit_temperature(calm * true, labels) == pytest.approx(true, rel=0.08)

    def test_is_where_the_log_loss_is_least(self) -> None:
        loud = logits() * 3
        labels = drawn(softmax(loud / 3))
        best = fit_temperature(loud, labels)
        least = log_loss(softmax(loud, best), labels)
        assert all(least <= log_loss(softmax(loud, best * factor), labels) for factor in (0.9, 1.1))

    def test_stays_finite_for_perfectly_separated_and_for_hopeless_logits(self) -> None:
        sure = np.eye(3) * 5
        assert fit_temperature(sure, [0, 1, 2]) == pytest.approx(0.01)
        assert fit_temperature(sure, [1, 2, 0]) == pytest.approx(100)

    @pytest.mark.parametrize(("shape", "labels"), [((0, 3), []), ((3,), [0]), ((2, 3), [0])])
    def test_refuses_logits_and_labels_that_do_not_match(
        self, shape: tuple[int, ...], labels: list[int]
    ) -> None:
        with pytest.raises(ValueError, match="do not fit"):
            fit_temperature(np.zeros(shape), labels)

    @given(
        arrays.arrays(np.float64, (4, 3), elements=st.floats(-1e6, 1e6)),
        st.floats(0.01, 100),
    )
    def test_never_changes_the_answer(self, values: np.ndarray, temperature: float) -> None:
        probabilities = softmax(values, temperature)
        assert np.allclose(probabilities.sum(axis=1), 1)
        chosen = probabilities[np.arange(4), values.argmax(axis=1)]
        assert (chosen == probabilities.max(axis=1)).all()


class TestCalibrationError:
    def test_is_the_gap_between_confidence_and_accuracy(self) -> None:
        probabilities = np.tile([0.9, 0.1], (10, 1))
        labels = np.array([0] * 6 + [1] * 4)
        assert expected_calibration_error(probabilities, labels) == pytest.approx(0.3)

    def test_weighs_bins_by_their_samples(self) -> None:
        probabilities = np.array([[0.9, 0.1]] * 3 + [[0.6, 0.4]])
        labels = np.array([0, 0, 0, 1])
        expected = (3 * 0.1 + 1 * 0.6) / 4
        assert expected_calibration_error(probabilities, labels) == pytest.approx(expected)

    def test_is_small_for_calibrated_and_large_for_overconfident_scores(self) -> None:
        calm = logits()
        labels = drawn(softmax(calm))
        assert expected_calibration_error(softmax(calm), labels) < 0.03
        assert expected_calibration_error(softmax(calm * 4), labels) > 0.1

    def test_of_nothing_is_not_a_number(self) -> None:
        assert np.isnan(expected_calibration_error(np.empty((0, 2)), np.empty(0, np.int64)))

    @pytest.mark.parametrize("confidence", [1.0, 0.6, 0.5])
    def test_predictions_on_the_edge_of_a_bin_count_once(self, confidence: float) -> None:
        probabilities = np.array([[confidence, 1 - confidence]] * 2)
        error = expected_calibration_error(probabilities, np.array([0, 1]))
        assert error == pytest.approx(confidence - 0.5)


class TestFusion:
    """Two classifiers that see independent halves of the evidence."""

    left = logits(3000, seed=2)
    right = logits(3000, seed=3)
    labels = drawn(softmax(left + right))

    def test_is_better_than_either_classifier_and_than_the_mean(self) -> None:
        # The left classifier is overconfident, so the plain product gives it too much weight.
        opinions = {"one": softmax(self.left * 2), "two": softmax(self.right)}
        folds = np.arange(len(self.labels)) % 5
        fused = cross_fused(opinions, self.labels, NAMES, folds)
        product = HeadFusion.product_of([*opinions], NAMES).pool(opinions)
        rivals = (*opinions.values(), mean(opinions), product)
        loss = log_loss(fused, self.labels)
        assert all(loss < log_loss(rival, self.labels) for rival in rivals)
        assert expected_calibration_error(fused, self.labels) < 0.04

    def test_recovers_the_weights(self) -> None:
        opinions = {"one": softmax(self.left * 2), "two": softmax(self.right)}
        head = fit_fusion(opinions, self.labels, NAMES)
        assert head.weights["one"] == pytest.approx(0.5, abs=0.1)
        assert head.weights["two"] == pytest.approx(1.0, abs=0.15)

    def test_a_third_classifier_that_only_guesses_gets_hardly_a_weight(self) -> None:
        opinions = {"one": softmax(self.left), "two": softmax(self.right)}
        guess = softmax(logits(3000, seed=4))
        head = fit_fusion({**opinions, "guess": guess}, self.labels, NAMES)
        assert head.weights["guess"] < 0.05
        assert head.weights["one"] == pytest.approx(1.0, abs=0.15)

    def test_samples_without_a_label_are_predicted_but_not_fitted_on(self) -> None:
        opinions = {"one": softmax(self.left), "two": softmax(self.right)}
        folds = np.arange(len(self.labels)) % 5
        known = np.arange(len(self.labels)) % 2 == 0
        fused = cross_fused(opinions, np.where(known, self.labels, -1), NAMES, folds)
        half = {name: rows[known] for name, rows in opinions.items()}
        of_half = cross_fused(half, self.labels[known], NAMES, folds[known])
        assert np.allclose(fused[known], of_half)
        assert np.allclose(fused.sum(axis=1), 1)

    def test_a_misleading_classifier_gets_no_weight_rather_than_a_negative_one(self) -> None:
        opinions = {"one": softmax(-self.left), "two": softmax(self.right)}
        assert fit_fusion(opinions, self.labels, NAMES).weights["one"] == 0

    def test_a_flawless_classifier_keeps_the_weights_finite(self) -> None:
        sure = np.eye(3)[self.labels]
        head = fit_fusion({"one": sure, "two": sure}, self.labels, NAMES)
        assert np.isfinite([*head.weights.values(), *head.bias]).all()

    def test_arrays_with_wrong_shapes_are_refused(self) -> None:
        with pytest.raises(ValueError, match="must have shape"):
            fit_fusion({"one": np.ones((2, 3)), "two": np.ones((2, 2))}, [0, 1], NAMES)

    def test_a_probability_of_0_cannot_overrule_the_other_classifier(self) -> None:
        head = HeadFusion.product_of(("one", "two"), NAMES)
        pooled = head.pool({"one": [1.0, 0.0, 0.0], "two": [0.0, 1.0, 0.0]})
        assert pooled[0] == pytest.approx(pooled[1])

    def test_other_classifiers_than_those_of_the_pool_are_refused(self) -> None:
        head = HeadFusion.product_of(("one", "two"), NAMES)
        with pytest.raises(ValueError, match="three"):
            head.pool({"one": [1.0, 0.0, 0.0], "three": [0.0, 1.0, 0.0]})


def a_fusion() -> Fusion:
    return Fusion(
        HeadFusion(("article", "list-view"), {"screenshot": 0.5, "html": 1.5}, (0.1, -0.1)),
        HeadFusion.product_of(("screenshot", "html"), NAMES),
    )


def a_prediction(article: float) -> Prediction:
    rest = 1 - article
    return Prediction.of(
        {"article": article, "list-view": rest},
        {"article": article, "list-view": rest / 2, "other": rest / 2},
    )


class TestFusionFile:
    def test_reads_back(self, tmp_path: Path) -> None:
        a_fusion().save(tmp_path / "fusion.json")
        assert Fusion.load(tmp_path / "fusion.json") == a_fusion()

    @pytest.mark.parametrize(
        ("content", "why"),
        [
            ("", "Input is a zero-length, empty document"),
            ("[]", ""),
            ("{}", "there is no 'genre'"),
            ('{"genre": {"labels": ["a"]}}', "there is no 'weights'"),
        ],
    )
    def test_another_file_is_refused(self, tmp_path: Path, content: str, why: str) -> None:
        path = tmp_path / "fusion.json"
        path.write_text(content)
        with pytest.raises(ValueError, match=f"not a file of fusion weights: {why}"):
            Fusion.load(path)

    def test_a_bias_for_every_label_is_needed(self, tmp_path: Path) -> None:
        head = HeadFusion(NAMES, {"screenshot": 1, "html": 1}, (0.0,))
        Fusion(head, a_fusion().page_type).save(tmp_path / "f.json")
        with pytest.raises(ValueError, match="1 biases for 3 labels"):
            Fusion.load(tmp_path / "f.json")

    def test_both_heads_need_the_same_classifiers(self, tmp_path: Path) -> None:
        other = HeadFusion.product_of(("network", "layout"), NAMES)
        Fusion(a_fusion().genre, other).save(tmp_path / "f.json")
        with pytest.raises(ValueError, match="same classifiers"):
            Fusion.load(tmp_path / "f.json")


class TestGenreByPageTypes:
    def test_page_types_count_for_the_genre_where_they_are_weighed(self) -> None:
        weights = {"network": 0.0, "layout": 0.0, by_types("network"): 1.0}
        fusion = Fusion(
            HeadFusion(("article", "list-view"), weights, (0.0, 0.0)),
            HeadFusion.product_of(("network", "layout"), ("article", "listing", "other")),
        )
        thinks = Prediction.of(
            {"article": 0.9, "list-view": 0.1}, {"article": 0.1, "listing": 0.4, "other": 0.5}
        )
        fused = fusion.fuse({"network": thinks, "layout": thinks})
        assert fused.genre_scores["list-view"] == pytest.approx(0.8)

    def test_types_of_no_genre_say_nothing(self) -> None:
        assert genre_by_types([1.0], ["product"], NAMES[:2]).tolist() == [0.5, 0.5]

    def test_are_read_back_from_a_file(self, tmp_path: Path) -> None:
        opinions = ("screenshot", "html", by_types("html"))
        genre = HeadFusion.product_of(opinions, ("article", "list-view"))
        fusion = Fusion(genre, a_fusion().page_type)
        fusion.save(tmp_path / "f.json")
        assert Fusion.load(tmp_path / "f.json") == fusion


class TestFusingPredictions:
    def test_agreement_increases_confidence(self) -> None:
        fused = a_fusion().fuse({"screenshot": a_prediction(0.8), "html": a_prediction(0.7)})
        assert fused.genre == "article"
        assert fused.page_type_scores["article"] > 0.8

    def test_one_classifier_alone_answers_by_itself(self) -> None:
        assert a_fusion().fuse({"screenshot": None, "html": a_prediction(0.7)}) == a_prediction(0.7)
        assert a_fusion().fuse({"screenshot": a_prediction(0.7), "html": None}) == a_prediction(0.7)

    def test_the_requested_threshold_applies_to_a_single_classifier(self) -> None:
        assert (
            a_fusion().fuse({"screenshot": None, "html": a_prediction(0.7)}, threshold=0.8).genre
            is None
        )

    def test_no_classifier_is_refused(self) -> None:
        with pytest.raises(ValueError, match="no prediction by any of"):
            a_fusion().fuse({"screenshot": None, "html": None})

    def test_classifiers_of_other_labels_are_refused(self) -> None:
        other = Prediction.of({"news": 1.0}, {"news": 1.0})
        with pytest.raises(ValueError, match="news"):
            a_fusion().fuse({"screenshot": other, "html": other})

    def test_another_classifier_is_refused_even_alone(self) -> None:
        with pytest.raises(ValueError, match=r"'htlm'.*'screenshot', 'html'"):
            a_fusion().fuse({"htlm": a_prediction(0.7)})
