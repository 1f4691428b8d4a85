"""All commands by name. A new one is a module and a line here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from corpus_commons.terminal import commands
from corpus_commons.terminal.commands import Entry, Group
from evaluation.commands import COMMANDS as EVALUATION
from genre_model.commands import COMMANDS as GENRE

PROGRAM: Final = "genre-crawler"
CORPUS: Final = Group(
    {
        "verify": Entry(
            "pipelines.commands.verify",
            "Check the manifests, checksums, lines and ids of a corpus",
        ),
        "stats": Entry("pipelines.commands.stats", "Count the documents and rejects of a corpus"),
        "merge": Entry(
            "pipelines.commands.merge", "Combine corpora into a new one, without repeats"
        ),
        "diff": Entry(
            "pipelines.commands.diff",
            "List the pages that are new, changed or gone between two corpora",
        ),
        "current": Entry(
            "pipelines.commands.current",
            "Combine corpora into a new one, with the latest version of each page only",
        ),
        "consent": Entry(
            "pipelines.commands.consent",
            "List the documents that owners do not allow, or no longer",
        ),
        "extract-warc": Entry(
            "refinery.commands.extract_warc", "Extract the pages of WARC archives", "refinery"
        ),
        "build": Entry(
            "refinery.commands.build", "Make a data set of corpora, by a recipe", "refinery"
        ),
        "annotate": Entry("annotate.command", "Label pages of a corpus in the browser", "annotate"),
        "forget": Entry(
            "refinery.commands.forget",
            "Remove pages from corpora and data sets for good",
            "refinery",
        ),
        "unblock": Entry(
            "pipelines.commands.unblock",
            "List what crawls do not fetch again since it was forgotten, or let them",
        ),
    },
    summary="verify, count, merge or make corpora",
    epilog="""exit codes:
  0    done; verify: the corpus is intact
  1    standard output cannot be written
  2    the arguments cannot be used: a folder is not a corpus, or OUT exists or cannot be written
  3    a corpus is damaged
  4    verify: it is intact, but has lines that came twice
""",
    extra="crawl",
)
COMMANDS: Final = Group(
    {
        "extract": Entry("pipelines.commands.extract", "extract the main content of pages"),
        "crawl": Entry("crawler.commands.crawl", "crawl a job, or resume it"),
        "demo": Entry("crawler.commands.demo", "serve the bundled demo site and crawl it"),
        "job": Entry(
            "settings.__main__", "check a job file; print the schema or reference of jobs"
        ),
        "schedule": Entry("pipelines.commands.schedule", "run jobs whenever they are due"),
        "frontier": Entry("pipelines.commands.frontier", "inspect the URLs of a crawl, control it"),
        "live": Entry("live.command", "watch and steer all workers of a job in Redis"),
        "corpus": CORPUS,
        "annotate": Entry(
            "annotate.command", "label pages in the browser, make a data set", "annotate"
        ),
        "genre": GENRE,
        "train": Entry(
            "extraction.__main__", "train an extraction method on labelled pages", "train"
        ),
        "evaluate": EVALUATION,
        "completion": Entry("genre_crawler.completion", "print a script for your shell"),
    },
    summary="Crawl the web into text corpora, knowing what kind of page each page is.",
    epilog="genre-crawler COMMAND --help tells more, exit codes among it.",
    extra="crawl",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line ``argv`` (by default that of the process) and return the exit code."""
    return commands.main(PROGRAM, COMMANDS, argv)
