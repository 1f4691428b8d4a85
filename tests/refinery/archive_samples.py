"""WARC files and pages for the tests of the refinery."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from pathlib import Path

import zstandard

SENTENCES = (
    "Along this coast fog came often, and a light alone did not suffice to warn the ships.",
    "The keepers rang a bell by hand until a steam whistle was built beside the tower in 1871.",
    "Its sound carried four miles on a still day, and hardly one against a western gale.",
    "Captains learned the rhythm of each station, and found their way by ear along the shore.",
    "When radio came, the whistles fell silent one by one, and gulls took the empty houses.",
    "Some were kept by people who missed the sound, and are blown on the first of May.",
)


def html(title: str = "Fog signals", about: str = "", sentences: Iterable[str] = SENTENCES) -> str:
    paragraphs = "".join(f"<p>{sentence} {about}</p>" for sentence in sentences)
    return (
        f'<!doctype html><html lang="en"><head><title>{title}</title></head><body><nav><ul>'
        '<li><a href="/a">Home</a></li><li><a href="/b">Contact</a></li></ul></nav>'
        f"<main><article><h1>{title}</h1>{paragraphs}</article></main></body></html>"
    )


def response(
    url: str,
    body: bytes | str,
    *,
    content_type: str = "text/html; charset=utf-8",
    headers: str = "",
    status: str = "200 OK",
    version: str = "1.1",
    length: int | None = None,
) -> bytes:
    """A record. length: what it says its length is, if that is wrong."""
    content = body.encode() if isinstance(body, str) else body
    block = f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\n{headers}\r\n".encode() + content
    return record("response", url, block, version=version, length=length)


def rendered(url: str, body: str, of: str = "urn:uuid:1") -> bytes:
    """The record of a page after its scripts ran. of: the record to which it refers."""
    headers = f"Content-Type: text/html; charset=utf-8\r\nWARC-Refers-To: <{of}>\r\n"
    return record("conversion", url, body.encode(), headers=headers)


def record(
    kind: str,
    url: str,
    block: bytes,
    *,
    version: str = "1.1",
    headers: str = "",
    length: int | None = None,
) -> bytes:
    head = (
        f"WARC/{version}\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\n{headers}"
        "WARC-Date: 2026-05-01T12:00:00Z\r\nWARC-Record-ID: <urn:uuid:1>\r\n"
        f"Content-Length: {len(block) if length is None else length}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def gzipped(*parts: bytes) -> bytes:
    """Each part in a member of its own, as archives are."""
    return b"".join(gzip.compress(part, mtime=0) for part in parts)


def zstandards(*parts: bytes) -> bytes:
    return b"".join(zstandard.compress(part) for part in parts)


def archive(path: Path, pages: int, *, host: str = "example.org") -> Path:
    """A WARC file of pages, each of its own text."""
    path.write_bytes(
        gzipped(
            *(
                response(
                    f"http://{host}/{number}",
                    html(f"Fog signal {number}", f"Station {number} of {host} is one of them."),
                )
                for number in range(pages)
            )
        )
    )
    return path
