"""``python -m extraction train METHOD …``: make a method's shipped model from labelled pages."""

from __future__ import annotations

import sys
from typing import Final

from corpus_commons.terminal.commands import Entry, Group
from corpus_commons.terminal.commands import main as run_command

GROUP: Final = Group(
    {
        "boosted-blocks": Entry(
            "extraction.methods.boosted_blocks.training",
            "Train the boosted block classifier, or cross-validate it by site",
        ),
        "web2text": Entry(
            "extraction.methods.web2text.training",
            "Train Web2Text's two networks on CleanEval's labelled pages",
        ),
        "victor": Entry(
            "extraction.methods.victor.training",
            "Train Victor's CRF on CleanEval's pages with crfsuite (L-BFGS)",
        ),
        "elements": Entry(
            "extraction.methods.elements.training",
            "Train the element classifier, and cross-validate it by site",
        ),
    },
    summary="train a method and write its model",
    epilog="""exit codes:
  0    done
  1    an output cannot be written; or an error of the program, with a traceback
  2    the arguments, or the files they name, cannot be used
  130  interrupted by Ctrl-C
""",
    extra="train",
)
COMMANDS: Final = Group(
    {"train": GROUP},
    summary="Train an extraction method on labelled pages, as the shipped models were made.",
)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; exits with another code than 0 if it fails."""
    code = run_command("python -m extraction", COMMANDS, arguments)
    if code:
        sys.exit(code)


if __name__ == "__main__":
    main()
