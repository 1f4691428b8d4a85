"""The command line of ``python -m genre_model``."""

from __future__ import annotations

from collections.abc import Sequence

from corpus_commons.terminal import commands
from genre_model.commands import COMMANDS


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line ``argv`` (by default that of the process) and return the exit code."""
    return commands.main("python -m genre_model", COMMANDS, argv)
