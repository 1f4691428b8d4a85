"""`python -m genre_model pretrain`: trains a network on synthetic pages."""

from __future__ import annotations

import logging
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from pathlib import Path

from corpus_commons.terminal.arguments import output_file, positive
from corpus_commons.terminal.commands import usage_errors
from genre_model.commands.training_options import (
    add_hidden_alias,
    add_network_arguments,
    network_config,
    tensorboard_folder,
)
from genre_model.network.tensorflow_runtime import for_training
from genre_model.training.recipe import Recipe
from genre_model.training.run_folder import claim, fingerprint

_log = logging.getLogger(__name__)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a folder that `synthesize` wrote")
    parser.add_argument("--out", type=output_file, required=True, help="the .npz file to write")
    parser.add_argument(
        "--weights", type=Path, help="an .npz to start from (default: random weights)"
    )
    parser.add_argument(
        "--taught-by",
        type=Path,
        metavar="NETWORK",
        help="another network, of `train`, `pretrain` or `import-lite0`: learn also what it sees",
    )
    add_hidden_alias(parser, "--teacher", "taught_by", type=Path)
    parser.add_argument(
        "--additional", type=Path, metavar="FOLDER", help="more pages, such as those of `shoot`"
    )
    parser.add_argument("--epochs", type=positive, default=8, help="(default: %(default)s)")
    parser.add_argument(
        "--rate", type=float, default=3e-3, help="peak learning rate (default: %(default)s)"
    )
    parser.add_argument(
        "--batch", type=positive, default=32, help="pages per batch (default: %(default)s)"
    )
    parser.add_argument("--state", type=Path, help="folder for checkpoints, to resume from")
    parser.add_argument(
        "--tensorboard", type=tensorboard_folder, metavar="DIR", help="folder for its logs"
    )
    parser.add_argument("--seed", type=int, default=0, help="(default: %(default)s)")
    add_network_arguments(parser)


def run(arguments: Namespace) -> None:
    """Train, and write the network without its layout head."""
    for_training()

    from genre_model.network.model import new_network, save_network
    from genre_model.training.objective import read_teacher_network
    from genre_model.training.pretraining import read_pretraining, with_maps
    from genre_model.training.trainer import train

    config = network_config(arguments)
    recipe = Recipe(
        epochs=arguments.epochs,
        rate=arguments.rate,
        batch=arguments.batch,
        seed=arguments.seed,
        smoothing=0.05,
    )
    with usage_errors():
        model, config = new_network(config, arguments.weights)
        if arguments.state:
            run = {
                "recipe": asdict(recipe),
                "network": config.to_json(),
                "weights": arguments.weights and fingerprint(arguments.weights),
                "data": fingerprint(arguments.data / "labels.jsonl"),
                "teacher": arguments.taught_by and fingerprint(arguments.taught_by),
                "additional": arguments.additional
                and fingerprint(arguments.additional / "labels.jsonl"),
            }
            claim(arguments.state, run)
        batches, validation = read_pretraining(
            arguments.data,
            config.window,
            batch=recipe.batch,
            seed=arguments.seed,
            additional=arguments.additional,
        )
        teacher = arguments.taught_by and read_teacher_network(arguments.taught_by, config.window)
    train(
        with_maps(model),
        batches,
        recipe,
        teacher=teacher,
        validation=validation,
        folder=arguments.state,
        tensorboard=arguments.tensorboard,
    )
    save_network(arguments.out, model, config)
    _log.info("wrote %s", arguments.out)
