"""The options that several commands for training have, and the architecture of the network."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, Namespace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from corpus_commons.terminal.arguments import add_model_file, folds, names_of, output_file
from corpus_commons.terminal.commands import UsageError
from genre_model.network.config import STRIDE, NetworkConfig

_WINDOW = "256x512"


def add_group_by(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--group-by",
        default="repo",
        metavar="COLUMN",
        help="the labels' column with the site (default: %(default)s)",
    )


def add_extra_data(parser: ArgumentParser) -> None:
    """What a classifier of screenshots is trained on besides labelled pages."""
    parser.add_argument(
        "--teacher",
        type=Path,
        metavar="FILE",
        help="soft labels from the HTML classifier, for distillation: the file that `train-html "
        "--teach FILE` wrote for the same folder and number of folds",
    )
    parser.add_argument(
        "--synthetic",
        type=Path,
        metavar="FOLDER",
        help="synthetic pages from `synthesize` to train on as well; they are in no fold",
    )
    add_hidden_alias(parser, "--made", "synthetic", type=Path)
    add_additional(parser)


def add_additional(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--additional",
        type=Path,
        metavar="FOLDER",
        help="more labelled pages to train on, such as those of `shoot`; they are in no fold",
    )


def add_tree_options(parser: ArgumentParser, model: str, *, pages: str, or_file: str = "") -> None:
    """What trees learn from, how they are cross-validated, and where the model goes.

    model: the default name of its file. pages: what the folder has beside the labels.
    or_file: what may be given instead of a folder.
    """
    parser.add_argument(
        "--data",
        type=Path,
        required=True,
        metavar="FOLDER",
        help=f"labels.jsonl (id, genre or page_type) and {pages}{or_file}",
    )
    add_model_file(parser, model)
    parser.add_argument(
        "--cross-validate",
        type=folds,
        default=5,
        metavar="FOLDS",
        help="folds, by site (default: %(default)s)",
    )
    add_group_by(parser)
    parser.add_argument(
        "--oof", type=output_file, metavar="OUT.jsonl", help="write out-of-fold predictions"
    )
    parser.add_argument("--no-model", action="store_true", help="measure only")
    parser.add_argument("--seed", type=int, default=1, help="(default: %(default)s)")


def add_hidden_alias(parser: Any, option: str, dest: str, **settings: Any) -> None:
    """The former name of an option, which still works but is not in ``--help``."""
    parser.add_argument(option, dest=dest, default=SUPPRESS, help=SUPPRESS, **settings)


def add_network_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--backbone",
        default="resnet_v2_26",
        help="the architecture: resnet_v2_26, resnet_v2_50, ..., efficientnet_lite0, vgg_16, ...; "
        "the error for an unknown name lists all (default: %(default)s)",
    )
    parser.add_argument(
        "--window",
        type=_window,
        default=_window(_WINDOW),
        metavar="WIDTHxHEIGHT",
        help=f"input size in pixels, multiples of {STRIDE}; pages are scaled to WIDTH and cropped "
        f"to the top HEIGHT rows (default: {_WINDOW})",
    )
    parser.add_argument(
        "--views",
        type=names_of,
        default=(),
        metavar="NAME,NAME",
        help="test-time augmentation: mirrored, negative, or both (default: none)",
    )
    parser.add_argument(
        "--width",
        type=float,
        help="multiplies the channels of ResNet V2 (default: that of --weights, or of --backbone)",
    )


def tensorboard_folder(text: str) -> Path:
    """An argument type; checks that TensorBoard is installed, which is needed only here."""
    if find_spec("tensorboard") is None:
        raise ArgumentTypeError("TensorBoard is not installed: pip install tensorboard")
    return Path(text)


def network_config(arguments: Namespace) -> NetworkConfig:
    """The configuration of a new network. Raises UsageError for an unknown view."""
    from genre_model.network.model import check_views

    try:
        check_views(arguments.views)
    except ValueError as error:
        raise UsageError(f"--views: {error}") from error
    return NetworkConfig(
        arguments.backbone, arguments.window, width=arguments.width, views=arguments.views
    )


def _window(text: str) -> tuple[int, int]:
    """(height, width)."""
    parts = text.split("x")
    if len(parts) != 2 or not all(part.isdecimal() for part in parts):
        raise ArgumentTypeError(f"{text!r}: expected WIDTHxHEIGHT, such as {_WINDOW}")
    width, height = map(int, parts)
    if not width or not height or width % STRIDE or height % STRIDE:
        raise ArgumentTypeError(f"{text!r}: both must be multiples of {STRIDE}")
    return height, width
