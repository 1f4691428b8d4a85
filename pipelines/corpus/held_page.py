"""A held page: it was read, and waits to be read again with other pages of its site."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final, NamedTuple, Self

import orjson
import zstandard

from crawler.html import Html
from crawler.items import Document, timestamp
from crawler.lease import Lease
from pipelines.corpus.errors import DamagedError
from pipelines.reading.content import ContentTask

# Pages have at most 10 MB, unless the job says otherwise.
_MOST_BYTES: Final = 2 * 1024**3
# The fields of ``Html`` beside its content.
_READ_BY: Final = ("charset", "is_xhtml", "is_rendered")

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class HeldPage:
    """document: from the first reading, without the site. task: for the second one.

    lease: it came by. headers: of its response, those that matter for its next visit.
    """

    document: Document
    task: ContentTask
    lease: Lease
    headers: Headers = ()


class HeldRow(NamedTuple):
    """A held page as it is stored.

    place: by it a site's pages are sorted: the nearest to a seed first, then the earliest.
    document: its line, and html, compressed. task: the rest of it, as JSON.
    key, marks: for the memory of its site.
    """

    id: str
    host: str
    place: str
    document: bytes
    html: bytes
    task: bytes
    key: bytes
    marks: bytes

    @classmethod
    def of(cls, page: HeldPage, host: str, key: bytes, marks: bytes) -> Self:
        task, document = page.task, page.document
        html = task.html
        rest = {
            "url": task.url,
            "method": task.method,
            "kind": task.kind,
            **{name: getattr(html, name) for name in _READ_BY},
            "is_text": isinstance(html.content, str),
            "lease": asdict(page.lease),
            "headers": page.headers,
        }
        return cls(
            document.id,
            host,
            f"{document.depth:09} {timestamp(document.fetched_at)}",
            zstandard.compress(document.to_json()),
            zstandard.compress(_bytes_of(html)),
            orjson.dumps(rest),
            key,
            marks,
        )

    @property
    def size(self) -> int:
        """In bytes."""
        return sum(map(len, self))

    def page(self) -> HeldPage:
        rest = orjson.loads(self.task)
        content = unpacked(self.html)
        text = content.decode("utf-8", "surrogatepass") if rest.pop("is_text") else content
        # The first releases had not all of them.
        html = Html(text, **{name: rest.pop(name) for name in _READ_BY if name in rest})
        document = Document.from_json(unpacked(self.document))
        # Earlier releases wrote neither; then no page was visited again.
        came_by = rest.pop("lease", None)
        url = document.requested_url or document.url
        lease = Lease(**came_by) if came_by else Lease.of_none(url)
        headers = tuple((name, value) for name, value in rest.pop("headers", ()))
        return HeldPage(document, ContentTask(html, **rest), lease, headers)


def _bytes_of(html: Html) -> bytes:
    content = html.content
    return content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content


def unpacked(content: bytes) -> bytes:
    """Raises DamagedError if it is not compressed, or larger than any page."""
    try:
        if zstandard.frame_content_size(content) > _MOST_BYTES:
            raise DamagedError(f"a held page has more than {_MOST_BYTES:,} bytes")
        return zstandard.decompress(content)
    except zstandard.ZstdError as error:
        raise DamagedError(f"a held page does not decompress: {error}") from error
