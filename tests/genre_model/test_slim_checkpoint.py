from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path

import keras
import numpy as np
import pytest
import tensorflow as tf

from corpus_commons.terminal.commands import UsageError
from genre_model.commands import import_slim as command
from genre_model.network import resnet_v2
from genre_model.network.backbones import build
from genre_model.network.resnet_v2 import Variant, backbone, slim_scope
from genre_model.network.slim_checkpoint import load_checkpoint, read_checkpoint
from genre_model.network.weights import WeightsError, load_weights

SCOPE = "resnet_v2_50"
SLIM_NAMES = {"kernel": "weights", "bias": "biases"}
Arrays = dict[str, np.ndarray]


@pytest.fixture(autouse=True, scope="module")
def narrow_network() -> None:
    """The names and rules are those of every width and depth: an eighth keeps the files small, and
    two units a block, the first and the one that strides, are made in half the time.
    """
    patch = pytest.MonkeyPatch()
    blocks = tuple(replace(block, units=2) for block in resnet_v2.VARIANTS[SCOPE].blocks)
    narrow = Variant(blocks, width=0.125)
    patch.setattr(resnet_v2, "VARIANTS", {SCOPE: narrow})
    yield
    patch.undo()


def random_value(rng: np.random.Generator, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Such that activations neither vanish nor explode."""
    if name == "kernel":
        value = rng.normal(0, np.sqrt(2 / np.prod(shape[:-1])), shape)
    elif name in ("gamma", "moving_variance"):
        value = rng.uniform(0.5, 1.5, shape)
    else:
        value = rng.normal(0, 0.2, shape)
    return value.astype(np.float32)


def slim_network(seed: int = 0) -> tuple[keras.Model, Arrays]:
    """A random network and its variables under the names that TF-Slim gives them."""
    network = backbone(SCOPE, (64, 64, 3), width=0.125)
    rng = np.random.default_rng(seed)
    arrays = {}
    for layer in network.layers:
        for variable in layer.weights:
            value = random_value(rng, variable.name, variable.shape)
            variable.assign(value)
            name = SLIM_NAMES.get(variable.name, variable.name)
            arrays[f"{SCOPE}/{slim_scope(layer.name)}/{name}"] = value
    arrays[f"{SCOPE}/logits/weights"] = rng.normal(size=(1, 1, 256, 2)).astype(np.float32)
    arrays[f"{SCOPE}/logits/biases"] = rng.normal(size=2).astype(np.float32)
    return network, arrays


def write(path: Path, arrays: Arrays, version: int = 2) -> Path:
    """A checkpoint as `tf.compat.v1.train.Saver` writes it, in either of its formats."""
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        variables = [tf.compat.v1.Variable(value, name=name) for name, value in arrays.items()]
        session.run(tf.compat.v1.variables_initializer(variables))
        tf.compat.v1.train.Saver(variables, write_version=version).save(session, str(path))
    return path


@pytest.fixture(scope="module")
def source() -> tuple[keras.Model, Arrays]:
    return slim_network()


@pytest.fixture(scope="module")
def checkpoint(
    source: tuple[keras.Model, Arrays], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    return write(tmp_path_factory.mktemp("slim") / "model.ckpt-100", source[1])


def target() -> keras.Model:
    return backbone(SCOPE, (64, 64, 3), width=0.125)


def assert_same_outputs(ours: keras.Model, theirs: keras.Model) -> None:
    x = np.random.default_rng(3).uniform(-1, 1, (2, 64, 64, 3)).astype(np.float32)
    expected = np.asarray(theirs(x))
    assert expected.std() > 0.01
    np.testing.assert_allclose(ours(x), expected, rtol=1e-5, atol=1e-5)


def test_the_names_are_those_of_the_published_checkpoints(
    source: tuple[keras.Model, Arrays],
) -> None:
    unit = f"{SCOPE}/block1/unit_1/bottleneck_v2"
    norm = ("beta", "gamma", "moving_mean", "moving_variance")
    assert {name for name in source[1] if name.startswith(unit)} == {
        *(f"{unit}/preact/{part}" for part in norm),
        f"{unit}/shortcut/weights",
        f"{unit}/shortcut/biases",
        *(f"{unit}/conv{n}/weights" for n in (1, 2, 3)),
        *(f"{unit}/conv{n}/BatchNorm/{part}" for n in (1, 2) for part in norm),
        f"{unit}/conv3/biases",
    }
    assert {f"{SCOPE}/conv1/biases", f"{SCOPE}/postnorm/gamma"} <= set(source[1])


@pytest.mark.parametrize("version", [1, 2])
def test_a_checkpoint_of_either_format_gives_the_same_outputs(
    version: int, source: tuple[keras.Model, Arrays], tmp_path: Path
) -> None:
    path = write(tmp_path / "model.ckpt", source[1], version)
    model = target()
    report = load_checkpoint(model, read_checkpoint(path, SCOPE))
    assert_same_outputs(model, source[0])
    assert (report.loaded, report.unexpected) == (len(model.weights), ())


def test_the_state_of_training_is_ignored(
    source: tuple[keras.Model, Arrays], tmp_path: Path
) -> None:
    kernel = f"{SCOPE}/conv1/weights"
    slots = ("Momentum", "RMSProp_1", "Adam", "ExponentialMovingAverage")
    extra = {f"{kernel}/{slot}": np.ones_like(source[1][kernel]) for slot in slots}
    extra |= {"global_step": np.int64(100), "beta1_power": np.float32(0.9)}
    path = write(tmp_path / "model.ckpt", source[1] | extra)
    model = target()
    assert load_checkpoint(model, read_checkpoint(path, SCOPE)).unexpected == ()
    assert_same_outputs(model, source[0])


def test_unexpected_names_are_reported(source: tuple[keras.Model, Arrays], tmp_path: Path) -> None:
    extra = {f"{SCOPE}/mean_rgb": np.zeros(3, np.float32), "other/weights": np.zeros(1)}
    path = write(tmp_path / "model.ckpt", source[1] | extra)
    report = load_checkpoint(target(), read_checkpoint(path, SCOPE))
    assert report.unexpected == ("mean_rgb", "other/weights")


def test_missing_names_and_wrong_shapes_are_named_and_nothing_is_changed(
    source: tuple[keras.Model, Arrays], tmp_path: Path
) -> None:
    arrays = dict(source[1])
    del arrays[f"{SCOPE}/postnorm/gamma"]
    arrays[f"{SCOPE}/conv1/biases"] = np.zeros(5, np.float32)
    path = write(tmp_path / "model.ckpt", arrays)
    model = target()
    before = model.get_weights()
    with pytest.raises(WeightsError) as raised:
        load_checkpoint(model, read_checkpoint(path, SCOPE))
    assert "1 missing: postnorm/gamma" in str(raised.value)
    assert "1 misshapen: conv1/biases (5,) instead of (8,)" in str(raised.value)
    for old, new in zip(before, model.get_weights(), strict=True):
        np.testing.assert_array_equal(old, new)


def test_logits_of_the_same_classes_become_the_dense_layer(
    checkpoint: Path, source: tuple[keras.Model, Arrays]
) -> None:
    network = target()
    pooled = keras.layers.GlobalAveragePooling2D()(network.output)
    model = keras.Model(network.input, keras.layers.Dense(2, name="logits")(pooled))
    report = load_checkpoint(model, read_checkpoint(checkpoint, SCOPE), "logits")
    assert report.skipped_classes is None
    x = np.random.default_rng(4).uniform(-1, 1, (1, 64, 64, 3)).astype(np.float32)
    mean = np.asarray(source[0](x)).mean(axis=(1, 2))
    expected = mean @ source[1][f"{SCOPE}/logits/weights"][0, 0]
    np.testing.assert_allclose(
        model(x), expected + source[1][f"{SCOPE}/logits/biases"], rtol=1e-4, atol=1e-4
    )


def test_logits_of_other_classes_are_skipped_with_a_message(checkpoint: Path) -> None:
    network = target()
    pooled = keras.layers.GlobalAveragePooling2D()(network.output)
    model = keras.Model(network.input, keras.layers.Dense(9, name="logits")(pooled))
    report = load_checkpoint(model, read_checkpoint(checkpoint, SCOPE), "logits")
    assert any("logits of 2 classes skipped" in line for line in report.lines())


def test_a_checkpoint_of_another_network_says_what_it_holds(checkpoint: Path) -> None:
    with pytest.raises(WeightsError, match="no variables of resnet_v2_101; it has resnet_v2_50"):
        read_checkpoint(checkpoint, "resnet_v2_101")


def test_a_file_that_is_not_a_checkpoint_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.ckpt"
    path.write_text("not a checkpoint")
    for wrong in (path, tmp_path / "absent", tmp_path):
        with pytest.raises(WeightsError, match="is not a readable TensorFlow checkpoint"):
            read_checkpoint(wrong, SCOPE)


def run(*arguments: str) -> None:
    parser = ArgumentParser()
    command.add_arguments(parser)
    command.run(parser.parse_args(arguments))


def test_the_command_writes_weights_that_the_backbone_loads(
    checkpoint: Path,
    source: tuple[keras.Model, Arrays],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    out = tmp_path / "slim.npz"
    with caplog.at_level("INFO"):
        run(str(checkpoint), "--variant", SCOPE, "--out", str(out))
    assert "logits of 2 classes skipped" in caplog.text
    pixels = np.random.default_rng(5).uniform(0, 255, (1, 64, 64, 3)).astype(np.float32)
    expected = np.asarray(source[0](pixels / 127.5 - 1))
    ours = build(SCOPE, (64, 64, 3), out)(pixels)
    np.testing.assert_allclose(ours, expected, atol=0.01 * expected.max())  # half precision


def test_named_genres_keep_the_logits(
    checkpoint: Path, source: tuple[keras.Model, Arrays], tmp_path: Path
) -> None:
    out = tmp_path / "slim.npz"
    run(str(checkpoint), "--variant", SCOPE, "--out", str(out), "--genres", "article,list-view")
    arrays, config = load_weights(out)
    assert config["genres"] == ["article", "list-view"]
    np.testing.assert_array_equal(arrays["genre/bias"], source[1][f"{SCOPE}/logits/biases"])


def test_an_error_of_the_command_is_reported_and_nothing_written(
    checkpoint: Path, tmp_path: Path
) -> None:
    out = tmp_path / "slim.npz"
    with pytest.raises(UsageError, match="unknown ResNet V2 variant 'resnet_v9'"):
        run(str(checkpoint), "--variant", "resnet_v9", "--out", str(out))
    with pytest.raises(UsageError, match="not a readable TensorFlow checkpoint"):
        run(str(tmp_path / "absent"), "--variant", SCOPE, "--out", str(out))
    with pytest.raises(SystemExit):
        run(str(tmp_path / "absent"), "--out", str(tmp_path / "no folder" / "slim.npz"))
    assert not out.exists()
