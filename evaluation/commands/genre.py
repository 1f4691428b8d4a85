"""``genre``: ``python -m genre_model evaluate`` among the other tables."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from evaluation.commands.command import UsageError
from genre_model.commands import evaluate
from genre_model.commands.command import UsageError as GenreUsageError

SUMMARY = "score predictions of the kind of page"


def add_arguments(parser: ArgumentParser) -> None:
    evaluate.add_arguments(parser)


def run(arguments: Namespace) -> None:
    """See ``genre_model.commands.evaluate``."""
    try:
        evaluate.run(arguments)
    except GenreUsageError as error:
        raise UsageError(str(error)) from error
