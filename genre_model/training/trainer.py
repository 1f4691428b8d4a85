"""Trains a network by a recipe.

Only Keras is used, so it runs on any of its backends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import keras
from keras import callbacks, layers, optimizers

from genre_model.labels import HEADS
from genre_model.training.batches import Batches
from genre_model.training.epochs import Best, Pages, Record
from genre_model.training.learning_rate import schedule
from genre_model.training.objective import Objective, loss_of
from genre_model.training.recipe import Recipe


def train(
    network: Any,
    batches: Batches,
    recipe: Recipe,
    *,
    teacher: Any = None,
    validation: Batches | None = None,
    folder: Path | None = None,
    tensorboard: Path | None = None,
) -> dict[str, list[float]]:
    """Train in place; returns the losses and accuracies of every epoch.

    With Keras' torch backend and a GPU, PyTorch itself trains, see ``cuda``, unless ``patience`` or
    ``tensorboard`` asks for what only Keras does. It resumes nothing, and returns only the losses.

    teacher: a network to learn from as well; see ``objective``.
    validation: pages of other sites, for early stopping.
    folder: for the state after every epoch, from which an interrupted run resumes; it is emptied at
        the end.
    tensorboard: for TensorBoard's logs.
    """
    keras.utils.set_random_seed(recipe.seed)
    on_gpu = not recipe.patience and tensorboard is None and _has_gpu()
    objective = None if on_gpu else Objective(network, batches.size, teacher)
    history: dict[str, list[float]] = {}
    before = 0
    for phase, (epochs, frozen, rate) in enumerate(_phases(recipe)):
        _freeze(network, frozen, recipe.decay)
        numbers = range(before, before + epochs)
        name = f"phase-{phase}"
        if objective is None:
            losses_by_epoch = _fit_on_gpu(
                network, batches, teacher, epochs=numbers, recipe=recipe, rate=rate
            )
            figures = {"loss": losses_by_epoch}
        else:
            _compile(objective, network.output_names, recipe, rate, epochs * len(batches))
            figures = _fit(
                objective,
                batches,
                epochs=numbers,
                validation=validation,
                recipe=recipe,
                state=folder and folder / name,
                tensorboard=tensorboard and tensorboard / name,
            )
        for figure, values in figures.items():
            history.setdefault(figure, []).extend(values)
        before += epochs
    return history


def _fit(
    objective: Objective,
    batches: Batches,
    *,
    epochs: range,
    validation: Batches | None,
    recipe: Recipe,
    state: Path | None,
    tensorboard: Path | None,
) -> dict[str, list[float]]:
    record = Record(state)
    chosen = [Pages(batches, epochs.start), record]
    if validation is not None:
        chosen += _validating(recipe, record, state)
    if state is not None:
        objective(batches[0][0])  # only what is built can be restored
        chosen.append(callbacks.BackupAndRestore(state))
    if tensorboard is not None:
        chosen.append(callbacks.TensorBoard(tensorboard))
    objective.fit(
        batches, epochs=len(epochs), validation_data=validation, callbacks=chosen, verbose=0
    )
    names = record.epochs[0] if record.epochs else ()
    return {name: [figures[name] for figures in record.epochs] for name in names}


def _has_gpu() -> bool:
    """Whether PyTorch is Keras' backend, and has a GPU."""
    return keras.backend.backend() == "torch" and bool(import_module("torch").cuda.is_available())


def _fit_on_gpu(
    network: Any, batches: Batches, teacher: Any, *, epochs: range, recipe: Recipe, rate: float
) -> list[float]:
    # Imported here, because PyTorch need not be installed.
    found: list[float] = import_module("genre_model.training.cuda").fit(
        network,
        batches,
        teacher,
        epochs,
        rate=rate,
        weight_decay=recipe.weight_decay,
        smoothing=recipe.smoothing,
        averaging=recipe.averaging,
    )
    return found


def _phases(recipe: Recipe) -> Sequence[tuple[int, float, float]]:
    """The epochs, frozen blocks and peak learning rate of each phase."""
    phases = (
        (recipe.head_epochs, math.inf, 10 * recipe.rate),
        (recipe.epochs, recipe.frozen, recipe.rate),
    )
    return [phase for phase in phases if phase[0]]


def _freeze(model: Any, blocks: float, decay: float) -> None:
    """Freeze the root and the first blocks; 0 freezes nothing, infinity the whole backbone."""
    head_names = set(model.output_names)
    for layer in model.layers:
        layer.trainable = layer.name in head_names or _block(layer.name) > blocks
        if isinstance(layer, layers.BatchNormalization):
            layer.momentum = decay


def _block(name: str) -> float:
    """The block that a layer is in, counted from 1, to which the root belongs.

    Infinity for what follows the blocks, and for all of a backbone of ``keras.applications``.
    """
    scope = name.partition("__")[0]
    number = scope.removeprefix("block")
    if scope == "conv1":
        return 1
    return int(number) if number != scope and number.isdecimal() else math.inf


def _compile(model: Any, heads: Sequence[str], recipe: Recipe, rate: float, steps: int) -> None:
    optimizer = optimizers.AdamW(
        schedule(rate, steps),
        weight_decay=recipe.weight_decay,
        clipnorm=1.0,
        use_ema=recipe.averaging > 0,
        ema_momentum=recipe.averaging or 0.99,
    )
    optimizer.exclude_from_weight_decay(var_names=["bias", "gamma", "beta"])
    model.compile(
        optimizer=optimizer,
        loss={head: loss_of(head, recipe.smoothing) for head in heads},
        weighted_metrics={
            head: ["categorical_accuracy"] if head in HEADS else [] for head in heads
        },
        jit_compile=False,
    )


def _validating(recipe: Recipe, record: Record, state: Path | None) -> list[Any]:
    """Callbacks that validate the weights that would be kept, which are the averaged ones.

    ``Best`` must come before the callback that swaps them back.
    """
    best = [Best(recipe.patience, record, state)] if recipe.patience else []
    swap = [callbacks.SwapEMAWeights()] if recipe.averaging else []
    return best + swap
