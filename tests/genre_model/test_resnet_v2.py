import math

import keras
import numpy as np
import pytest

from genre_model.network.model import two_heads
from genre_model.network.resnet_v2 import (
    KERAS_APPLICATIONS,
    SLIM,
    VARIANTS,
    backbone,
    layer_name,
    scaled,
    slim_scope,
)

NARROW = 0.125


@pytest.fixture(scope="module")
def small() -> keras.Model:
    return backbone("resnet_v2_26", (64, 32, 3))


def layers_with_kernels(name: str) -> int:
    """Layers on the longest path, as the literature counts them: shortcuts are not."""
    units = sum(block.units for block in VARIANTS[name].blocks)
    return 1 + 3 * units + 1  # the root, three a unit, the logits


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_is_named_by_its_number_of_layers(name: str) -> None:
    assert layers_with_kernels(name) == int(name.rpartition("_")[2])


# Of `keras.applications` without its top; 200 by the same arithmetic.
@pytest.mark.parametrize(
    ("name", "parameters"), [("resnet_v2_50", 23_564_800), ("resnet_v2_101", 42_626_560)]
)
def test_parameters_are_those_of_the_published_networks(name: str, parameters: int) -> None:
    assert backbone(name).count_params() == parameters


def test_the_deepest_variant_has_its_depth_and_shape() -> None:
    model = backbone("resnet_v2_200", (32, 32, 3), width=NARROW)
    assert model.output_shape == (None, 1, 1, 256)
    assert len([layer for layer in model.layers if layer.name.endswith("__conv2")]) == 66


def test_the_stride_is_in_the_last_unit_of_a_block_and_block_4_has_none(small: keras.Model) -> None:
    strides = {
        slim_scope(layer.name): layer.strides
        for layer in small.layers
        if layer.name.endswith("__conv2")
    }
    strided = [scope for scope, stride in strides.items() if stride == (2, 2)]
    assert strided == [f"block{block}/unit_2/bottleneck_v2/conv2" for block in (1, 2, 3)]


def test_only_the_root_the_shortcuts_and_the_last_convolutions_have_a_bias(
    small: keras.Model,
) -> None:
    with_bias = {
        layer.name.rpartition("__")[2]
        for layer in small.layers
        if isinstance(layer, keras.layers.Conv2D) and layer.use_bias and layer.name != "conv1"
    }
    assert with_bias == {"shortcut", "conv3"}
    assert small.get_layer("conv1").use_bias


def test_a_block_projects_its_shortcut_once_and_subsamples_it_once(small: keras.Model) -> None:
    shortcuts = [
        (slim_scope(layer.name), type(layer).__name__)
        for layer in small.layers
        if layer.name.endswith("__shortcut")
    ]
    projected = [(f"block{b}/unit_1/bottleneck_v2/shortcut", "Conv2D") for b in (1, 2, 3, 4)]
    subsampled = [(f"block{b}/unit_2/bottleneck_v2/shortcut", "MaxPooling2D") for b in (1, 2, 3)]
    assert sorted(shortcuts) == sorted(projected + subsampled)


def test_batch_norm_is_that_of_slim(small: keras.Model) -> None:
    norm = small.get_layer("postnorm")
    assert (norm.epsilon, norm.momentum) == (1e-5, 0.997)


def test_scopes_map_to_layer_names_and_back(small: keras.Model) -> None:
    scope = "block1/unit_1/bottleneck_v2/conv1/BatchNorm"
    assert small.get_layer(layer_name(scope)) is not None
    for layer in small.layers:
        assert layer_name(slim_scope(layer.name)) == layer.name


@pytest.mark.parametrize(
    ("size", "features"), [((64, 32), (2, 1)), ((65, 33), (3, 2)), ((100, 31), (4, 1))]
)
def test_a_free_size_is_divided_by_32_and_rounded_up(
    size: tuple[int, int], features: tuple[int, int]
) -> None:
    model = backbone("resnet_v2_26", (None, None, 3), width=NARROW)
    assert model(np.zeros((2, *size, 3), np.float32)).shape == (2, *features, 256)


def strided_as_defined(x: np.ndarray, kernel: np.ndarray) -> np.ndarray:
    """Slim's definition of `conv2d_same`: a convolution of stride 1, then every second value."""
    return np.asarray(keras.ops.conv(x, kernel, 1, "same"))[:, ::2, ::2]


@pytest.mark.parametrize("size", [(32, 32), (33, 31)])
def test_a_strided_convolution_equals_an_unstrided_one_subsampled(size: tuple[int, int]) -> None:
    model = backbone("resnet_v2_26", (*size, 3))
    root = keras.Model(model.input, model.get_layer("conv1").output)
    x = np.random.default_rng(0).normal(size=(2, *size, 3)).astype(np.float32)
    expected = strided_as_defined(x, np.asarray(model.get_layer("conv1").kernel))
    np.testing.assert_allclose(root(x), expected, atol=1e-4)


def pooled(conventions: object, x: np.ndarray) -> np.ndarray:
    model = backbone("resnet_v2_26", (8, 8, 3), conventions=conventions)
    kernel = np.zeros(model.get_layer("conv1").kernel.shape, np.float32)
    kernel[3, 3, 0] = 1  # channels are the first colour at every second pixel
    model.get_layer("conv1").set_weights([kernel, np.zeros(16, np.float32)])
    return np.asarray(keras.Model(model.input, model.get_layer("pool1").output)(x))[0, :, :, 0]


def test_the_conventions_part_at_the_border_of_the_root_pool() -> None:
    x = np.full((1, 8, 8, 3), -9.0, np.float32)
    x[0, ::2, ::2, 0] = -np.arange(1, 17).reshape(4, 4)
    # Slim pads an even size below and to the right only, and padding never is the maximum.
    np.testing.assert_array_equal(pooled(SLIM, x), [[-1, -3], [-9, -11]])
    # keras.applications pads with zeros on all sides; here zero is more than any value.
    np.testing.assert_array_equal(pooled(KERAS_APPLICATIONS, x), [[0, 0], [0, -6]])


def test_width_multiplies_channels_and_the_root_can_be_set_alone() -> None:
    model = backbone("resnet_v2_26", (32, 32, 3), width=0.5, root_channels=24)
    assert model.get_layer("conv1").filters == 24
    assert model.get_layer("block4__unit_1__bottleneck_v2__conv2").filters == 256
    assert scaled(64, 0.19) % 8 == 0


def test_the_first_shortcut_is_plain_where_the_root_has_its_depth_already() -> None:
    model = backbone("resnet_v2_26", (32, 32, 3), width=0.125, root_channels=32)
    names = [layer.name for layer in model.layers]
    assert "block1__unit_1__bottleneck_v2__shortcut" not in names


def test_unknown_variants_and_widths_are_refused() -> None:
    with pytest.raises(ValueError, match=r"'resnet_v3'.*resnet_v2_26, resnet_v2_50"):
        backbone("resnet_v3")
    with pytest.raises(ValueError, match="width must be positive"):
        backbone("resnet_v2_26", width=0)


def macs(model: keras.Model, input_shape: tuple[int, int, int]) -> int:
    """Multiply-accumulates for one image: each kernel weight once per output position."""
    sized = keras.models.clone_model(model, input_tensors=keras.Input(input_shape))
    convolutions = [layer for layer in sized.layers if isinstance(layer, keras.layers.Conv2D)]
    return sum(math.prod((*its.output.shape[1:-1], *its.kernel.shape)) for its in convolutions)


def test_the_small_network_fits_a_cpu_worker() -> None:
    assert 300e6 < macs(backbone("resnet_v2_26"), (640, 320, 3)) < 600e6


def test_two_heads_give_float32_logits_by_name(small: keras.Model) -> None:
    model = keras.Model(small.input, two_heads(small.output, 2, 9))
    logits = model(np.zeros((3, 64, 32, 3), np.float32))
    assert {name: tuple(value.shape) for name, value in logits.items()} == {
        "genre": (3, 2),
        "page_type": (3, 9),
    }
