"""`python -m genre_model train`: on a folder of labelled screenshots, with or without folds."""

from __future__ import annotations

import json
import logging
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from genre_model.commands.command import UsageError
from genre_model.commands.network_options import (
    add_network_arguments,
    network_config,
    tensorboard_folder,
)
from genre_model.samples import Sample, grouped_folds, read_samples
from genre_model.tensorflow_runtime import for_training

if TYPE_CHECKING:
    from genre_model.cross_validation import Data
    from genre_model.network_config import NetworkConfig
    from genre_model.training import Recipe

_log = logging.getLogger("genre_model")

_RECIPE = ("epochs", "head_epochs", "frozen", "rate", "batch", "seed", "patience", "weight_of_made")
_TENTH = 10
# Folds of `train-html`, whose teacher's answers are by fold.
_FOLDS = 5


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, required=True, help="a folder with labels.jsonl and shots/"
    )
    parser.add_argument(
        "--out", type=Path, required=True, help="folder for the network, its scores and its state"
    )
    parser.add_argument(
        "--weights",
        metavar="FILE|imagenet",
        help="what the backbone begins with: the .npz of `pretrain`, `train` or `import-slim`, or "
        "ImageNet's weights, which Keras downloads; random without it",
    )
    parser.add_argument("--cross-validate", type=int, metavar="FOLDS", help="also by sites")
    parser.add_argument(
        "--folds", type=_numbers, metavar="N,N", help="do only these folds, and no final network"
    )
    parser.add_argument(
        "--teacher",
        type=Path,
        metavar="FILE",
        help="opinions of the HTML classifier to learn from beside the labels: what "
        "`train-html --teach FILE` wrote for the same folder and number of folds",
    )
    parser.add_argument(
        "--made",
        type=Path,
        metavar="FOLDER",
        help="pages of `synthesize` to go on learning from too; they are in no fold",
    )
    parser.add_argument("--group-by", default="repo", help="the column that names the site")
    training = parser.add_argument_group("recipe, see genre_model/training.py")
    training.add_argument("--epochs", type=int, default=12)
    training.add_argument("--head-epochs", type=int, default=0)
    training.add_argument("--frozen", type=int, default=0, metavar="BLOCKS")
    training.add_argument("--rate", type=float, default=1e-3)
    training.add_argument("--batch", type=int, default=32)
    training.add_argument("--seed", type=int, default=0)
    training.add_argument(
        "--patience",
        type=int,
        default=0,
        help="stop when a tenth of the sites, kept aside, has got no better for so many epochs; "
        "0 trains on all of them for all epochs",
    )
    training.add_argument("--weight-of-made", type=float, default=0.5, metavar="SHARE")
    training.add_argument(
        "--tensorboard", type=tensorboard_folder, metavar="DIR", help="folder for its logs"
    )
    add_network_arguments(parser)


def run(arguments: Namespace) -> None:
    """Cross-validate where asked, then train on everything."""
    for_training()

    from genre_model.training import Recipe

    config = network_config(arguments)
    recipe = Recipe(**{name: getattr(arguments, name) for name in _RECIPE})
    try:
        data = _read(arguments, config)
        build = _builder(arguments.weights, config)
    except (OSError, ValueError) as error:
        raise UsageError(str(error)) from error
    arguments.out.mkdir(parents=True, exist_ok=True)
    groups = _groups(data.samples, arguments.group_by)
    job = _Job(data, groups, build, recipe, arguments.out)
    if arguments.cross_validate:
        temperatures = job.cross_validate(arguments.folds)
        config = replace(
            config,
            genre_temperature=temperatures["genre"],
            page_type_temperature=temperatures["page_type"],
        )
    if arguments.folds is None:
        job.train(config, arguments.tensorboard)


def _read(arguments: Namespace, config: NetworkConfig) -> Data:
    """The labelled pages and, where asked for, pages made by construction, in memory."""
    from genre_model.cross_validation import Data
    from genre_model.targets import label_targets
    from genre_model.teacher import read_teacher
    from genre_model.windows import chained, read_windows

    samples = read_samples(arguments.data)
    ids = [sample.id for sample in samples]
    finer, made = read_windows(arguments.data, ids, config.window), None
    if arguments.made:
        others = read_samples(arguments.made)
        made = label_targets(others)
        ids_of_made = [sample.id for sample in others]
        finer = chained(finer, read_windows(arguments.made, ids_of_made, config.window))
    folds = grouped_folds(_groups(samples, arguments.group_by), arguments.cross_validate or _FOLDS)
    return Data(
        samples,
        label_targets(samples),
        finer,
        read_windows(arguments.data, ids, config.window, finer=1.0),
        np.array(folds),
        config,
        read_teacher(arguments.teacher) if arguments.teacher else None,
        made,
    )


def _groups(samples: Sequence[Sample], column: str) -> list[str]:
    """The site of each page."""
    return [str(sample.record.get(column, sample.id)) for sample in samples]


@dataclass(frozen=True)
class _Job:
    """What both kinds of training need.

    groups: the site of each page. build: makes a new network. folder: where results go.
    """

    data: Data
    groups: Sequence[str]
    build: Callable[[], Any]
    recipe: Recipe
    folder: Path

    def cross_validate(self, only: Sequence[int] | None) -> dict[str, float]:
        """Write held-out predictions; by head, the temperature that fits them."""
        from genre_model import cross_validation

        held_out = cross_validation.held_out_logits(
            self.data, self.build, self.recipe, folder=self.folder, only=only
        )
        answers = cross_validation.predictions(self.data, held_out)
        path = self.folder / "held-out.jsonl"
        with path.open("wb") as lines:
            for page in np.flatnonzero(np.isfinite(held_out["genre"]).all(axis=1)).tolist():
                sample = self.data.samples[page]
                lines.write(answers[page].to_json(sample.id, fold=str(self.data.folds[page])))
        _log.info("held-out predictions are in %s", path)
        return cross_validation.temperatures(self.data, held_out)

    def train(self, config: NetworkConfig, tensorboard: Path | None) -> None:
        """Train on all sites, or all but a tenth where training is to be stopped early."""
        from genre_model.network import save_network
        from genre_model.training import train

        aside = np.zeros(len(self.groups), np.bool_)
        if self.recipe.patience:
            aside = np.array(grouped_folds(self.groups, _TENTH, self.recipe.seed)) == 0
        model = self.build()
        history = train(
            model,
            self.data.batches(self.recipe, ~aside),
            self.recipe,
            validation=self.data.batches(self.recipe, aside) if aside.any() else None,
            folder=self.folder / "state",
            tensorboard=tensorboard,
        )
        path = self.folder / "network.npz"
        save_network(path, model, config)
        record = {"recipe": asdict(self.recipe), "history": history}
        (self.folder / "training.json").write_text(json.dumps(record, indent=1) + "\n")
        _log.info("the network is in %s", path)


def _builder(weights: str | None, config: NetworkConfig) -> Callable[[], Any]:
    """Makes a new network that begins with the weights."""
    from genre_model.network import new_network

    source = weights if weights in (None, "imagenet") else Path(str(weights))
    new_network(config, source)  # an error now rather than after the pages are read
    return lambda: new_network(config, source)


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]
