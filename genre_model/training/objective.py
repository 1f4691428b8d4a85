"""What is fitted: the network behind its augmentation, and what it learns from.

Besides targets it may learn from a network that sees the same pixels, which may see more of a page
because it began from ImageNet's weights or is larger. Sources: Hinton, Vinyals and Dean,
Distilling the Knowledge in a Neural Network, 2015, for its logits; Romero et al., FitNets, 2015,
for its features; Beyer et al., Knowledge distillation: A good teacher is patient and consistent,
2022, for the same pixels.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import keras
from keras import layers, losses, ops

from corpus_commons.kinds import GENRES, PAGE_TYPES
from genre_model.labels import HEADS
from genre_model.network.backbones import build
from genre_model.network.config import NetworkConfig
from genre_model.network.model import network
from genre_model.network.weights import load_weights
from genre_model.training.augmentation import Augmented

#: The layer of every backbone of ours whose output is the last feature map.
LAST: Final = "postnorm__relu"


class Objective(keras.Model):  # type: ignore[misc]  # Keras has no type stubs
    """From the inputs of ``batches.Batches`` to the outputs of the network.

    student: the network to train, in place. size: (height, width) of its window.
    teacher: another one with the same window and stride; its weights stay. A regressor, as FitNets
        calls it, maps the student's features to the teacher's, which may be more or fewer.
    """

    def __init__(self, student: Any, size: tuple[int, int], teacher: Any = None) -> None:
        super().__init__(name="objective")
        self._augmented = Augmented(size)
        self._student = student
        self._teacher = None
        if teacher is not None:
            teacher.trainable = False
            self._teacher = _with_features(teacher)
            self._student = _with_features(student)
            features = teacher.get_layer(LAST).output.shape[-1]
            self._regressor = layers.Dense(features, name="regressor")

    def call(self, inputs: dict[str, Any], training: bool = False) -> dict[str, Any]:
        pixels = self._augmented(inputs)
        outputs = dict(self._student(pixels, training=training))
        if self._teacher is None:
            return outputs
        regressed = self._regressor(outputs.pop(LAST))
        if training:
            taught = self._teacher(pixels, training=False)
            self.add_loss(distillation_loss(taught, outputs, regressed))
        return outputs


def distillation_loss(taught: dict[str, Any], outputs: dict[str, Any], regressed: Any) -> Any:
    """The loss against a teacher: of the features at every place, and of the heads that it has."""
    loss = 1 + ops.mean(losses.cosine_similarity(taught[LAST], regressed))
    for head in HEADS:
        if head in taught:
            truth = ops.softmax(taught[head])
            by_page = losses.categorical_crossentropy(truth, outputs[head], from_logits=True)
            loss += ops.mean(by_page)
    return loss


def loss_of(head: str, smoothing: float) -> Any:
    """The loss of an output against its targets: the mean over the pages, by their weights."""
    if head not in HEADS:
        return _MapLoss()
    return losses.CategoricalCrossentropy(from_logits=True, label_smoothing=smoothing)


def read_teacher_network(path: Path, window: tuple[int, int]) -> Any:
    """A network or a backbone without heads, for pages of this (height, width).

    Raises FileNotFoundError; ValueError for a file that is neither, or for other labels.
    """
    arrays, fields = load_weights(path)
    if not any(name.startswith(f"{head}/") for name in arrays for head in HEADS):
        return build(str(fields.get("variant")), (*window, 3), path)
    config = replace(NetworkConfig.from_json(fields), window=window)
    if (config.genres, config.page_types) != (GENRES, PAGE_TYPES):
        raise ValueError(f"{path} has other labels")
    return network(config, arrays)


def _with_features(model: Any) -> Any:
    """The network with its last feature map as one more output."""
    heads = model.output if isinstance(model.output, dict) else {}
    outputs = {**heads, LAST: model.get_layer(LAST).output}
    return keras.Model(model.input, outputs, name=f"{model.name}_with_features")


class _MapLoss(losses.Loss):  # type: ignore[misc]  # Keras has no type stubs
    """The mean cross-entropy over a page's cells, so that a page has one weight, as for labels."""

    def call(self, y_true: Any, y_pred: Any) -> Any:
        cells = ops.binary_crossentropy(y_true, y_pred, from_logits=True)
        return ops.mean(cells, axis=(1, 2, 3))
