"""``crawl``: crawls the job in a TOML file, or the URLs in a text file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from crawler.commands.startup import make_ready
from crawler.exit_codes import ExitCode, meanings
from settings import Job
from settings.given_job import job_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = meanings()
    parser.add_argument("job", nargs="?", help="a job file")
    parser.add_argument(
        "--seeds",
        type=Path,
        help="a file with one URL per line, instead of a job: crawls their sites with all defaults",
    )
    parser.add_argument(
        "--contact", help="with --seeds: your e-mail address or URL for site owners"
    )
    add_settings(parser)


def run(arguments: argparse.Namespace) -> int:
    """Crawl the job; returns the exit code."""
    try:
        overrides = settings_of(arguments)
        job = job_of(job=arguments.job or None, seeds=arguments.seeds, contact=arguments.contact)
    except (ValueError, OSError) as error:
        # It begins with the file and the line.
        sys.stderr.write(f"{error}\n")
        return ExitCode.USAGE
    return crawl(job, overrides)


def add_settings(parser: argparse.ArgumentParser) -> None:
    """The options that set Scrapy's settings, read by ``settings_of``."""
    parser.add_argument(
        "--frontier", metavar="URL", help="the Redis that holds the job, for many workers"
    )
    parser.add_argument(
        "-s",
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a Scrapy setting (may be repeated)",
    )


def settings_of(arguments: argparse.Namespace) -> dict[str, str]:
    """Raises ValueError."""
    overrides = {"FRONTIER": arguments.frontier} if arguments.frontier else {}
    for text in arguments.set:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"-s {text}: must be NAME=VALUE")
        overrides[name] = value
    return overrides


def crawl(job: Job, overrides: dict[str, str]) -> int:
    """Crawl a job; returns the exit code."""
    make_ready()
    # Imported late: Scrapy takes a second, which usage errors need not wait for.
    from crawler.commands.runner import project_settings, run  # noqa: PLC0415

    try:
        settings = project_settings(overrides)
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return ExitCode.USAGE
    return run(job, settings)
