"""The command line of ``python -m genre_model``."""

from __future__ import annotations

from collections.abc import Sequence

from corpus_commons.terminal import commands
from genre_model.commands import COMMANDS

_DESCRIPTION = "Classify pages by genre and page type, from screenshots, HTML, or both."
_EXIT_CODES = """exit codes:
  0    done
  1    an error of the program, with a traceback
  2    the arguments, or the files they name, cannot be used
  3    done, but some pages could not be read, or have no prediction; the output says which
  130  interrupted by Ctrl-C; what was written so far is kept
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line ``argv`` (by default that of the process) and return the exit code."""
    return commands.main(
        "genre_model", COMMANDS, description=_DESCRIPTION, epilog=_EXIT_CODES, argv=argv
    )
