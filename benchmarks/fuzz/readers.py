"""All readers, each with samples and tokens of its format; a new reader is a line of the table."""

from __future__ import annotations

from functools import partial
from typing import Final

from benchmarks.fuzz import entries, samples, tokens
from benchmarks.fuzz.reader import Reader
from corpus_commons.markup.encoding import decode
from corpus_commons.markup.error import MarkupError
from crawler.discovery.sitemap_xml import SitemapError
from crawler.exit_codes import StorageError
from crawler.frontier.url_meta import Kind
from crawler.urls import UrlError
from extraction.site_memory import SiteMemoryError
from pipelines.corpus.errors import CorpusError
from pipelines.corpus.manifest import load_manifest
from pipelines.reading.page_reader import PageRejectedError
from settings.problems import JobError

_ALL: Final = (
    Reader(
        name="html",
        made=entries.plain(entries.read_dom),
        samples=samples.pages,
        tokens=tokens.HTML,
        refusals=(MarkupError,),
        seconds=2.0,
    ),
    Reader(
        name="page",
        made=entries.warmed,
        samples=samples.pages,
        tokens=tokens.HTML,
        refusals=(PageRejectedError,),
        seconds=10.0,
        weight=0.1,
    ),
    Reader(
        name="encoding",
        made=entries.plain(decode),
        samples=samples.pages,
        tokens=tokens.HTML,
    ),
    Reader(
        name="http-head",
        made=entries.plain(entries.read_head),
        samples=samples.heads,
        tokens=tokens.HEAD,
    ),
    Reader(
        name="http-stream",
        made=entries.plain(entries.read_stream),
        samples=samples.streams,
        tokens=tokens.HEAD,
    ),
    Reader(
        name="location",
        made=entries.plain(entries.read_location),
        samples=samples.urls,
        tokens=tokens.URL,
        refusals=(UrlError,),
    ),
    Reader(
        name="url",
        made=entries.plain(entries.read_address),
        samples=samples.urls,
        tokens=tokens.URL,
        refusals=(UrlError,),
    ),
    Reader(
        name="robots",
        made=entries.plain(entries.read_robots),
        samples=samples.robots,
        tokens=tokens.ROBOTS,
    ),
    *(
        Reader(
            name=kind.value if kind is not Kind.ROBOTS else "robots-sitemaps",
            made=entries.plain(partial(entries.read_listing, kind)),
            samples=samples.robots if kind is Kind.ROBOTS else samples.listings,
            tokens=tokens.ROBOTS if kind is Kind.ROBOTS else tokens.XML,
            refusals=(SitemapError,),
        )
        for kind in (Kind.SITEMAP, Kind.FEED, Kind.ROBOTS)
    ),
    Reader(
        name="consent",
        made=entries.plain(entries.read_consent),
        samples=samples.consent_lines,
        tokens=tokens.CONSENT,
    ),
    Reader(
        name="tdmrep",
        made=entries.plain(entries.read_tdmrep),
        samples=samples.tdmreps,
        tokens=tokens.JSON,
        refusals=(ValueError,),
    ),
    Reader(
        name="rsl",
        made=entries.plain(entries.read_rsl),
        samples=samples.rsls,
        tokens=tokens.XML,
        refusals=(ValueError,),
    ),
    Reader(
        name="frontier-note",
        made=entries.plain(entries.read_note),
        samples=samples.notes,
        tokens=tokens.JSON,
        refusals=(ValueError,),
    ),
    Reader(
        name="frontier-history",
        made=entries.plain(entries.read_history),
        samples=samples.histories,
        tokens=tokens.JSON,
        refusals=(ValueError,),
    ),
    Reader(
        name="shared-file",
        made=entries.plain(entries.read_shared),
        samples=samples.shared_files,
        tokens=tokens.JSON,
        refusals=(ValueError,),
    ),
    Reader(
        name="site-memory",
        made=entries.plain(entries.read_site_memory),
        samples=samples.site_memories,
        tokens=(),
        refusals=(SiteMemoryError,),
    ),
    Reader(
        name="page-marks",
        made=entries.plain(entries.read_page_marks),
        samples=samples.page_marks,
        tokens=(),
        refusals=(SiteMemoryError,),
    ),
    Reader(
        name="warc",
        made=entries.plain(entries.read_warc),
        samples=samples.archives,
        tokens=tokens.WARC,
        seconds=2.0,
    ),
    Reader(
        name="shard",
        made=entries.in_file(entries.read_shard),
        samples=samples.shards,
        tokens=tokens.SHARD,
        refusals=(CorpusError,),
        weight=0.5,
    ),
    Reader(
        name="manifest",
        made=entries.in_file(load_manifest),
        samples=samples.manifests,
        tokens=tokens.JSON,
        refusals=(CorpusError,),
        weight=0.5,
    ),
    Reader(
        name="block-list",
        made=entries.in_file(entries.read_block_list),
        samples=samples.block_lists,
        tokens=tokens.JSON,
        refusals=(StorageError,),
        weight=0.5,
    ),
    Reader(
        name="job",
        made=entries.in_file(entries.read_job),
        samples=samples.jobs,
        tokens=tokens.TOML,
        refusals=(JobError,),
        weight=0.5,
    ),
    Reader(
        name="recipe",
        made=entries.in_file(entries.read_recipe),
        samples=samples.recipes,
        tokens=tokens.TOML,
        refusals=(JobError,),
        weight=0.5,
    ),
)
READERS: Final = {reader.name: reader for reader in _ALL}
