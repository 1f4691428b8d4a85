"""``python -m crawler``: crawls a job, or the bundled demo site."""

from __future__ import annotations

from collections.abc import Sequence

from corpus_commons.terminal.commands import Entry, Group
from corpus_commons.terminal.commands import main as run_command
from crawler.exit_codes import meanings

COMMANDS = Group(
    {
        "run": Entry("crawler.commands.crawl", "crawl a job, or resume it"),
        "demo": Entry("crawler.commands.demo", "serve the bundled demo site and crawl it"),
    },
    summary="Crawl the job in a TOML file, the URLs in a text file, or the demo site.",
    epilog=meanings(),
    extra="crawl",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    return run_command("python -m crawler", COMMANDS, arguments)
