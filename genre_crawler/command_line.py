"""All commands by name. A new one is a module and a line here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from corpus_commons.terminal import commands
from corpus_commons.terminal.commands import Entry, Group
from evaluation.cli import COMMANDS as EVALUATION
from genre_model.commands import COMMANDS as GENRE

PROGRAM: Final = "genre-crawler"
COMMANDS: Final = Group(
    {
        "extract": Entry("pipelines.commands.extract", "extract the main content of pages"),
        "crawl": Entry("crawler.commands.crawl", "crawl a job, or resume it"),
        "demo": Entry("crawler.commands.demo", "serve the bundled demo site and crawl it"),
        "job": Entry("settings.__main__", "check a job file; print their schema or reference"),
        "schedule": Entry("pipelines.commands.schedule", "run jobs whenever they are due"),
        "frontier": Entry("pipelines.commands.frontier", "inspect the URLs of a crawl, control it"),
        "live": Entry("live.command", "watch and steer all workers of a job in Redis"),
        "corpus": Entry("pipelines.commands.corpus", "verify, count, merge or make corpora"),
        "annotate": Entry("annotate.command", "label pages in the browser, make a data set"),
        "genre": GENRE,
        "train": Entry("extraction.__main__", "train an extraction method on labelled pages"),
        "evaluate": EVALUATION,
        "completion": Entry("genre_crawler.completion", "print a script for your shell"),
    },
    summary="Crawl the web into text corpora, knowing what kind of page each page is.",
    epilog="genre-crawler COMMAND --help tells more, exit codes among it.",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line ``argv`` (by default that of the process) and return the exit code."""
    return commands.main(PROGRAM, COMMANDS, argv)
