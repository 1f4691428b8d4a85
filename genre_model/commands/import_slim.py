"""`python -m genre_model import-slim`: converts a TF-Slim checkpoint of ResNet V2."""

from __future__ import annotations

import logging
from argparse import ArgumentParser, Namespace

from corpus_commons.terminal.arguments import names_of, output_file
from corpus_commons.terminal.commands import usage_errors
from genre_model.network.tensorflow_runtime import tensorflow

#: Those of `backbones.SCALINGS` that slim uses; not imported, as it would load Keras.
_SCALINGS = ("inception", "vgg-rgb")
_DEFAULT_VARIANT = "resnet_v2_101"

_log = logging.getLogger(__name__)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "checkpoint",
        help="path of a checkpoint without .index, full path of an older one, or their folder",
    )
    parser.add_argument("--out", type=output_file, required=True, help="the .npz file to write")
    parser.add_argument("--variant", default=_DEFAULT_VARIANT, help="default: %(default)s")
    parser.add_argument(
        "--genres",
        type=names_of,
        default=(),
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
    tensorflow()

    from genre_model.network.slim_checkpoint import import_slim

    with usage_errors():
        report = import_slim(
            arguments.checkpoint,
            arguments.variant,
            arguments.out,
            genres=arguments.genres,
            scaling=arguments.scaling,
        )
    for line in report.lines():
        _log.info("%s", line)
    _log.info("wrote %s", arguments.out)
