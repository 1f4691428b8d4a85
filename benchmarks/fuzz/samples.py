"""Sound inputs of every format.

Pages, robots.txt and job files are those of the demo site and of ``examples/``; the rest is written
here by the product's own writers, or after the formats' specifications.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import orjson
import zstandard

from crawler.demo.site import Site
from crawler.frontier.url_meta import Kind, UrlMeta
from crawler.recrawl.history import History
from extraction.page_marks import Blocks, PageMarks
from extraction.site_memory import SiteMemory
from pipelines.corpus.frames import frame

_ROOT: Final = Path(__file__).resolve().parents[2]
_MOST_BYTES: Final = 40_000


def pages() -> list[bytes]:
    """The demo site's pages, among them those with wrong encodings and broken markup."""
    site = Site()
    found = (site.resource(path) for path in site.pages)
    html = [one.body[:_MOST_BYTES] for one in found if one and "html" in one.content_type]
    return [*html, b"<!doctype html><title>A</title><p>Words.", b"<p>One<p>Two<table><tr><td>3"]


def heads() -> list[bytes]:
    return [
        b"Content-Type: text/html; charset=utf-8\nRetry-After: 120\nCache-Control: max-age=6",
        b"Location: /new\nContent-Type: text/html\nX-Robots-Tag: otherbot: noai, bot: noindex",
        b'ETag: W/"abc"\nLast-Modified: Fri, 01 May 2026 12:00:00 GMT\nExpires: 0\nDate: now',
        b"Content-Usage: train-ai=n;a=1, search=y\ntdm-reservation: 1\ntdm-policy: //a.test/p",
        b'Link: </l.xml>; rel="license"; type="application/rsl+xml"\nRetry-After: Fri, 1 May 2026',
        b"X-Robots-Tag: unavailable_after: 25 Jun 2030 15:00:00 PST\nContent-Encoding: gzip",
    ]


def streams() -> list[bytes]:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
    return [
        head + b"Content-Length: 9\r\n\r\n<p>Words.",
        head + b"Transfer-Encoding: chunked\r\n\r\n5;a=b\r\n<p>Hi\r\n0\r\nTrailer: a\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" + head + b"\r\n<p>To the end",
        b"HTTP/1.0 301 Moved\r\nLocation: /a\r\nSet-Cookie: a=b\r\n c\r\nContent-Length: 0\r\n\r\n",
    ]


def urls() -> list[bytes]:
    return [
        b"http://www.example.com/a/b?c=d&e=f#g",
        b"HTTPS://user@Example.COM:443/%7Ea/../b;jsessionid=1?utm_source=x",
        "http://bücher.example/straße?q=ä".encode(),
        b"http://[2606:4700::1]:8080/",
        b"//cdn.example.com/a.png",
        b"../other?page=2",
        b"http:\\\\example.com\\path",
    ]


def robots() -> list[bytes]:
    return [
        b"User-agent: *\nDisallow: /private/\nAllow: /private/open\nCrawl-delay: 2\n"
        b"Sitemap: https://www.example.com/sitemap.xml\n",
        b"User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\nUser-agent: genre-crawler\n"
        b"Disallow: /*.pdf$\nDisallow: /a*b*c?\nContent-Signal: search=yes, ai-train=no\n",
        b"\xef\xbb\xbfuser agent *\nallow /a\nLicense: https://a.test/l.xml # RSL\n"
        b"Content-Usage: /a train-ai=n\n",
    ]


def listings() -> list[bytes]:
    sitemap = (
        b"<?xml version='1.0' encoding='UTF-8'?><urlset xmlns='http://www.sitemaps.org/schemas/'>"
        b"<url><loc>http://a.test/?b=1&amp;c=2</loc><lastmod>2026-05-01</lastmod></url>"
        b"<url><loc><![CDATA[http://a.test/d]]></loc></url></urlset>"
    )
    return [
        sitemap,
        b"<sitemapindex><sitemap><loc>http://a.test/s.xml</loc></sitemap></sitemapindex>",
        b"<rss version='2.0'><channel><item><link>http://a.test/e?f&g</link><guid>http://a.test/h"
        b"</guid><pubDate>Fri, 01 May 2026 12:00:00 GMT</pubDate></item></channel></rss>",
        b"<feed xmlns='http://www.w3.org/2005/Atom' xml:base='//a.test/'><entry><link href='i'/>"
        b"<updated>2026-05-01T12:00:00Z</updated></entry></feed>",
        b"http://a.test/1\nhttp://a.test/2\r\n",
        gzip.compress(sitemap, mtime=0),
        sitemap.decode().encode("utf-16"),
    ]


def consent_lines() -> list[bytes]:
    return [
        b"noindex, nofollow\nbot: noai\nunavailable_after: 25 Jun 2030 15:00:00 PST",
        b'train-ai=n, search=y;a="b"\ntrain-ai=(y n);c',
        b'</l.xml>; rel="license"; type="application/rsl+xml"\n1\nhttps://a.test/policy.json',
        b"User-Agent: *\nDisallow: *.txt\nAllow: /\nhttps://creativecommons.org/licenses/by/4.0/",
    ]


def tdmreps() -> list[bytes]:
    return [
        b'[{"location": "/a/*", "tdm-reservation": 1, "tdm-policy": "https://a.test/p.json"},'
        b' {"location": "/", "tdm-reservation": 0}]',
        b'{"location": "*", "tdm-reservation": "1"}',
    ]


def rsls() -> list[bytes]:
    return [
        b"<rsl xmlns='https://rslstandard.org/rsl'><content url='/a/*' server='https://a.test'>"
        b"<license><permits type='usage'>ai-train search</permits><payment type='free'/></license>"
        b"</content></rsl>",
        b"<rsl><content url='/'><license><prohibits type='usage'>all</prohibits></license>"
        b"</content></rsl>",
    ]


def notes() -> list[bytes]:
    meta = UrlMeta(Kind.SITEMAP, 2, ("http://a.test/1", "http://a.test/2"), 2)
    return [meta.text().encode(), UrlMeta(Kind.FEED).text().encode(), b""]


def histories() -> list[bytes]:
    new = History(visited_at=1764000000, first_seen=1763000000, changed_at=1763500000)
    old = replace(
        new, version=3, fingerprint="ab" * 16, etag='W/"a"', events=1.5, exposure=9e5, misses=1
    )
    return [new.text().encode(), old.text().encode()]


def shared_files() -> list[bytes]:
    """As ``crawler.politeness.shared_files`` keeps them, and before they are compressed."""
    head = orjson.dumps([200, {"Cache-Control": "max-age=60", "Date": "now"}, 1764000000.5])
    content = head + b"\nUser-agent: *\nDisallow: /a\n"
    return [zlib.compress(content), zlib.compress(b"[503,{},1e12]\n")]


def _marks(key: int, blocks: int) -> PageMarks:
    hashes = np.arange(blocks, dtype=np.uint32) * np.uint32(2654435761 % 2**31) + np.uint32(key)
    its_blocks = Blocks(hashes, hashes[::-1].copy(), np.ones(blocks, np.float32))
    return PageMarks.of(key, its_blocks, np.linspace(-6, 6, blocks))


def page_marks() -> list[bytes]:
    return [_marks(1, 3).to_bytes(), _marks(2, 100).to_bytes(), _marks(3, 0).to_bytes()]


def site_memories() -> list[bytes]:
    return [
        SiteMemory().to_bytes(),
        SiteMemory([_marks(key, 20 * key) for key in range(1, 6)]).to_bytes(),
    ]


def archives() -> list[bytes]:
    page = b"<!doctype html><title>A</title><p>" + b"Words of a page. " * 20
    kinds: list[tuple[bytes, Callable[[bytes], bytes]]] = [
        (b"", bytes),
        (b"Content-Encoding: gzip\r\n", gzip.compress),
        (b"Content-Encoding: zstd\r\n", zstandard.compress),
        (
            b"Transfer-Encoding: chunked\r\n",
            lambda body: b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body),
        ),
    ]
    records = [
        _record(
            b"response", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n%s\r\n" % line + pack(page)
        )
        for line, pack in kinds
    ]
    records.append(_record(b"conversion", b"Words of a text."))
    plain = b"".join(records)
    packed = b"".join(gzip.compress(one, mtime=0) for one in records)
    return [plain, packed, b"".join(map(zstandard.compress, records))]


def _record(kind: bytes, block: bytes) -> bytes:
    return (
        b"WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: http://a.test/\r\nContent-Length: %d\r\n"
        b"WARC-Date: 2026-05-01T12:00:00Z\r\n\r\n%s\r\n\r\n" % (kind, len(block), block)
    )


def shards() -> list[bytes]:
    line = b'{"id":"1","text":"Words.","metadata":{"fetched_at":"2026-05-01T12:00:00Z"}}\n'
    return [frame([line]) + frame([line, line]), frame([line] * 50), b""]


def manifests() -> list[bytes]:
    entry = (
        b'{"file":"documents/a-0.jsonl.zst","documents":3,"bytes":99,"sha256":"%s","first_time":"",'
        b'"last_time":""}' % (b"0" * 64)
    )
    return [b'{"version":1,"writer":"a","shards":[%s,%s]}' % (entry, entry)]


def block_lists() -> list[bytes]:
    return [b'{"id":"0a1b"}\n{"host":"%s"}\n' % (b"00" * 16), b""]


def jobs() -> list[bytes]:
    return [file.read_bytes() for file in sorted((_ROOT / "examples").glob("*.toml"))] + [
        b'name = "a"\nseeds.urls = ["http://localhost/"]\n[recrawl]\npolicy = "adaptive"\n'
        b'[schedule]\ncron = "5 4 * * 1-5"\ntimezone = "Asia/Tokyo"\n[consent]\npreset = "strict"\n'
    ]


def recipes() -> list[bytes]:
    return [
        b'name = "a"\nlicence = "odc-by"\nvalidation = 0.01\n[[steps]]\nuse = "select"\n'
        b'genres = ["article"]\nmin_words = 100\n[[steps]]\nuse = "exact-duplicates"\n'
        b'[[steps]]\nuse = "sample"\nper_host = 1000\n',
    ]
