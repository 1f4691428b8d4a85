"""Offers a command of ours to ``scrapy``."""

from __future__ import annotations

import argparse
import sys
from typing import Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError as ScrapyUsageError

from corpus_commons.terminal.command_error import CommandError
from corpus_commons.terminal.commands import UsageError, declare, tell
from genre_crawler.command_line import COMMANDS


class ScrapyAdapter(ScrapyCommand):
    """To add a command, subclass this in a module of its name in ``scrapy_commands``.

    The command's arguments have Scrapy's settings, with what ``-s`` said, in ``settings``.
    """

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def __init__(self) -> None:
        super().__init__()
        self._name = type(self).__module__.rpartition(".")[2]
        self._entry = COMMANDS.commands[self._name]

    def short_desc(self) -> str:
        summary = self._entry.summary
        return summary[0].upper() + summary[1:]

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        parser.prog, parser.usage = f"scrapy {self._name}", None
        parser.formatter_class = argparse.RawDescriptionHelpFormatter
        # Scrapy has taken the name of the command out of them.
        declare(parser, self._entry, sys.argv[1:])
        actions = [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]
        for one in actions[0].choices.values() if actions else (parser,):
            super().add_options(one)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Raises Scrapy's UsageError for arguments that cannot be used."""
        if args:
            raise ScrapyUsageError(f"unknown arguments: {' '.join(args)}")
        # An action has set its own.
        opts.prog = getattr(opts, "prog", f"scrapy {self._name}")
        opts.settings = self.settings
        try:
            self.exitcode = opts.command.run(opts) or 0
        except UsageError as error:
            raise ScrapyUsageError(str(error)) from error
        except CommandError as error:
            self.exitcode = tell(error, opts.prog)
