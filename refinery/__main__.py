"""``python -m refinery``: the same commands as ``genre-crawler corpus extract-warc`` and so on."""

from __future__ import annotations

import sys

from corpus_commons.terminal.commands import Entry, Group, main

COMMANDS = Group(
    {
        "extract": Entry("refinery.commands.extract_warc", "archives to a corpus"),
        "build": Entry("refinery.commands.build", "corpora to a data set, by a recipe"),
        "reference": Entry("refinery.commands.reference", "print the reference of recipes"),
    },
    summary="Make corpora of archives, and data sets of corpora.",
    extra="refinery",
)

if __name__ == "__main__":
    sys.exit(main("python -m refinery", COMMANDS))
