"""What is to be forgotten, or not any more: pages by URL or id, and whole hosts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from crawler.discovery.block_list import host_digest
from crawler.items import document_id
from crawler.urls import UrlError, address, host_key

_HOST: Final = re.compile(r"[^\s/?#@:,;]+|\[[0-9a-fA-F:.]+\]")
_ID: Final = re.compile(r"[0-9a-f]{32}")
# A mistake in an id must not make it a host.
_LIKE_AN_ID: Final = re.compile(r"[0-9a-fA-F]{16,}")


@dataclass(frozen=True, slots=True)
class Wanted:
    """ids: of documents. hosts: of their URLs, before or after redirects."""

    ids: frozenset[str]
    hosts: frozenset[str]

    @classmethod
    def of(
        cls, urls: Iterable[str] = (), hosts: Iterable[str] = (), ids: Iterable[str] = ()
    ) -> Self:
        """Raises ValueError for what is no URL, host or id."""
        known = {_id_of(url) for url in urls} | {_checked_id(name) for name in ids}
        return cls(frozenset(known), frozenset(map(_host_of, hosts)))

    @classmethod
    def of_word(cls, word: str) -> Self:
        """What has ``://`` is a URL, nothing but many hexadecimal digits are an id, all else is a
        host. Raises ValueError as ``of``.

        >>> Wanted.of_word("example.org").hosts
        frozenset({'example.org'})
        """
        if "://" in word:
            return cls.of(urls=[word])
        return cls.of(ids=[word]) if _LIKE_AN_ID.fullmatch(word) else cls.of(hosts=[word])

    def union(self, other: Self) -> Self:
        return replace(self, ids=self.ids | other.ids, hosts=self.hosts | other.hosts)

    @property
    def digests(self) -> frozenset[str]:
        """As they are on a block list."""
        return self.ids.union(map(host_digest, self.hosts))

    def has(self, name: str, *urls: object) -> bool:
        """Whether a document of this id and these URLs is wanted; what is no URL is passed over."""
        return name in self.ids or any(self.has_url(url) for url in urls if isinstance(url, str))

    def has_url(self, url: str) -> bool:
        if document_id(url) in self.ids:
            return True
        try:
            return bool(self.hosts) and host_key(url) in self.hosts
        except UrlError:
            return False

    def has_document(self, document: Mapping[str, Any]) -> bool:
        """Whether a line of a shard is wanted."""
        metadata = document["metadata"]
        return self.has(document["id"], metadata.get("url"), metadata.get("requested_url"))


def _id_of(url: str) -> str:
    try:
        address(url)
    except UrlError as error:
        raise ValueError(f"{url!r} cannot be used as a URL: {error}") from error
    return document_id(url)


def is_id(name: str) -> bool:
    """Whether it is an id that this program has made, and so may be part of a path."""
    return _ID.fullmatch(name) is not None


def _checked_id(name: str) -> str:
    if not is_id(name):
        raise ValueError(f"{name!r} is no id, which has 32 hexadecimal digits in lower case")
    return name


def _host_of(host: str) -> str:
    # An address without its scheme must not be taken for its whole host.
    if _HOST.fullmatch(host):
        with suppress(UrlError):
            return host_key(f"https://{host}/")
    raise ValueError(
        f"{host!r} is no name of a host, such as www.example.org; of a page, give the whole URL"
    )
