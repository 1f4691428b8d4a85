"""``python -m extraction train METHOD …``: make a method's shipped model from labelled pages."""

from __future__ import annotations

import argparse
from importlib import import_module

from corpus_commons.terminal.commands import EXIT_USAGE
from extraction.labelled import DataError

# A trainable method has a module ``training`` with ``add_arguments(parser)`` and ``run(args)``;
# ``run`` raises ArgumentError for options that exclude each other.
_TRAINABLE = {
    "boosted-blocks": "extraction.methods.boosted_blocks.training",
    "web2text": "extraction.methods.web2text.training",
    "victor": "extraction.methods.victor.training",
    "elements": "extraction.methods.elements.training",
}


_WHAT = "Train an extraction method on labelled pages, as the shipped models were made."


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; exits with 2 for unusable arguments or files."""
    parser = argparse.ArgumentParser(prog="python -m extraction", description=_WHAT)
    commands = parser.add_subparsers(dest="command", required=True)
    train = commands.add_parser("train", help="train a method and write its model")
    methods = train.add_subparsers(dest="method", required=True)
    for name, module in _TRAINABLE.items():
        training = import_module(module)
        method = methods.add_parser(name, help=training.__doc__)
        training.add_arguments(method)
        method.set_defaults(run=training.run)
    args = parser.parse_args(arguments)
    try:
        args.run(args)
    except argparse.ArgumentError as error:
        parser.error(str(error))
    except (DataError, OSError) as error:
        parser.exit(EXIT_USAGE, f"{parser.prog}: {error}\n")


if __name__ == "__main__":
    main()
