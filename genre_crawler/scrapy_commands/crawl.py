"""``scrapy crawl corpus -a job=FILE``: the same as ``python -m crawler run FILE``.

It replaces Scrapy's own command, which would start before the job is checked, and would exit with 0
however the crawl ended.
"""

from __future__ import annotations

import argparse
import sys
from typing import Final

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.utils.conf import arglist_to_dict

from crawler.commands.startup import make_ready
from crawler.exit_codes import ExitCode, meanings
from settings.given_job import job_of

_SPIDER: Final = "corpus"
_ARGUMENTS: Final = ("job", "seeds", "contact", "worker")


class Command(ScrapyCommand):
    """``crawler.commands.runner`` sets up the crawl."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        return f"[options] {_SPIDER} -a job=FILE | -a seeds=FILE -a contact=ADDRESS"

    def short_desc(self) -> str:
        return "Crawl a job, or resume it"

    def long_desc(self) -> str:
        return f"Crawl the job in a TOML file, or the URLs in a text file. {meanings()}"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "-a",
            dest="arguments",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help=f"NAME is one of {', '.join(_ARGUMENTS)} (may be repeated)",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Raises UsageError for invalid arguments."""
        make_ready()
        if args != [_SPIDER]:
            raise UsageError(f"{' '.join(args)!r} must be {_SPIDER}, the only spider")
        try:
            given = arglist_to_dict(opts.arguments)
        except ValueError:
            raise UsageError("write -a NAME=VALUE") from None
        unknown = sorted(set(given) - set(_ARGUMENTS))
        if unknown:
            raise UsageError(f"-a {unknown[0]}: the name must be one of {', '.join(_ARGUMENTS)}")
        worker = given.pop("worker", None)
        try:
            job = job_of(**given)
        except (ValueError, OSError) as error:
            sys.stderr.write(f"{error}\n")
            self.exitcode = ExitCode.USAGE
            return
        # Not at the top: Scrapy imports every command's module to list them.
        from crawler.commands.runner import project_settings, run  # noqa: PLC0415

        options = {"worker": worker} if worker else {}
        self.exitcode = run(job, self.settings or project_settings({}), **options)
