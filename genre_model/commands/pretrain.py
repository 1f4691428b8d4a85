"""`python -m genre_model pretrain`: what pages look like, from pages made by construction."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path

from genre_model.commands.command import UsageError
from genre_model.commands.network_options import (
    add_network_arguments,
    network_config,
    tensorboard_folder,
)
from genre_model.tensorflow_runtime import for_training


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a folder `synthesize` wrote")
    parser.add_argument("--out", type=Path, required=True, help="the .npz file to write")
    parser.add_argument("--weights", type=Path, help="an .npz to go on from")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--rate", type=float, default=3e-3, help="the highest learning rate")
    parser.add_argument("--state", type=Path, help="folder to keep the state in, to be resumed")
    parser.add_argument(
        "--tensorboard", type=tensorboard_folder, metavar="DIR", help="folder for its logs"
    )
    parser.add_argument("--seed", type=int, default=0)
    add_network_arguments(parser)


def run(arguments: Namespace) -> None:
    """Train, and write the network without its layout output."""
    for_training()

    from genre_model.network import new_network, save_network
    from genre_model.pretraining import read_pretraining, with_layout
    from genre_model.training import Recipe, train

    config = network_config(arguments)
    recipe = replace(
        Recipe(), epochs=arguments.epochs, rate=arguments.rate, seed=arguments.seed, smoothing=0.05
    )
    try:
        batches, validation = read_pretraining(
            arguments.data, config.window, batch=recipe.batch, seed=arguments.seed
        )
        model = new_network(config, arguments.weights)
    except (OSError, ValueError) as error:
        raise UsageError(str(error)) from error
    train(
        with_layout(model),
        batches,
        recipe,
        validation=validation,
        folder=arguments.state,
        tensorboard=arguments.tensorboard,
    )
    save_network(arguments.out, model, config)
