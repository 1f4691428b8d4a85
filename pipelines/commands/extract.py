"""``extract``: the main content of pages in files, in folders, from standard input or at a URL."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple, Self, get_args
from urllib.parse import urlsplit

from pydantic import ValidationError

from corpus_commons.extras import explanation_of
from corpus_commons.kinds import GENRES, KINDS
from corpus_commons.markup.dom import MAX_CHARACTERS
from corpus_commons.markup.encoding import is_binary
from corpus_commons.terminal.arguments import make_output_folder, positive
from corpus_commons.terminal.command_error import EXIT_FAILED, CommandError
from corpus_commons.terminal.commands import EXIT_FINE, UsageError
from corpus_commons.terminal.output import standard_output
from corpus_commons.terminal.progress import watched
from crawler.items import Document, Page
from crawler.lease import Lease
from crawler.outcomes import Rejection
from extraction.registry import extractor, names
from pipelines.commands.contact import politeness_of
from pipelines.reading.content import ContentTask, Reading
from pipelines.reading.folder_sites import FolderPage, folder_sites
from pipelines.reading.page_reader import PageReader, PageRejectedError, PageTask
from pipelines.reading.worker import WorkerError
from pipelines.reading.worker_pool import WorkerPool
from settings.addresses import host_of, is_loopback, url_of_bare, web_url
from settings.tables.extraction import Extraction
from settings.vocabulary import Comments, Format

_DESCRIPTION: Final = """\
IN is a file, a folder (all of its pages, in parallel), a URL, or - for standard input. One page is
printed; several are written to the folder --out or, with --json, printed as lines."""
_EXIT_CODES: Final = """exit codes:
  0    done
  1    a page could not be fetched or read, the others are written; or standard output cannot be
  2    the arguments cannot be used
"""
# Pages that are read before the first of them is written.
_AHEAD: Final = 64
_STANDARD_INPUT: Final = "-"
_JSON: Final = "json"
_SUFFIXES: Final = {"text": ".txt", "markdown": ".md", "html": ".html", _JSON: ".json"}
# A response has a content type to tell XHTML from HTML; a file has only its suffix.
_XHTML_SUFFIXES: Final = frozenset({".xhtml", ".xht"})
_XHTML_HEADERS: Final = (("content-type", "application/xhtml+xml"),)
_PAGE_SUFFIXES: Final = frozenset({".html", ".htm", *_XHTML_SUFFIXES})


class _Input(NamedTuple):
    """A page to be read. name: a file, a URL or -. path: relative to the folder it was found in.

    folder: that one; empty for a page that was named itself.
    """

    name: str
    path: Path | None = None
    folder: str = ""


_Found = Document | Exception


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXIT_CODES
    parser.add_argument("inputs", nargs="+", metavar="IN", help="files, folders, a URL, or -")
    output = parser.add_argument_group("output")
    output.add_argument(
        "--format",
        choices=(*get_args(Format), _JSON),
        default="text",
        help="of the text; json: a line with text and metadata, as in a shard (default: text)",
    )
    output.add_argument("--json", action="store_true", help="lines of JSON, of text in --format")
    output.add_argument("--out", type=Path, metavar="DIR", help="a folder for one file a page")
    output.add_argument("--links", action="store_true", help="keep the targets of links")
    output.add_argument("--images", action="store_true", help="keep images of the main content")
    output.add_argument(
        "--comments", choices=get_args(Comments), default="drop", help="what becomes of comments"
    )
    reading = parser.add_argument_group("reading")
    reading.add_argument(
        "--genre",
        choices=KINDS,
        metavar="G",
        help=f"the genre or page type (default: predicted): {', '.join(KINDS)}",
    )
    reading.add_argument(
        "--method",
        choices=("default", *names()),
        metavar="M",
        help=f"the extraction method: default, {', '.join(names())}",
    )
    reading.add_argument(
        "--site-memory",
        action="store_true",
        help="read all pages twice, and each with what the others of its folder IN share, as those "
        "of one site; files that are named are of one, too",
    )
    reading.add_argument("--url", help="the URL of a page in a file, to resolve its links")
    reading.add_argument(
        "--contact", help="your e-mail address or URL, sent to the site; required for URLs"
    )
    reading.add_argument(
        "--processes", type=positive, metavar="N", help="for several pages (default: the cores)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Raises UsageError."""
    inputs = list(_inputs(arguments.inputs))
    if arguments.site_memory:
        _check_sites(inputs, arguments.method)
    output = _Output.of(arguments, inputs)
    if len(inputs) == 1:
        is_done = output.take(inputs[0], _alone(inputs[0], arguments))
    else:
        try:
            is_done = asyncio.run(_together(inputs, arguments, output))
        except WorkerError as error:
            raise CommandError(str(error)) from error
    return EXIT_FINE if is_done else EXIT_FAILED


def _inputs(given: list[str]) -> Iterator[_Input]:
    """Raises UsageError for a folder without pages, and for a URL that is not alone."""
    for name in given:
        folder = Path(name)
        if "://" in name and len(given) > 1:
            raise UsageError(f"{name}: give one URL alone; to fetch many, crawl them")
        if "://" in name or not folder.is_dir():
            yield _Input(name)
            continue
        named = (path for path in folder.rglob("*") if path.suffix.lower() in _PAGE_SUFFIXES)
        pages = [path for path in named if path.is_file()]
        if not pages:
            raise UsageError(f"{name}: no file in it ends in .html, .htm, .xhtml or .xht")
        yield from (
            _Input(str(page), page.relative_to(folder), str(folder)) for page in sorted(pages)
        )


def _check_sites(inputs: Sequence[_Input], method: str | None) -> None:
    """Raises UsageError if sites cannot be learned, or that would be of no use."""
    if len(inputs) == 1 and inputs[0].path is None:
        raise UsageError("--site-memory is for several pages")
    for source in inputs:
        if not Path(source.name).is_file():
            raise UsageError(f"--site-memory reads pages twice; {source.name} is no file")
    if method is None:  # the default one uses them, and the workers load it
        return
    try:
        uses_sites = getattr(extractor(method), "uses_sites", False)
    except ImportError as error:
        raise UsageError(f"--method {method}: {_reason(error)}") from error
    if not uses_sites:
        raise UsageError(f"--site-memory: {method} reads each page by itself")


class _Output(NamedTuple):
    """Where documents go. folder: None for standard output. format: of the files, or json."""

    command: str
    folder: Path | None
    format: str

    @classmethod
    def of(cls, arguments: argparse.Namespace, inputs: Sequence[_Input]) -> Self:
        """Make the folder. Raises UsageError if it cannot be made, and if several pages would be
        printed or written as one.
        """
        chosen = _JSON if arguments.json else arguments.format
        is_one = len(inputs) == 1 and inputs[0].path is None
        if not is_one and arguments.url:
            raise UsageError("--url is for a single page")
        if not is_one and arguments.out is None and chosen != _JSON:
            raise UsageError("several pages need --out DIR, or --json for one line each")
        output = cls(arguments.prog, arguments.out, chosen)
        output._check_targets(inputs)
        if output.folder is not None:
            make_output_folder(output.folder)
        return output

    def take(self, source: _Input, found: _Found) -> bool:
        """Write a document, or say why there is none; returns whether it was written."""
        try:
            if isinstance(found, Exception):
                raise found
            if not found.text:
                sys.stderr.write(f"{self.command}: {source.name}: no text was found{_why(found)}\n")
            self._write(source, found)
        except (OSError, ImportError, PageRejectedError) as error:
            sys.stderr.write(f"{self.command}: {source.name}: {_reason(error)}\n")
            return False
        return True

    def _write(self, source: _Input, document: Document) -> None:
        """Raises OSError that names the file, also if the page itself would be overwritten."""
        text = document.text + "\n" if document.text else ""
        line = document.to_json() if self.format == _JSON else text.encode("utf-8", "replace")
        target = self._target(source)
        if target is None:
            with standard_output() as out:
                out.buffer.write(line)
            return
        if target.exists() and Path(source.name).exists() and target.samefile(source.name):
            raise OSError(f"{target} is the page itself; choose another folder")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(line)
        except OSError as error:
            raise OSError(f"{target} cannot be written: {error.strerror}") from error

    def _target(self, source: _Input) -> Path | None:
        """The file that a page's document is written to; None for standard output."""
        if self.folder is None:
            return None
        name = source.path or Path(Path(urlsplit(source.name).path).name or "page")
        return (self.folder / name).with_suffix(_SUFFIXES[self.format])

    def _check_targets(self, inputs: Sequence[_Input]) -> None:
        """Raises UsageError for two pages that would be written to the same file."""
        taken: dict[Path, str] = {}
        for source in inputs:
            target = self._target(source)
            if target is not None and taken.setdefault(target, source.name) != source.name:
                raise UsageError(
                    f"{taken[target]} and {source.name} would both be written to {target}; "
                    "extract them into different folders"
                )


def _why(document: Document) -> str:
    """Why a document has no text, and whether rendering its page may help."""
    empty = document.extra.get("empty")
    if empty is None:
        return ""
    hope = "; it may have some in a browser" if empty["rendering_helps"] else ""
    return f" ({empty['reason']}: {empty['detail']}{hope})"


def _reason(error: Exception) -> str:
    if isinstance(error, FileNotFoundError) and (url := url_of_bare(error.filename)):
        return f'{error.strerror}; if it is a URL, write "{url}"'
    if isinstance(error, ModuleNotFoundError):
        return explanation_of(error) or str(error)
    return (isinstance(error, OSError) and error.strerror) or str(error)


def _alone(source: _Input, arguments: argparse.Namespace) -> _Found:
    """A page read in this process. Raises UsageError."""
    reader = PageReader(extraction=_extraction(arguments))
    try:
        page = _page(source, arguments)
        return _document(page, reader.read(_task(page, arguments)), arguments)
    except (OSError, ImportError, PageRejectedError) as error:
        return error


async def _together(
    inputs: Sequence[_Input], arguments: argparse.Namespace, output: _Output
) -> bool:
    """Pages read by worker processes under a time limit; returns whether all could be read."""
    waiting: deque[tuple[_Input, asyncio.Task[_Found]]] = deque()
    is_done = True
    sites: Mapping[str, bytes | None] = {}
    if arguments.site_memory:
        sites = await folder_sites(_pages(inputs, arguments), arguments.processes)
    async with WorkerPool(extraction=_extraction(arguments), size=arguments.processes) as pool:

        async def take_first() -> bool:
            source, task = waiting.popleft()
            return output.take(source, await task)

        for source in watched(inputs, len(inputs), "pages"):
            task = _by_worker(pool, source, arguments, sites.get(source.folder))
            waiting.append((source, asyncio.create_task(task)))
            if len(waiting) > _AHEAD:
                is_done &= await take_first()
        while waiting:
            is_done &= await take_first()
    return is_done


def _pages(inputs: Sequence[_Input], arguments: argparse.Namespace) -> Iterator[FolderPage]:
    """The pages that can be opened, to learn from; the others are told of when they are read."""
    for source in watched(inputs, len(inputs), "pages of sites"):
        try:
            page = _page(source, arguments)
        except OSError:
            continue
        yield FolderPage(source.folder, ContentTask(page.best_html, page.url, ""))


async def _by_worker(
    pool: WorkerPool, source: _Input, arguments: argparse.Namespace, site: bytes | None
) -> _Found:
    try:
        page = _page(source, arguments)
    except OSError as error:
        return error
    found = (await pool.read(replace(_task(page, arguments), site=site))).found
    if isinstance(found, Rejection):
        return PageRejectedError(found)
    return _document(page, found, arguments)


def _task(page: Page, arguments: argparse.Namespace) -> PageTask:
    return replace(PageTask.of(page), genre=arguments.genre, method=arguments.method)


def _document(page: Page, reading: Reading, arguments: argparse.Namespace) -> Document:
    document = reading.document(page)
    if arguments.genre in GENRES:
        document.genre = arguments.genre
    elif arguments.genre:
        document.page_type = arguments.genre
    return document


def _extraction(arguments: argparse.Namespace) -> Extraction:
    """Raises UsageError for options that contradict each other."""
    try:
        return Extraction(
            format="text" if arguments.format == _JSON else arguments.format,
            links=arguments.links,
            images=arguments.images,
            comments=arguments.comments,
            site_memory=False,
        )
    except ValidationError as error:
        raise UsageError("; ".join(f"--{one['msg']}" for one in error.errors())) from error


def _page(source: _Input, arguments: argparse.Namespace) -> Page:
    """Raises OSError if the page cannot be fetched or read, UsageError."""
    if "://" in source.name:
        return _fetched(source.name, arguments)
    is_piped = source.name == _STANDARD_INPUT
    file = Path("/dev/stdin" if is_piped else source.name)
    try:
        url = web_url(arguments.url) if arguments.url else file.absolute().as_uri()
    except ValueError as error:
        raise UsageError(f"--url {arguments.url}: {error}") from error
    # Python sets this if the process was started without standard input, as by a scheduler.
    if is_piped and sys.stdin is None:
        raise OSError("there is no standard input; pipe a page into the command, or name a file")
    with sys.stdin.buffer if is_piped else file.open("rb") as opened:
        html = opened.read(MAX_CHARACTERS + 1)
    if is_binary(html):
        raise OSError("not a page: the content is binary")
    headers = _XHTML_HEADERS if file.suffix.lower() in _XHTML_SUFFIXES else ()
    return Page(Lease.of_none(url), url, 200, headers, html, datetime.now(UTC))


def _fetched(text: str, arguments: argparse.Namespace) -> Page:
    """The page at a URL, by the rules of a crawl. Raises OSError, UsageError."""
    if arguments.url:
        raise UsageError("--url is only for pages that are read from a file")
    try:
        url = web_url(text)
    except ValueError as error:
        raise UsageError(f"{text}: {error}") from error
    politeness = politeness_of(arguments.contact, is_needed=not is_loopback(host_of(url)))
    # Scrapy is needed for URLs alone.
    from crawler.commands.runner import project_settings  # noqa: PLC0415
    from crawler.fetching.single_page import fetch  # noqa: PLC0415

    settings = getattr(arguments, "settings", None) or project_settings({"LOG_LEVEL": "ERROR"})
    return fetch(url, politeness, settings)
