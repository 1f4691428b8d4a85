"""The subcommands of ``python -m evaluation``. A new one is a module and a line here.

A module is imported only when its subcommand is run, as each needs different libraries.
"""

from __future__ import annotations

from corpus_commons.terminal.commands import Entry

COMMANDS: dict[str, Entry] = {
    "blocks": Entry(
        "evaluation.commands.blocks",
        "compare methods block by block, as in Table 1 of the Web2Text paper",
    ),
    "extraction": Entry(
        "evaluation.commands.extraction", "compare extraction methods on pages with gold text"
    ),
    "genre": Entry("genre_model.commands.evaluate", "score predictions of the kind of page"),
    "victor": Entry(
        "evaluation.commands.victor", "cross-validate Victor on CleanEval's development pages"
    ),
}
