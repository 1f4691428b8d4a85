"""`python -m genre_model train`: trains the network on a folder of labelled screenshots."""

from __future__ import annotations

import json
import logging
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from corpus_commons.terminal.arguments import folds, positive, whole
from corpus_commons.terminal.commands import UsageError
from genre_model.commands.network_options import (
    add_network_arguments,
    network_config,
    tensorboard_folder,
)
from genre_model.network.tensorflow_runtime import for_training
from genre_model.training.run_folder import claim, fingerprint
from genre_model.training.samples import (
    Sample,
    check_labelled,
    grouped_folds,
    read_samples,
    sites_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from genre_model.network.config import NetworkConfig
    from genre_model.training.cross_validation import Data
    from genre_model.training.recipe import Recipe

_log = logging.getLogger("genre_model")

_RECIPE = ("epochs", "head_epochs", "frozen", "rate", "batch", "seed", "patience", "weight_of_made")
# As in `train-html`, because the teacher's soft labels are by fold.
_FOLDS = 5
_LEAST_SITES = 2


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
        type=_numbers,
        metavar="N,N",
        help="train only these folds of --cross-validate, and no final network",
    )
    parser.add_argument(
        "--teacher",
        type=Path,
        metavar="FILE",
        help="soft labels from the HTML classifier, for distillation: the file that `train-html "
        "--teach FILE` wrote for the same folder and number of folds",
    )
    parser.add_argument(
        "--made",
        type=Path,
        metavar="FOLDER",
        help="synthetic pages from `synthesize` to train on as well; they are in no fold",
    )
    parser.add_argument("--group-by", default="repo", help="the labels' column with the site")
    training = parser.add_argument_group("recipe, see genre_model/training/recipe.py")
    training.add_argument(
        "--epochs",
        type=whole,
        default=12,
        help="epochs, after --head-epochs (default: %(default)s)",
    )
    training.add_argument(
        "--head-epochs",
        type=whole,
        default=0,
        help="initial epochs with a frozen backbone (default: %(default)s)",
    )
    training.add_argument(
        "--frozen",
        type=whole,
        default=0,
        metavar="BLOCKS",
        help="first blocks of the backbone that keep their weights (default: %(default)s)",
    )
    training.add_argument(
        "--rate", type=float, default=1e-3, help="peak learning rate (default: %(default)s)"
    )
    training.add_argument(
        "--batch", type=positive, default=32, help="pages per batch (default: %(default)s)"
    )
    training.add_argument("--seed", type=int, default=0, help="(default: %(default)s)")
    training.add_argument(
        "--patience",
        type=whole,
        default=0,
        help="early stopping: validate on a tenth of the sites, stop after so many epochs without "
        "improvement, and keep the best; 0 trains on all sites for all epochs (default: 0)",
    )
    training.add_argument(
        "--weight-of-made",
        type=float,
        default=0.5,
        metavar="SHARE",
        help="weight of a page of --made (default: %(default)s)",
    )
    training.add_argument(
        "--tensorboard", type=tensorboard_folder, metavar="DIR", help="folder for logs"
    )
    add_network_arguments(parser)


def run(arguments: Namespace) -> None:
    """Cross-validate if requested, then train on all pages."""
    for_training()

    from genre_model.training.recipe import Recipe

    if arguments.folds is not None and not arguments.cross_validate:
        raise UsageError("--folds needs --cross-validate")
    config = network_config(arguments)
    recipe = Recipe(**{name: getattr(arguments, name) for name in _RECIPE})
    try:
        build, config = _builder(arguments.weights, config)
        samples = read_samples(arguments.data)
        if arguments.teacher is None:
            check_labelled(arguments.data, samples)
        sites = sites_of(samples, arguments.group_by)
        fold_of = _folds(arguments, sites)
        claim(arguments.out, _run(arguments, recipe, config))
        data = _read(arguments, config, samples, sites, fold_of)
    except (OSError, ValueError) as error:
        raise UsageError(str(error)) from error
    job = _Job(data, build, recipe, arguments.out)
    if arguments.cross_validate:
        temperatures = job.cross_validate(arguments.folds)
        config = replace(
            config,
            genre_temperature=temperatures["genre"],
            page_type_temperature=temperatures["page_type"],
        )
    if arguments.folds is None:
        job.train(config, arguments.tensorboard)


def _folds(arguments: Namespace, sites: Sequence[str]) -> NDArray[np.int64]:
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


def _run(arguments: Namespace, recipe: Recipe, config: NetworkConfig) -> dict[str, Any]:
    """Everything that determines the result of the training; see ``run_folder``."""
    weights, made, teacher = arguments.weights, arguments.made, arguments.teacher
    return {
        "recipe": asdict(recipe),
        "network": config.to_json(),
        "weights": weights if weights in (None, "imagenet") else fingerprint(Path(weights)),
        "folds": [arguments.cross_validate or _FOLDS, arguments.group_by],
        "data": fingerprint(arguments.data / "labels.jsonl"),
        "made": made and fingerprint(made / "labels.jsonl"),
        "teacher": teacher and fingerprint(teacher),
    }


def _read(
    arguments: Namespace,
    config: NetworkConfig,
    samples: Sequence[Sample],
    sites: Sequence[str],
    fold_of: NDArray[np.int64],
) -> Data:
    """Read the labelled pages and, if requested, the synthetic pages into memory."""
    from genre_model.training.cross_validation import Data
    from genre_model.training.targets import label_targets
    from genre_model.training.teacher import read_teacher
    from genre_model.training.windows import chained, read_windows

    teacher = read_teacher(arguments.teacher, samples, fold_of) if arguments.teacher else None
    ids = [sample.id for sample in samples]
    finer, made = read_windows(arguments.data, ids, config.window), None
    if arguments.made:
        others = read_samples(arguments.made)
        made = label_targets(others)
        ids_of_made = [sample.id for sample in others]
        finer = chained(finer, read_windows(arguments.made, ids_of_made, config.window))
    return Data(
        samples,
        label_targets(samples),
        finer,
        read_windows(arguments.data, ids, config.window, finer=1.0),
        fold_of,
        sites,
        config,
        teacher,
        made,
    )


@dataclass(frozen=True)
class _Job:
    """The input of both cross-validation and training.

    build: makes a new network. folder: for the results.
    """

    data: Data
    build: Callable[[], Any]
    recipe: Recipe
    folder: Path

    def cross_validate(self, only: Sequence[int] | None) -> dict[str, float]:
        """Write out-of-fold predictions; returns the temperature fitted on them, by head."""
        from genre_model.training import cross_validation

        held_out = cross_validation.held_out_logits(
            self.data, self.build, self.recipe, folder=self.folder, only=only
        )
        answers = cross_validation.predictions(self.data, held_out)
        path = self.folder / "held-out.jsonl"
        with path.open("wb") as lines:
            for page in np.flatnonzero(np.isfinite(held_out["genre"]).all(axis=1)).tolist():
                sample = self.data.samples[page]
                lines.write(answers[page].to_json(sample.id, fold=str(self.data.folds[page])))
        _log.info("wrote the out-of-fold predictions to %s", path)
        return cross_validation.temperatures(self.data, held_out)

    def train(self, config: NetworkConfig, tensorboard: Path | None) -> None:
        """Train on the pages of all folds."""
        from genre_model.network.model import save_network
        from genre_model.training.cross_validation import trained

        model, history = trained(
            self.data,
            self.build,
            self.recipe,
            folder=self.folder / "state",
            tensorboard=tensorboard,
        )
        path = self.folder / "network.npz"
        save_network(path, model, config)
        record = {"recipe": asdict(self.recipe), "history": history}
        (self.folder / "training.json").write_text(json.dumps(record, indent=1) + "\n")
        _log.info("wrote the network to %s", path)


def _builder(weights: str | None, config: NetworkConfig) -> tuple[Callable[[], Any], NetworkConfig]:
    """A function that makes a new network with these initial weights, and its configuration."""
    from genre_model.network.model import new_network

    source = weights if weights in (None, "imagenet") else Path(str(weights))
    _, config = new_network(config, source)  # fail before the pages are read
    return lambda: new_network(config, source)[0], config


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]
