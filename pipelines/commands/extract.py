"""``scrapy extract FILE_OR_URL``: run one page through the pipeline.

A URL is fetched once, by the rules of a crawl; ``-`` is standard input. Exit
codes: 0 success; 1 the page cannot be fetched or read; 2 unusable arguments.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, Final, get_args

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from corpus_commons.markup.dom import MAX_CHARACTERS
from corpus_commons.terminal.output import standard_output
from crawler.fetching.responses import is_binary
from crawler.fetching.single_page import fetch, unleased
from crawler.items import Page
from extraction.kinds import KINDS
from extraction.registry import names
from genre_model.labels import GENRES
from pipelines.reading.page_reader import PageReader, PageRejectedError, PageTask
from settings.addresses import contact, host_of, is_loopback, web_url
from settings.tables.extraction import Extraction
from settings.tables.politeness import Politeness
from settings.vocabulary import Comments, Format

EXIT_FAILED: Final = 1
_STANDARD_INPUT: Final = "-"
# A response has a content type to tell XHTML from HTML; a file has only its suffix.
_XHTML_SUFFIXES: Final = frozenset({".xhtml", ".xht"})
_XHTML_HEADERS: Final = (("content-type", "application/xhtml+xml"),)


class Command(ScrapyCommand):
    """Prints the text, or with ``--json`` the document as a shard would hold it."""

    requires_project = True
    default_settings: ClassVar[dict[str, Any]] = {"LOG_LEVEL": "ERROR"}

    def syntax(self) -> str:
        return "[options] FILE_OR_URL"

    def short_desc(self) -> str:
        return "Extract the main content of one page"

    def long_desc(self) -> str:
        return "Print the main content of a page from a file, standard input (-) or a URL."

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument(
            "--genre",
            choices=KINDS,
            metavar="G",
            help=f"the page's genre or page type (default: predicted): {', '.join(KINDS)}",
        )
        parser.add_argument(
            "--method",
            choices=("default", *names()),
            metavar="M",
            help=f"the extraction method: default, {', '.join(names())}",
        )
        parser.add_argument(
            "--url", help="the URL of a page that is read from a file, to resolve its links"
        )
        parser.add_argument(
            "--format", choices=get_args(Format), default="text", help="output format of the text"
        )
        parser.add_argument("--links", action="store_true", help="keep the targets of links")
        parser.add_argument("--images", action="store_true", help="keep images of the main content")
        parser.add_argument(
            "--comments",
            choices=get_args(Comments),
            default="drop",
            help="what to do with readers' comments",
        )
        parser.add_argument(
            "--json", action="store_true", help="print a line of JSON with metadata, as in a shard"
        )
        parser.add_argument(
            "--contact", help="your e-mail address or URL, sent to the site; required for URLs"
        )

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Log errors only, unless an option says otherwise."""
        if self.settings is not None:
            self.settings.set("LOG_LEVEL", "ERROR", priority="cmdline")
        super().process_options(args, opts)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Raises UsageError for invalid arguments."""
        if len(args) != 1:
            raise UsageError("give exactly one file or URL")
        try:
            reader = PageReader(extraction=_extraction(opts))
        except ValueError as error:
            raise UsageError(str(error)) from error
        try:
            page = self._fetched(args[0], opts) if "://" in args[0] else _read(args[0], opts.url)
            task = replace(PageTask.of(page), genre=opts.genre, method=opts.method)
            document = reader.read(task).document(page)
        except (OSError, ImportError, PageRejectedError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else error
            sys.stderr.write(f"scrapy extract: {args[0]}: {why}\n")
            self.exitcode = EXIT_FAILED
            return
        if opts.genre in GENRES:
            document.genre = opts.genre
        elif opts.genre:
            document.page_type = opts.genre
        if not document.text:
            sys.stderr.write(f"scrapy extract: {args[0]}: no text was found\n")
        line = document.to_json() if opts.json else _plain(document.text)
        with standard_output() as out:
            out.buffer.write(line)

    def _fetched(self, text: str, opts: argparse.Namespace) -> Page:
        """Raises OSError if the page cannot be fetched."""
        if opts.url:
            raise UsageError("--url is only for pages that are read from a file")
        try:
            url = web_url(text)
        except ValueError as error:
            raise UsageError(f"{text}: {error}") from error
        politeness = _politeness(opts.contact)
        if politeness.contact is None and not is_loopback(host_of(url)):
            raise UsageError("--contact is needed, so that the owner of the site can reach you")
        if self.crawler_process is None:
            raise OSError("this command was started without a Scrapy crawler process")
        return fetch(self.crawler_process, url, politeness)


def _extraction(opts: argparse.Namespace) -> Extraction:
    return Extraction(
        format=opts.format, links=opts.links, images=opts.images, comments=opts.comments
    )


def _politeness(address: str | None) -> Politeness:
    """The default politeness, with this contact. Raises UsageError for an invalid address."""
    try:
        return Politeness(contact=contact(address)) if address else Politeness()
    except ValueError:
        raise UsageError(
            f"--contact {address}: must be an e-mail address or URL where site owners reach you"
        ) from None


def _read(name: str, address: str | None) -> Page:
    """The page in a file. Raises OSError if the file cannot be read or is not a page."""
    file = Path("/dev/stdin" if name == _STANDARD_INPUT else name)
    try:
        url = web_url(address) if address else file.absolute().as_uri()
    except ValueError as error:
        raise UsageError(f"--url {address}: {error}") from error
    with sys.stdin.buffer if name == _STANDARD_INPUT else file.open("rb") as opened:
        html = opened.read(MAX_CHARACTERS + 1)
    if is_binary(html):
        raise OSError("not a page: the content is binary")
    headers = _XHTML_HEADERS if file.suffix.lower() in _XHTML_SUFFIXES else ()
    return Page(unleased(url), url, 200, headers, html, datetime.now(UTC))


def _plain(text: str) -> bytes:
    return (text + "\n" if text else "").encode("utf-8", "replace")
