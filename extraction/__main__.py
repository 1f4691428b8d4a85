"""``python -m extraction train METHOD …``: make a method's shipped model from labelled pages."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from corpus_commons.terminal.commands import Entry, Group, UsageError, add_actions
from corpus_commons.terminal.commands import main as run_command
from extraction.training.labelled import DataError

# A trainable method has a module ``training`` with ``add_arguments(parser)`` and ``run(args)``;
# ``run`` raises ArgumentError for options that exclude each other.
_TRAINABLE = {
    "boosted-blocks": "extraction.methods.boosted_blocks.training",
    "web2text": "extraction.methods.web2text.training",
    "victor": "extraction.methods.victor.training",
    "elements": "extraction.methods.elements.training",
}


COMMANDS = Group(
    {"train": Entry("extraction.__main__", "train a method and write its model")},
    summary="Train an extraction method on labelled pages, as the shipped models were made.",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    modules = {name: import_module(module) for name, module in _TRAINABLE.items()}
    summaries = {name: str(training.__doc__) for name, training in modules.items()}
    for name, method in add_actions(parser, summaries, "method").items():
        training = modules[name]
        training.add_arguments(method)
        method.set_defaults(train=training.run)


def run(arguments: argparse.Namespace) -> None:
    """Raises UsageError."""
    try:
        arguments.train(arguments)
    except (argparse.ArgumentError, DataError, OSError) as error:
        raise UsageError(str(error)) from error


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; exits with 2 for unusable arguments or files."""
    code = run_command("python -m extraction", COMMANDS, arguments)
    if code:
        sys.exit(code)


if __name__ == "__main__":
    main()
