"""`python -m genre_model train`: trains the network on a folder of labelled screenshots."""

from __future__ import annotations

import json
import logging
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from corpus_commons.terminal.arguments import folds, positive, whole
from corpus_commons.terminal.commands import UsageError, usage_errors
from genre_model.calibration import IntArray
from genre_model.commands.training_options import (
    add_extra_data,
    add_group_by,
    add_hidden_alias,
    add_network_arguments,
    network_config,
    tensorboard_folder,
)
from genre_model.folds import NO_FOLD, grouped_folds
from genre_model.network.tensorflow_runtime import for_training
from genre_model.samples import Sample, additional_samples, check_labelled, read_samples, sites_of
from genre_model.scoring.prediction_file import write_out_of_fold
from genre_model.training.recipe import Recipe
from genre_model.training.run_folder import check_same_folds, claim, fingerprint
from genre_model.training.windows import FINER, Windows, chained, read_windows

if TYPE_CHECKING:
    from genre_model.network.config import NetworkConfig
    from genre_model.training.cross_validation import Data

_log = logging.getLogger("genre_model")

# Options that are fields of the recipe, with their types and help.
_RECIPE = (
    ("epochs", whole, "epochs, after --head-epochs"),
    ("head_epochs", whole, "initial epochs with a frozen backbone"),
    ("frozen", whole, "first blocks of the backbone that keep their weights"),
    ("rate", float, "peak learning rate"),
    ("batch", positive, "pages per batch"),
    ("seed", int, "of initial weights, batches and augmentation"),
    (
        "patience",
        whole,
        "early stopping: validate on a tenth of the sites, stop after so many epochs without "
        "improvement, and keep the best; 0 trains on all sites for all epochs",
    ),
    ("synthetic_weight", float, "weight of a page of --synthetic"),
)
# As in `train-html`, because the teacher's soft labels are by fold.
_FOLDS = 5
_LEAST_SITES = 2

Build = Callable[[], Any]


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, required=True, help="a folder with labels.jsonl and shots/"
    )
    parser.add_argument(
        "--out", type=Path, required=True, help="folder for the network, scores and checkpoints"
    )
    parser.add_argument(
        "--weights",
        metavar="FILE|imagenet",
        help="initial weights of the backbone: an .npz from `pretrain`, `train` or `import-slim`, "
        "or ImageNet's, which Keras downloads (default: random)",
    )
    parser.add_argument(
        "--cross-validate", type=folds, metavar="FOLDS", help="first cross-validate by site"
    )
    parser.add_argument(
        "--folds",
        type=_fold_numbers,
        metavar="N,N",
        help="train only these folds of --cross-validate, and no final network",
    )
    add_extra_data(parser)
    parser.add_argument(
        "--taught-by",
        type=Path,
        metavar="RUN",
        help="learn also from the networks of this folder, which `train` filled for the same "
        "pages and folds: from that of each fold, and from the final one",
    )
    add_group_by(parser)
    training = parser.add_argument_group("recipe, see genre_model/training/recipe.py")
    usual = Recipe()
    for name, kind, meaning in _RECIPE:
        training.add_argument(
            f"--{name.replace('_', '-')}",
            type=kind,
            default=getattr(usual, name),
            help=f"{meaning} (default: %(default)s)",
        )
    add_hidden_alias(training, "--weight-of-made", "synthetic_weight", type=float)
    training.add_argument(
        "--tensorboard", type=tensorboard_folder, metavar="DIR", help="folder for logs"
    )
    add_network_arguments(parser)


def run(arguments: Namespace) -> None:
    """Cross-validate if requested, then train on all pages."""
    if arguments.folds is not None and not arguments.cross_validate:
        raise UsageError("--folds needs --cross-validate")
    with usage_errors():
        samples = read_samples(arguments.data)
        if arguments.teacher is None:
            check_labelled(arguments.data, samples)
        sites = sites_of(samples, arguments.group_by)
        fold_of = _folds(arguments, sites)
    for_training()  # after what needs no seconds
    config = network_config(arguments)
    recipe = Recipe(**{name: getattr(arguments, name) for name, *_ in _RECIPE})
    with usage_errors():
        build, config = _builder(arguments.weights, config)
        its_run = _run(arguments, recipe, config)
        if arguments.taught_by:
            check_same_folds(arguments.taught_by, its_run)
        claim(arguments.out, its_run)
        data = _read(arguments, config, samples, sites, fold_of)
    if arguments.cross_validate:
        temperatures = _cross_validate(data, build, recipe, arguments.out, arguments.folds)
        config = replace(
            config,
            genre_temperature=temperatures["genre"],
            page_type_temperature=temperatures["page_type"],
        )
    if arguments.folds is None:
        _train(data, build, recipe, config, arguments)


def _fold_numbers(value: str) -> list[int]:
    return [whole(part) for part in value.split(",")]


def _builder(weights: str | None, config: NetworkConfig) -> tuple[Build, NetworkConfig]:
    """A function that makes a new network with these initial weights, and its configuration."""
    from genre_model.network.model import new_network

    source = weights if weights in (None, "imagenet") else Path(str(weights))
    _, config = new_network(config, source)  # fail before the screenshots are read
    return lambda: new_network(config, source)[0], config


def _folds(arguments: Namespace, sites: Sequence[str]) -> IntArray:
    """The fold of every page. Raises ValueError if one of ``--folds`` is empty."""
    found = np.array(grouped_folds(sites, arguments.cross_validate or _FOLDS))
    there = sorted(set(found.tolist()))
    if arguments.cross_validate and len(there) == 1:
        raise ValueError(f"--cross-validate: all pages are of one {arguments.group_by}, {sites[0]}")
    if missing := set(arguments.folds or ()) - {*there}:
        raise ValueError(f"--folds: fold {min(missing)} has no pages; folds with pages: {there}")
    for held in [None, *there] if arguments.cross_validate else [None]:
        training_sites = {
            site for site, fold in zip(sites, found.tolist(), strict=True) if fold != held
        }
        if arguments.patience and len(training_sites) < _LEAST_SITES:
            raise ValueError("--patience needs at least two sites outside of every fold")
    return found


def _held(arguments: Namespace) -> list[int | None]:
    """The folds that are held out in turn, and None if a network is trained on all pages."""
    chosen = arguments.folds
    folds: list[int | None] = [*(chosen or range(arguments.cross_validate or 0))]
    return folds if chosen else [*folds, None]


def _run(arguments: Namespace, recipe: Recipe, config: NetworkConfig) -> dict[str, Any]:
    """Everything that determines the result of the training; see ``run_folder``."""
    weights, teacher = arguments.weights, arguments.teacher
    synthetic, additional = arguments.synthetic, arguments.additional
    return {
        "recipe": asdict(recipe),
        "network": config.to_json(),
        "weights": weights if weights in (None, "imagenet") else fingerprint(Path(weights)),
        "folds": [arguments.cross_validate or _FOLDS, arguments.group_by],
        "data": fingerprint(arguments.data / "labels.jsonl"),
        "synthetic": synthetic and fingerprint(synthetic / "labels.jsonl"),
        "additional": additional and fingerprint(additional / "labels.jsonl"),
        "teacher": teacher and fingerprint(teacher),
        "taught_by": arguments.taught_by and fingerprint(arguments.taught_by / "run.json"),
    }


def _read(
    arguments: Namespace,
    config: NetworkConfig,
    samples: Sequence[Sample],
    sites: Sequence[str],
    fold_of: IntArray,
) -> Data:
    """Read the labelled pages, and those that are trained on besides, into memory."""
    from genre_model.training.cross_validation import Data
    from genre_model.training.distillation import read_teacher
    from genre_model.training.targets import label_targets

    teacher = read_teacher(arguments.teacher, samples, fold_of) if arguments.teacher else None
    finer = _windows(arguments.data, samples, config)
    exact = _windows(arguments.data, samples, config, finer=1.0)
    synthetic = None
    if arguments.additional:
        more, theirs = additional_samples(arguments.additional, arguments.group_by, sites)
        samples, sites = [*samples, *more], [*sites, *theirs]
        fold_of = np.concatenate((fold_of, np.full(len(more), NO_FOLD)))
        finer = chained(finer, _windows(arguments.additional, more, config))
        exact = chained(exact, _windows(arguments.additional, more, config, finer=1.0))
    targets = label_targets(samples)
    if arguments.synthetic:
        made = read_samples(arguments.synthetic)
        synthetic = label_targets(made)
        finer = chained(finer, _windows(arguments.synthetic, made, config))
    return Data(
        samples=samples,
        targets=targets,
        finer=finer,
        exact=exact,
        folds=fold_of,
        sites=sites,
        config=config,
        teacher=teacher,
        synthetic=synthetic,
        taught_by=arguments.taught_by and _networks(arguments.taught_by, config, _held(arguments)),
    )


def _networks(
    run: Path, config: NetworkConfig, held: Sequence[int | None]
) -> Callable[[int | None], Any]:
    """The network of a finished run that was trained without a fold; with None, on all.

    Raises ValueError if it has none for one of ``held``.
    """
    from genre_model.training.cross_validation import network_file
    from genre_model.training.objective import read_teacher_network

    for fold in held:
        if not network_file(run, fold).is_file():
            raise ValueError(f"--taught-by: {network_file(run, fold)} does not exist")
    return lambda fold: read_teacher_network(network_file(run, fold), config.window)


def _windows(
    folder: Path, samples: Sequence[Sample], config: NetworkConfig, finer: float = FINER
) -> Windows:
    return read_windows(folder, [sample.id for sample in samples], config.window, finer)


def _cross_validate(
    data: Data, build: Build, recipe: Recipe, folder: Path, only: Sequence[int] | None
) -> dict[str, float]:
    """Write out-of-fold predictions; returns the temperature fitted on them, by head."""
    from genre_model.training import cross_validation

    held_out = cross_validation.held_out_logits(data, build, recipe, folder=folder, only=only)
    done = np.flatnonzero(np.isfinite(held_out["genre"]).all(axis=1))
    path = folder / "held-out.jsonl"
    write_out_of_fold(
        path,
        [data.samples[page].id for page in done.tolist()],
        data.folds[done],
        {head: rows[done] for head, rows in cross_validation.calibrated(data, held_out).items()},
    )
    _log.info("wrote the out-of-fold predictions to %s", path)
    return cross_validation.temperatures(data, held_out)


def _train(
    data: Data, build: Build, recipe: Recipe, config: NetworkConfig, arguments: Namespace
) -> None:
    """Train on the pages of all folds."""
    from genre_model.network.model import save_network
    from genre_model.training.cross_validation import trained

    folder: Path = arguments.out
    places = {"folder": folder / "state", "tensorboard": arguments.tensorboard}
    model, history = trained(data, build, recipe, **places)
    path = folder / "network.npz"
    save_network(path, model, config)
    record = {"recipe": asdict(recipe), "history": history}
    (folder / "training.json").write_text(json.dumps(record, indent=1) + "\n")
    _log.info("wrote the network to %s", path)
