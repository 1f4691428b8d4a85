"""The options of commands that say where tasks run."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from corpus_commons.terminal.arguments import positive

if TYPE_CHECKING:
    from refinery.executors import Place


def add_arguments(parser: argparse.ArgumentParser, *, slurm: bool) -> None:
    places = parser.add_argument_group("where tasks run")
    places.add_argument(
        "--processes", type=positive, metavar="N", help="at a time (default: the cores)"
    )
    places.add_argument(
        "--ray",
        nargs="?",
        const="auto",
        metavar="ADDRESS",
        help="on a cluster of Ray (default: that of this machine)",
    )
    if slurm:
        places.add_argument(
            "--slurm", metavar="PARTITION", help="submit the tasks to Slurm, and return"
        )
        places.add_argument(
            "--slurm-time",
            default="24:00:00",
            metavar="TIME",
            help="the limit of a task (default: %(default)s)",
        )


def place_of(arguments: argparse.Namespace) -> Place:
    from refinery.executors import Place  # noqa: PLC0415 - takes a second

    slurm = {name: getattr(arguments, name) for name in vars(arguments) if "slurm" in name}
    return Place(arguments.processes, arguments.ray, **slurm)
