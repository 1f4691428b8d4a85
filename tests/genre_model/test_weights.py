import json
import os
from pathlib import Path

import keras
import numpy as np
import pytest

from genre_model.network.backbones import build
from genre_model.network.imagenet import APPLICATIONS, carry_over, load_imagenet
from genre_model.network.model import two_heads
from genre_model.network.resnet_v2 import KERAS_APPLICATIONS, backbone
from genre_model.network.weights import (
    WeightsError,
    assign_weights,
    load_weights,
    save_weights,
    variables_by_name,
)

CONFIG = {"variant": "resnet_v2_26", "labels": {"genre": ["article", "list-view"]}, "t": 1.5}


def randomise(model: keras.Model, seed: int = 0) -> None:
    """Weights as a trained network might have them, batch-norm statistics included."""
    rng = np.random.default_rng(seed)
    for variable in model.weights:
        shape = variable.shape
        if variable.name == "kernel":
            value = rng.normal(0, np.sqrt(2 / np.prod(shape[:-1])), shape)
        elif variable.name == "gamma":
            value = rng.uniform(0.1, 0.5, shape)  # small, or sums over many units explode
        elif variable.name == "moving_variance":
            value = rng.uniform(0.5, 1.5, shape)
        else:
            value = rng.normal(0, 0.2, shape)
        variable.assign(value)


def small_model() -> keras.Model:
    network = backbone("resnet_v2_26", (32, 32, 3), width=0.125)
    model = keras.Model(network.input, two_heads(network.output, 2, 9))
    randomise(model)
    return model


@pytest.fixture(scope="module")
def model() -> keras.Model:
    return small_model()


@pytest.fixture(scope="module")
def saved(model: keras.Model, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("weights") / "model.npz"
    save_weights(path, model, CONFIG)
    return path


@pytest.fixture(scope="module")
def application() -> keras.Model:
    source = keras.applications.ResNet50V2(weights=None, include_top=False)
    randomise(source)
    return source


def assert_same_outputs(ours: keras.Model, theirs: keras.Model) -> None:
    rng = np.random.default_rng(1)
    for size in ((64, 64), (65, 47)):
        x = rng.uniform(-1, 1, (2, *size, 3)).astype(np.float32)
        expected = np.asarray(theirs(x))
        assert expected.std() > 0.01
        np.testing.assert_allclose(ours(x), expected, rtol=1e-4, atol=1e-4)


@pytest.fixture(scope="module")
def carried_over(application: keras.Model) -> keras.Model:
    ours = backbone("resnet_v2_50", conventions=KERAS_APPLICATIONS)
    carry_over(application, ours)
    return ours


def test_outputs_are_those_of_keras_applications(
    application: keras.Model, carried_over: keras.Model
) -> None:
    assert_same_outputs(carried_over, application)


@pytest.mark.skipif("PROVE_ALL_DEPTHS" not in os.environ, reason="a minute: set PROVE_ALL_DEPTHS")
@pytest.mark.parametrize("variant", ["resnet_v2_101", "resnet_v2_152"])
def test_outputs_are_those_of_the_deeper_keras_applications(variant: str) -> None:
    source = getattr(keras.applications, APPLICATIONS[variant])(weights=None, include_top=False)
    randomise(source)
    ours = backbone(variant, conventions=KERAS_APPLICATIONS)
    carry_over(source, ours)
    assert_same_outputs(ours, source)


def test_a_local_file_of_keras_weights_loads(
    application: keras.Model, carried_over: keras.Model, tmp_path: Path
) -> None:
    path = tmp_path / "notop.weights.h5"
    application.save_weights(path)
    ours = keras.models.clone_model(carried_over)
    load_imagenet(ours, "resnet_v2_50", path)
    for loaded, expected in zip(ours.get_weights(), carried_over.get_weights(), strict=True):
        np.testing.assert_array_equal(loaded, expected)


@pytest.mark.filterwarnings("ignore:Skipping nested container")
def test_a_local_file_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.weights.h5"
    keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)]).save_weights(path)
    with pytest.raises(WeightsError, match="does not fit ResNet50V2"):
        load_imagenet(backbone("resnet_v2_50", width=0.125), "resnet_v2_50", path)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(WeightsError, match=r"/nowhere\.h5: no such file of weights"):
        load_imagenet(backbone("resnet_v2_50", width=0.125), "resnet_v2_50", "/nowhere.h5")


def test_a_failed_download_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(**options: object) -> keras.Model:
        raise Exception("URL fetch failure")  # what Keras raises

    monkeypatch.setattr(keras.applications, "ResNet50V2", refused)
    with pytest.raises(WeightsError, match=r"could not be downloaded.*\.h5 file"):
        load_imagenet(backbone("resnet_v2_26"), "resnet_v2_50")


def test_a_variant_without_imagenet_weights_says_which_have_them() -> None:
    with pytest.raises(WeightsError, match=f"no ImageNet weights.*{', '.join(APPLICATIONS)}"):
        load_imagenet(backbone("resnet_v2_26"), "resnet_v2_26")


def test_a_file_for_a_variant_that_reads_only_npz_is_named() -> None:
    for variant in ("resnet_v2_26", "efficientnet_lite0"):
        with pytest.raises(WeightsError, match=r"other\.bin is no \.npz; of our networks, only"):
            build(variant, (32, 32, 3), "other.bin")


def test_another_width_is_named_and_nothing_is_changed(application: keras.Model) -> None:
    ours = backbone("resnet_v2_50", width=0.125)
    before = ours.get_weights()
    with pytest.raises(WeightsError, match=r"misshapen: conv1_conv/kernel \(7, 7, 3, 64\)"):
        carry_over(application, ours)
    for old, new in zip(before, ours.get_weights(), strict=True):
        np.testing.assert_array_equal(old, new)


def test_another_depth_is_named(application: keras.Model) -> None:
    with pytest.raises(WeightsError, match="missing: conv3_block5_preact_bn"):
        carry_over(application, backbone("resnet_v2_152", width=0.125))


def test_a_saved_model_predicts_the_same_in_half_precision(model: keras.Model, saved: Path) -> None:
    arrays, config = load_weights(saved)
    assert config == CONFIG
    fresh = small_model()
    randomise(fresh, seed=5)
    assign_weights(fresh, arrays)
    x = np.random.default_rng(2).uniform(-1, 1, (2, 32, 32, 3)).astype(np.float32)
    for name, logits in model(x).items():
        np.testing.assert_allclose(fresh(x)[name], logits, atol=0.02)


def test_kernels_are_float16_and_vectors_float32(model: keras.Model, saved: Path) -> None:
    with np.load(saved, allow_pickle=False) as file:
        kinds = {name: file[name].dtype for name in file.files}
    assert kinds["postnorm/moving_variance"] == np.float32
    assert kinds["genre/kernel"] == np.float16
    assert saved.stat().st_size < 2.2 * model.count_params() + 100_000


def test_saving_twice_gives_the_same_bytes(model: keras.Model, saved: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.npz"
    save_weights(again, model, CONFIG)
    assert again.read_bytes() == saved.read_bytes()
    assert [file.name for file in tmp_path.iterdir()] == ["again.npz"]


def test_a_backbone_takes_its_part_of_a_whole_network(saved: Path) -> None:
    arrays, _ = load_weights(saved)
    network = backbone("resnet_v2_26", (32, 32, 3), width=0.125)
    with pytest.raises(WeightsError, match="unexpected: genre/kernel"):
        assign_weights(network, arrays)
    assign_weights(network, arrays, ignore_extra=True)
    np.testing.assert_array_equal(network.get_layer("conv1").bias, arrays["conv1/bias"])


def test_missing_and_misshapen_arrays_are_named_and_nothing_is_changed(saved: Path) -> None:
    arrays, _ = load_weights(saved)
    del arrays["postnorm/gamma"]
    arrays["genre/kernel"] = np.zeros((256, 3), np.float32)
    model = small_model()
    randomise(model, seed=9)
    before = model.get_weights()
    with pytest.raises(WeightsError) as raised:
        assign_weights(model, arrays)
    assert "1 missing: postnorm/gamma" in str(raised.value)
    assert "1 misshapen: genre/kernel (256, 3) instead of (256, 2)" in str(raised.value)
    for old, new in zip(before, model.get_weights(), strict=True):
        np.testing.assert_array_equal(old, new)


@pytest.mark.parametrize("value", [1e6, np.nan, np.inf])
def test_values_that_half_precision_cannot_hold_are_refused(value: float, tmp_path: Path) -> None:
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1, name="wide")])
    model.get_layer("wide").kernel.assign([[value], [0]])
    with pytest.raises(WeightsError, match="wide/kernel"):
        save_weights(tmp_path / "model.npz", model, {})
    assert not list(tmp_path.iterdir())


def test_layers_that_keras_numbered_are_counted_from_the_first() -> None:
    def numbered() -> keras.Model:
        inputs = keras.Input((8, 8, 3))
        x = keras.layers.Conv2D(4, 3)(inputs)
        x = keras.layers.BatchNormalization()(x)
        return keras.Model(inputs, keras.layers.Conv2D(4, 3)(x))

    first, second = list(variables_by_name(numbered())), list(variables_by_name(numbered()))
    assert first == second
    assert first[0] == "conv2d_0/kernel"
    assert first[-1] == "conv2d_1/bias"


def test_what_is_no_file_of_weights_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "text.npz"
    text.write_text("not a zip")
    without_config = tmp_path / "plain.npz"
    np.savez(without_config, kernel=np.zeros(3))
    pickled = tmp_path / "pickled.npz"
    header = np.frombuffer(json.dumps({}).encode(), np.uint8)
    np.savez(pickled, **{"config.json": header, "x/kernel": np.array([object()])})
    for path, why in (
        (text, "it is no .npz, or not a whole one"),
        (without_config, "config.json"),
        (pickled, "Object arrays cannot be loaded"),
    ):
        with pytest.raises(WeightsError, match=f"is not a file of weights: .*{why}"):
            load_weights(path)
    with pytest.raises(FileNotFoundError):
        load_weights(tmp_path / "absent.npz")
