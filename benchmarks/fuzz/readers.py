"""All readers, each with samples and tokens of its format; a new reader is a line of the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.fuzz import entries, samples, tokens
from benchmarks.fuzz.reader import Reader
from corpus_commons.markup.encoding import decode
from corpus_commons.markup.error import MarkupError
from crawler.discovery.sitemap_xml import SitemapError
from crawler.exit_codes import StorageError
from crawler.frontier.url_meta import Kind
from crawler.urls import UrlError
from extraction.page_marks import SiteMemoryError
from pipelines.corpus.errors import CorpusError
from pipelines.corpus.manifest import load_manifest
from pipelines.reading.page_reader import PageRejectedError
from settings.problems import JobError

Samples = Callable[[], Sequence[bytes]]


def _plain(
    name: str,
    read: Callable[[bytes], object],
    sound: Samples,
    made_of: Sequence[bytes],
    *refusals: type[Exception],
    seconds: float = 1.0,
) -> Reader:
    return Reader(
        name=name,
        made=lambda: read,
        samples=sound,
        tokens=made_of,
        refusals=refusals,
        seconds=seconds,
    )


def _of_files(
    name: str,
    read: Callable[[Path], object],
    sound: Samples,
    made_of: Sequence[bytes],
    *refusals: type[Exception],
) -> Reader:
    return Reader(
        name=name,
        made=entries.in_file(read),
        samples=sound,
        tokens=made_of,
        refusals=refusals,
        weight=0.5,
    )


def _of_listings(name: str, kind: Kind, sound: Samples, made_of: Sequence[bytes]) -> Reader:
    return _plain(name, partial(entries.read_listing, kind), sound, made_of, SitemapError)


_PAGE: Final = Reader(
    name="page",
    made=entries.warmed,
    samples=samples.pages,
    tokens=tokens.HTML,
    refusals=(PageRejectedError,),
    seconds=10.0,
    weight=0.1,
)
_ALL: Final = (
    _plain("html", entries.read_dom, samples.pages, tokens.HTML, MarkupError, seconds=2.0),
    _PAGE,
    _plain("encoding", decode, samples.pages, tokens.HTML),
    _plain("http-head", entries.read_head, samples.heads, tokens.HEAD),
    _plain("http-stream", entries.read_stream, samples.streams, tokens.HEAD),
    _plain("location", entries.read_location, samples.urls, tokens.URL, UrlError),
    _plain("url", entries.read_address, samples.urls, tokens.URL, UrlError),
    _plain("robots", entries.read_robots, samples.robots, tokens.ROBOTS),
    _of_listings("sitemap", Kind.SITEMAP, samples.listings, tokens.XML),
    _of_listings("feed", Kind.FEED, samples.listings, tokens.XML),
    _of_listings("robots-sitemaps", Kind.ROBOTS, samples.robots, tokens.ROBOTS),
    _plain("consent", entries.read_consent, samples.consent_lines, tokens.CONSENT),
    _plain("tdmrep", entries.read_tdmrep, samples.tdmreps, tokens.JSON, ValueError),
    _plain("rsl", entries.read_rsl, samples.rsls, tokens.XML, ValueError),
    _plain("frontier-note", entries.read_note, samples.notes, tokens.JSON, ValueError),
    _plain("frontier-history", entries.read_history, samples.histories, tokens.JSON, ValueError),
    _plain("shared-file", entries.read_shared, samples.shared_files, tokens.JSON, ValueError),
    _plain("site-memory", entries.read_site_memory, samples.site_memories, (), SiteMemoryError),
    _plain("page-marks", entries.read_page_marks, samples.page_marks, (), SiteMemoryError),
    _plain("warc", entries.read_warc, samples.archives, tokens.WARC, seconds=2.0),
    _of_files("shard", entries.read_shard, samples.shards, tokens.SHARD, CorpusError),
    _of_files("manifest", load_manifest, samples.manifests, tokens.JSON, CorpusError),
    _of_files(
        "block-list", entries.read_block_list, samples.block_lists, tokens.JSON, StorageError
    ),
    _of_files("job", entries.read_job, samples.jobs, tokens.TOML, JobError),
    _of_files("recipe", entries.read_recipe, samples.recipes, tokens.TOML, JobError),
)
READERS: Final = {reader.name: reader for reader in _ALL}
