"""The error that ends a command."""

from __future__ import annotations

from typing import Final

EXIT_FAILED: Final = 1


class CommandError(Exception):
    """The command ends with this exit code; the message says why."""

    def __init__(self, message: str, exit_code: int = EXIT_FAILED) -> None:
        super().__init__(message)
        self.exit_code = exit_code
