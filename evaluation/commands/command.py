"""What a subcommand is, and how it says that it was called wrongly."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Protocol


class UsageError(Exception):
    """The arguments, or the files they name, cannot be used; the message says why."""


class Command(Protocol):
    """A module of this package.

    SUMMARY: one line for ``--help``.
    """

    SUMMARY: str

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""

    def run(self, arguments: Namespace) -> None:
        """Do the work; raises UsageError."""
