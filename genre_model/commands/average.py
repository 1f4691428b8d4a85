"""`python -m genre_model average`: one network from several, by the mean of their weights.

Networks that were fine-tuned from the same weights, such as those of a cross-validation, have a
mean that is usually better than each: Wortsman et al., Model soups, 2022 (arXiv:2203.05482).
"""

from __future__ import annotations

import logging
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path

import numpy as np

from corpus_commons.terminal.arguments import output_file
from corpus_commons.terminal.commands import usage_errors
from genre_model.network.config import NetworkConfig
from genre_model.network.tensorflow_runtime import tensorflow

_log = logging.getLogger(__name__)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "networks",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="networks with a common origin, such as RUN/fold-*-weights.npz of `train`",
    )
    parser.add_argument("--out", type=output_file, required=True, help="the .npz file to write")


def run(arguments: Namespace) -> None:
    """Average, and write the network; its temperatures are 1, as it has not been tested."""
    tensorflow()

    from genre_model.network.model import network, save_network
    from genre_model.network.weights import load_weights

    with usage_errors():
        files = [load_weights(path) for path in arguments.networks]
        configs = [
            replace(
                NetworkConfig.from_json(fields), genre_temperature=1.0, page_type_temperature=1.0
            )
            for _, fields in files
        ]
        for path, config in zip(arguments.networks, configs, strict=True):
            if config != configs[0]:
                raise ValueError(f"{path} is another network than {arguments.networks[0]}")
        arrays = {
            name: np.mean([arrays[name] for arrays, _ in files], axis=0) for name in files[0][0]
        }
        save_network(arguments.out, network(configs[0], arrays), configs[0])
    _log.info("wrote the mean of %d networks to %s", len(files), arguments.out)
