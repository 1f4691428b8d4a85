from pathlib import Path

import keras
import numpy as np
import pytest

from genre_model.network.backbones import BACKBONES, brought_by, build, scale_pixels
from genre_model.network.weights import WeightsError, save_weights

SMALL = (75, 75, 3)  # the least that Inception takes
OURS = [name for name, line in BACKBONES.items() if line.application is None]
PIXELS = np.random.default_rng(0).uniform(0, 255, (2, 32, 32, 3)).astype(np.float32)


@pytest.mark.parametrize(
    ("name", "channels"), [("vgg_16", 512), ("inception_v3", 2048), ("resnet_v2_50", 2048)]
)
def test_a_backbone_goes_from_pixels_to_a_feature_map(name: str, channels: int) -> None:
    model = build(name, SMALL)
    assert model.input_shape == (None, *SMALL)
    assert model.compute_output_shape((4, *SMALL))[-1] == channels


@pytest.mark.parametrize("name", BACKBONES)
def test_every_line_names_a_network_that_exists(name: str) -> None:
    application = BACKBONES[name].application
    assert name in OURS or callable(getattr(keras.applications, application))


@pytest.mark.parametrize(
    ("scaling", "reference"),
    [
        ("inception", keras.applications.inception_v3.preprocess_input),
        ("inception", keras.applications.resnet_v2.preprocess_input),
        ("vgg-bgr", keras.applications.vgg16.preprocess_input),
        ("vgg-bgr", keras.applications.vgg19.preprocess_input),
        ("inception", keras.applications.inception_resnet_v2.preprocess_input),
    ],
)
def test_pixels_are_scaled_as_the_weights_expect(scaling: str, reference: object) -> None:
    inputs = keras.Input((32, 32, 3))
    scaled = keras.Model(inputs, scale_pixels(inputs, scaling))(PIXELS)
    np.testing.assert_allclose(scaled, reference(PIXELS.copy()), atol=1e-4)


def test_slim_subtracts_the_mean_colour_and_keeps_the_order_of_channels() -> None:
    scaled = scale_pixels(np.full((1, 1, 1, 3), 128, np.float32), "vgg-rgb")
    np.testing.assert_allclose(np.ravel(scaled), [4.32, 11.221, 24.061], atol=1e-4)


def test_scaling_is_part_of_the_model() -> None:
    model = build("resnet_v2_26", (32, 32, 3))
    network = keras.Model(model.get_layer("scale").output, model.output)
    np.testing.assert_allclose(model(PIXELS), network(PIXELS / 127.5 - 1), atol=1e-4)


def test_bytes_and_floats_of_the_same_pixels_give_the_same_features() -> None:
    model = build("resnet_v2_26", (32, 32, 3))
    whole = PIXELS.astype(np.uint8)
    np.testing.assert_array_equal(
        model.predict(whole, verbose=0), model.predict(whole.astype(np.float32), verbose=0)
    )


def test_the_input_has_any_size_where_none_is_given() -> None:
    assert build("resnet_v2_26").input_shape == (None, None, None, 3)


def test_saved_weights_bring_their_width_conventions_and_scaling(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    model = build("resnet_v2_26", (32, 32, 3), width=0.125, conventions="keras", scaling="vgg-rgb")
    config = {
        "variant": "resnet_v2_26",
        "width": 0.125,
        "conventions": "keras",
        "scaling": "vgg-rgb",
    }
    save_weights(path, model, config)
    again = build("resnet_v2_26", (32, 32, 3), path)
    features = np.asarray(model(PIXELS))
    np.testing.assert_allclose(again(PIXELS), features, atol=0.01 * features.max())
    with pytest.raises(WeightsError, match="are for resnet_v2_26, not for resnet_v2_50"):
        build("resnet_v2_50", (32, 32, 3), path)


def test_weights_of_keras_applications_load_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "vgg.weights.h5"
    source = keras.applications.VGG16(weights=None, include_top=False, input_shape=(32, 32, 3))
    source.save_weights(path)
    model = build("vgg_16", (32, 32, 3), path)
    reference = source(keras.applications.vgg16.preprocess_input(PIXELS.copy()))
    np.testing.assert_allclose(model(PIXELS), reference, rtol=1e-4, atol=1e-4)


def test_imagenets_weights_bring_the_conventions_of_keras_to_our_networks() -> None:
    assert brought_by("imagenet", "resnet_v2_50") == (None, {"conventions": "keras"})
    assert brought_by("notop.h5", "resnet_v2_101") == (None, {"conventions": "keras"})
    assert brought_by("imagenet", "vgg_16") == brought_by(None, "resnet_v2_50") == (None, {})


def test_unknown_names_and_options_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match=r"unknown backbone 'resnet'; known: .*vgg_16"):
        build("resnet")
    with pytest.raises(ValueError, match="vgg_16 has no option width"):
        build("vgg_16", SMALL, width=0.5)
    with pytest.raises(ValueError, match="unknown conventions 'caffe'"):
        build("resnet_v2_26", SMALL, conventions="caffe")
    with pytest.raises(ValueError, match="unknown scaling 'none'"):
        build("resnet_v2_26", SMALL, scaling="none")
