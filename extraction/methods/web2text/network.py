"""The two convolutional networks of Web2Text (section 3.3), in Keras on TensorFlow.

Each consists of five one-dimensional convolutions over the sequence of blocks (or of pairs), with
kernels 1, 1, 3, 3, 3 and 50, 50, 50, 10 and 2 (or 4) channels, with ReLU and dropout 0.2 between
them. This module imports TensorFlow: import it only to use a network.
"""

from __future__ import annotations

import os
from importlib import import_module
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from corpus_commons.terminal.forks import check_not_forked
from extraction.methods.web2text.features import Matrix, PageFeatures
from genre_model.network.tensorflow_runtime import tensorflow

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")  # the same result on every processor
tf = tensorflow()
keras = import_module("keras")  # after TensorFlow, which is silent only if it is imported as above

Row = npt.NDArray[np.float32]

_KERNELS = (1, 1, 3, 3, 3)
_HIDDEN_CHANNELS = (50, 50, 50, 10)
_DROPOUT = 0.2
_LEARNING_RATE = 1e-3
# The receptive field: how many rows before and after a row influence its logits.
_REACH = sum(kernel // 2 for kernel in _KERNELS)
# The most rows that go through a network at once, to limit memory.
STRETCH = 20_000
_LABELS, _LABEL_PAIRS = 2, 4
# Prevents features that hardly vary in the training data from being scaled up.
_MIN_VARIANCE = 0.01


def unary_network(mean: Row, variance: Row) -> Any:
    """A new network over blocks: (pages, blocks, 128) -> logits (pages, blocks, 2).

    mean, variance: of every feature in the training data, for standardisation.
    """
    return _network(mean, variance, _LABELS)


def pairwise_network(mean: Row, variance: Row) -> Any:
    """A new network over pairs: (pages, pairs, 25) -> logits (pages, pairs, 4)."""
    return _network(mean, variance, _LABEL_PAIRS)


def prepare_training(network: Any) -> None:
    """Compile the network with its optimiser and loss, for integer labels."""
    network.compile(
        optimizer=keras.optimizers.Adam(_LEARNING_RATE),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )


def seed_everything(seed: int) -> None:
    """Make initial weights and dropout reproducible."""
    keras.utils.set_random_seed(seed)


def predictor(network: Any) -> Callable[[Matrix], Matrix]:
    """The network as a function of one page: (n, features) -> logits (n, outputs); n may be 0.

    One graph serves pages of any length, without retracing. Very long pages are processed in parts
    that overlap by the receptive field, which gives the same logits.
    """
    features, outputs = network.input_shape[-1], network.output_shape[-1]
    graph = tf.function(
        lambda rows: network(rows[tf.newaxis], training=False)[0],
        input_signature=[tf.TensorSpec((None, features), tf.float32)],
    )

    def logits(rows: Matrix) -> Matrix:
        found = np.zeros((len(rows), outputs), np.float32)
        for start in range(0, len(rows), STRETCH):
            low = max(0, start - _REACH)
            stretch = graph(rows[low : start + STRETCH + _REACH]).numpy()
            found[start : start + STRETCH] = stretch[start - low :][:STRETCH]
        return found

    return logits


class Model:
    """The two networks and the weight λ of the pairs, which are all that the model file contains.

    Creating or using it in a fork of a process that has already created networks raises
    RuntimeError, because TensorFlow would hang there.
    """

    def __init__(self, unary: Any, pairwise: Any, pair_weight: float) -> None:
        self.unary = unary
        self.pairwise = pairwise
        self.pair_weight = pair_weight
        self._unary_logits = predictor(unary)
        self._pairwise_logits = predictor(pairwise)

    def potentials(self, features: PageFeatures) -> tuple[Matrix, Matrix]:
        """The logits of a page's blocks, (n, 2), and of its pairs, (n - 1, 4); n may be 0."""
        check_not_forked()
        return self._unary_logits(features.blocks), self._pairwise_logits(features.edges)

    def save(self, path: Path) -> None:
        """Write the model as a NumPy archive."""
        path.write_bytes(self._packed())

    @classmethod
    def load(cls, path: Path) -> Model:
        """Load the model from a file that ``save`` wrote.

        Raises OSError if it cannot be read, ValueError or KeyError if it is another kind of file.
        """
        return cls._unpacked(path.read_bytes())

    def __reduce__(self) -> tuple[Callable[[bytes], Model], tuple[bytes]]:
        # In the form of the model file, because TensorFlow functions cannot be pickled.
        return Model._unpacked, (self._packed(),)

    def _packed(self) -> bytes:
        arrays: dict[str, npt.NDArray[Any]] = {"pair_weight": np.array(self.pair_weight)}
        for name, network in (("unary", self.unary), ("pairwise", self.pairwise)):
            standardise = network.layers[0]
            arrays[f"{name}_mean"] = np.ravel(standardise.mean)
            arrays[f"{name}_variance"] = np.ravel(standardise.variance)
            for index, values in enumerate(network.get_weights()):
                arrays[f"{name}_{index}"] = values
        file = BytesIO()
        np.savez(file, **arrays)  # type: ignore[arg-type]  # its stub takes them for options
        return file.getvalue()

    @classmethod
    def _unpacked(cls, content: bytes) -> Model:
        with np.load(BytesIO(content), allow_pickle=False) as arrays:
            networks: list[Any] = []
            for name, make in (("unary", unary_network), ("pairwise", pairwise_network)):
                network = make(arrays[f"{name}_mean"], arrays[f"{name}_variance"])
                count = len(network.get_weights())
                network.set_weights([arrays[f"{name}_{index}"] for index in range(count)])
                networks.append(network)
            return cls(networks[0], networks[1], float(arrays["pair_weight"]))


def _network(mean: Row, variance: Row, outputs: int) -> Any:
    check_not_forked()
    layers: list[Any] = [
        keras.Input((None, len(mean))),
        keras.layers.Normalization(mean=mean, variance=np.maximum(variance, _MIN_VARIANCE)),
    ]
    for channels, kernel in zip(_HIDDEN_CHANNELS, _KERNELS, strict=False):
        layers += [
            keras.layers.Conv1D(channels, kernel, padding="same", activation="relu"),
            keras.layers.Dropout(_DROPOUT),
        ]
    layers.append(keras.layers.Conv1D(outputs, _KERNELS[-1], padding="same"))
    return keras.Sequential(layers)
