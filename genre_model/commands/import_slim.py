"""`python -m genre_model import-slim`: converts a TF-Slim checkpoint of ResNet V2."""

from __future__ import annotations

import logging
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus_commons.terminal.commands import UsageError

if TYPE_CHECKING:
    from genre_model.network.slim_checkpoint import Import

#: Those of `backbones.SCALINGS` that slim uses; not imported, as it would load Keras.
_SCALINGS = ("inception", "vgg-rgb")
_DEFAULT_VARIANT = "resnet_v2_101"

_log = logging.getLogger(__name__)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "checkpoint",
        help="path of a checkpoint without .index, full path of an older one, or their folder",
    )
    parser.add_argument("--out", type=Path, required=True, help="the .npz file to write")
    parser.add_argument("--variant", default=_DEFAULT_VARIANT, help="default: %(default)s")
    parser.add_argument(
        "--genres",
        type=lambda names: names.split(","),
        default=[],
        metavar="A,B",
        help="names of the checkpoint's classes, in order, to import its logits (default: skipped)",
    )
    parser.add_argument(
        "--scaling",
        choices=_SCALINGS,
        default=_SCALINGS[0],
        help="the preprocessing in training: inception for the published checkpoints, vgg-rgb for "
        "slim's default with resnet_v2 (default: %(default)s)",
    )


def run(arguments: Namespace) -> None:
    """Convert, and log what was loaded, skipped and unexpected."""
    try:
        report = import_slim(
            arguments.checkpoint,
            arguments.variant,
            arguments.out,
            genres=arguments.genres,
            scaling=arguments.scaling,
        )
    except ValueError as error:
        raise UsageError(str(error)) from error
    for line in report.lines():
        _log.info("%s", line)
    _log.info("wrote %s", arguments.out)


def import_slim(
    checkpoint: str | Path,
    variant: str,
    out: str | Path,
    *,
    genres: Sequence[str] = (),
    scaling: str = "inception",
) -> Import:
    """Write a checkpoint's weights to `out`, for `genre_model.network.backbones.build`.

    With `genres`, the names of its classes in order, its logits become the genre head; without, or
    with another number of them, the logits are skipped and reported. Raises ValueError for an
    unknown variant, WeightsError (a ValueError) for a checkpoint that does not fit it; then nothing
    is written.
    """
    import keras  # heavy: not for --help

    from genre_model.network import slim_checkpoint
    from genre_model.network.resnet_v2 import backbone, variant_named
    from genre_model.network.weights import save_weights

    network = backbone(variant)
    source = slim_checkpoint.read_checkpoint(checkpoint, variant)
    config: dict[str, Any] = {
        "variant": variant,
        "width": variant_named(variant).width,
        "conventions": "slim",
        "scaling": scaling,
    }
    if genres and source.classes == len(genres):
        pooled = keras.layers.GlobalAveragePooling2D()(network.output)
        logits = keras.layers.Dense(len(genres), name="genre")(pooled)
        network = keras.Model(network.input, logits, name=variant)
        config["genres"] = list(genres)
    report = slim_checkpoint.load_checkpoint(network, source, logits_layer="genre")
    save_weights(out, network, config)
    return report
