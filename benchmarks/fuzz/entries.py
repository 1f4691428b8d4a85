"""Where inputs enter the product: its own functions, each as one that takes bytes."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

from protego import Protego
from scrapy import Request
from scrapy.http import HtmlResponse
from twisted.internet.testing import StringTransport
from twisted.web._newclient import Request as TwistedRequest
from twisted.web.http_headers import Headers

from corpus_commons.markup.dom import parse
from crawler.consent import ai_txt, aipref, content_signals, licences, robots_tags, rsl, tdmrep
from crawler.consent.page_signals import PageSignals
from crawler.discovery.block_list import BlockList
from crawler.discovery.links import links_of
from crawler.discovery.page_scan import ScanRules, ScanTask
from crawler.discovery.sitemaps import read_sitemap
from crawler.fetching.resource_limits import BoundedClientProtocol
from crawler.fetching.responses import judge, media_type
from crawler.frontier.url_meta import Kind, UrlMeta
from crawler.html import Html
from crawler.items import header_pairs
from crawler.politeness.lifetime import age, lifetime
from crawler.politeness.retry_after import retry_after
from crawler.politeness.robots_file import (
    RulesCache,
    before_groups,
    group_for,
    named_groups,
    text_of,
)
from crawler.politeness.robots_file import licences as licences_of
from crawler.politeness.shared_files import kept_response
from crawler.recrawl.history import History
from crawler.recrawl.validators import etag_of, last_modified_of, lifetime_of
from crawler.urls import UrlError, address, moved_to
from extraction.page_marks import PageMarks
from extraction.site_memory import SiteMemory
from pipelines.corpus.errors import ShardDamagedError
from pipelines.corpus.folder import parsed
from pipelines.corpus.frames import read_lines, survey
from pipelines.metadata.page_metadata import page_metadata
from pipelines.reading.page_reader import PageReader, PageTask
from refinery.recipe.loading import parse_recipe
from refinery.warc.records import records
from settings.loading import file_text, parse_job

NOW: Final = datetime(2026, 5, 1, 12, tzinfo=UTC)
URL: Final = "https://www.example.com/a/page?b=1"
_TYPES: Final = ("text/html", "application/xhtml+xml")
_AGENTS: Final = ("GPTBot", "CCBot", "Google-Extended")
_SCAN: Final = ScanTask(ScanRules(agent="bot", trainers=_AGENTS))

Read = Callable[[bytes], object]


def read_dom(data: bytes) -> object:
    """The tree, links, scan, metadata and what the page says of its use."""
    dom = parse(data)
    links_of(dom, URL)
    page_metadata(dom, url=URL, fetched_at=NOW)
    return _SCAN.scan(dom, URL, "utf-8")


@cache
def _page_reader() -> PageReader:
    reader = PageReader()
    reader.warm()
    return reader


def _page(data: bytes) -> object:
    """All that a crawl takes from a page: kind, main content, metadata, language."""
    return _page_reader().read(PageTask(Html(data), URL, NOW, scan=_SCAN))


def _fields(data: bytes) -> list[tuple[str, str]]:
    """The header fields in an input: a line each."""
    pairs = (line.partition(b":") for line in data.split(b"\n"))
    return [
        (name.decode("latin-1").strip(), value.decode("latin-1").strip())
        for name, colon, value in pairs
        if colon
    ]


def read_head(data: bytes) -> object:
    """What is taken from the header fields of a response."""
    found: dict[str, list[str]] = {}
    for name, value in _fields(data):
        found.setdefault(name, []).append(value)
    headers: Any = {name.encode("latin-1"): value for name, value in found.items() if name}
    response = HtmlResponse(URL, headers=headers, body=b"<p>Words", request=Request(URL))
    judge(response, _TYPES, now=NOW)
    media_type(response.headers)
    retry_after(response, NOW)
    lifetime(response)
    age(response)
    pairs = header_pairs(response.headers)
    first = dict(reversed(pairs))
    etag_of(first)
    last_modified_of(first, NOW.timestamp())
    lifetime_of(first)
    dom = parse(b"<p>Words")
    return PageSignals.of(dom, URL, pairs, agent="bot", trainers=_AGENTS)


def read_stream(data: bytes) -> object:
    """The bytes of a connection, as they come from a server."""
    protocol = BoundedClientProtocol()  # type: ignore[no-untyped-call]
    protocol.makeConnection(StringTransport())  # type: ignore[no-untyped-call]
    fields = Headers({b"Host": [b"a"]})
    request = TwistedRequest(b"GET", b"/", fields, None, False)  # type: ignore[no-untyped-call]
    answered = protocol.request(request)
    answered.addErrback(lambda _: None)
    for at in range(0, len(data), 4096):
        protocol.dataReceived(data[at : at + 4096])
        if protocol.transport is None or protocol.transport.disconnecting:
            break
    return protocol.state


def read_location(data: bytes) -> object:
    return moved_to(URL, data)


def read_address(data: bytes) -> object:
    return address(data.decode("utf-8", "replace"))


def read_robots(data: bytes) -> object:
    """The rules of our group and of trainers', asked for some URLs."""
    text = text_of(data)
    group = group_for("genre-crawler", text)
    found: list[object] = [before_groups(text), licences_of(text)]
    rules = RulesCache().of(group)
    found += [rules.can_fetch(url, "*") for url in (URL, "https://www.example.com/")]
    found.append(rules.crawl_delay("*"))
    for _, lines in named_groups(_AGENTS, text):
        found.append(Protego.parse(lines).can_fetch(URL, "*"))
        found += content_signals.statements(lines, URL, "/robots.txt")
        found += aipref.of_robots(lines, URL, "/robots.txt")
    return found


def read_listing(kind: Kind, data: bytes) -> object:
    found = read_sitemap(kind, data, URL)
    for url in (*found.pages, *found.sitemaps)[:100]:
        try:
            address(url)
        except UrlError:
            continue
    return found


def read_consent(data: bytes) -> object:
    """Headers, meta elements and licences, line by line."""
    lines = text_of(data).splitlines()
    found: list[object] = list(aipref.of_header(lines))
    found += robots_tags.statements(robots_tags.rules_of_header(lines), {"bot", *_AGENTS}, "header")
    metas = [("robots", line) for line in lines]
    found += robots_tags.statements(robots_tags.rules_of_page(metas), {"bot"}, "page")
    found += rsl.linked(lines, URL)
    for line in lines[:50]:
        found += tdmrep.of_header({tdmrep.RESERVATION: line, tdmrep.POLICY: line})
        found += licences.statements(line)
    found += ai_txt.of_rules(Protego.parse("\n".join(lines)), URL, "bot")
    return found


def read_tdmrep(data: bytes) -> object:
    return tdmrep.of_file(tdmrep.rules_of(text_of(data)), URL)


def read_rsl(data: bytes) -> object:
    return rsl.statements(rsl.contents_of(text_of(data)), URL, "/robots.txt", URL)


def read_note(data: bytes) -> object:
    return UrlMeta.read(data.decode("utf-8", "replace")).text()


def read_history(data: bytes) -> object:
    return History.read(data.decode("utf-8", "replace")).text()


def read_shared(data: bytes) -> object:
    """A host's file that another worker has put into Redis."""
    return kept_response(data, URL)


def read_site_memory(data: bytes) -> object:
    memory = SiteMemory.from_bytes(data)
    return memory.to_bytes()


def read_page_marks(data: bytes) -> object:
    return PageMarks.from_bytes(data).to_bytes()


def read_warc(data: bytes) -> object:
    return list(records(io.BytesIO(data)))


def in_file(read: Callable[[Path], object]) -> Callable[[], Read]:
    """For what reads files: the input is written to one, in memory where that is possible."""

    def made() -> Read:
        memory = Path("/dev/shm")  # noqa: S108 - a folder with an unguessable name in it
        parent = memory if memory.is_dir() else None
        folder = tempfile.TemporaryDirectory(prefix="fuzz-", dir=parent)

        def given(data: bytes) -> object:
            path = Path(folder.name, "input")
            path.write_bytes(data)
            return read(path)

        return given

    return made


def read_shard(path: Path) -> None:
    for size in (survey(path).whole, 1 << 30):
        for line in read_lines(path, size):
            try:
                parsed(line)
            except ValueError as error:
                raise ShardDamagedError(str(error)) from error


def read_job(path: Path) -> object:
    return parse_job(file_text(path))


def read_recipe(path: Path) -> object:
    return parse_recipe(file_text(path))


def read_block_list(path: Path) -> object:
    path.replace(path.with_name("blocked.jsonl"))
    return BlockList.read(path.parent)


def warmed() -> Read:
    _page_reader()
    return _page
