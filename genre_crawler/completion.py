"""``completion``: the script by which a shell completes our commands and options."""

from __future__ import annotations

import argparse

import shtab

from corpus_commons.terminal.commands import parser_of
from corpus_commons.terminal.output import standard_output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = 'for bash: eval "$(genre-crawler completion bash)" in ~/.bashrc'
    parser.add_argument("shell", choices=shtab.SUPPORTED_SHELLS)


def run(arguments: argparse.Namespace) -> None:
    """Print the script."""
    from genre_crawler.command_line import COMMANDS, PROGRAM  # noqa: PLC0415 - it lists this module

    with standard_output() as out:
        out.write(shtab.complete(parser_of(PROGRAM, COMMANDS), arguments.shell))
