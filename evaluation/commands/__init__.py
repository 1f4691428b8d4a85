"""The subcommands of ``python -m evaluation``. A new one is a module and a line here.

Each needs different libraries, so its module is imported only when it is run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from corpus_commons.terminal import commands
from corpus_commons.terminal.commands import Entry, Group

COMMANDS: Final = Group(
    {
        "blocks": Entry(
            "evaluation.commands.blocks",
            "compare methods block by block, as in Table 1 of the Web2Text paper",
        ),
        "extraction": Entry(
            "evaluation.commands.extraction", "compare extraction methods on pages with gold text"
        ),
        "genre": Entry(
            "genre_model.commands.evaluate", "score predictions of the kind of page", "genre"
        ),
        "victor": Entry(
            "evaluation.commands.victor", "cross-validate Victor on CleanEval's development pages"
        ),
    },
    summary="Compare methods on labelled pages.",
    epilog="""exit codes:
  0    done; pages on which a method failed are counted in its output
  1    an output cannot be written; or an error of the program, with a traceback
  2    the arguments, a data file or a method they name cannot be used
  3    done, but labelled pages have no prediction (`genre`); the output says how many
  130  interrupted by Ctrl-C; what was written so far is kept
""",
    logger="evaluation",
    extra="train",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line ``argv`` (by default that of the process) and return the exit code."""
    return commands.main("python -m evaluation", COMMANDS, argv)
