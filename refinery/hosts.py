"""The host of a document, by which data sets are sampled, split and sorted."""

from __future__ import annotations

from collections.abc import Collection

from datatrove.data import Document

from crawler.urls import host_if_any


def host_of(document: Document) -> str:
    """The host of a document's URL, in lower case; empty if it has none."""
    return host_if_any(document.metadata.get("url") or "")


def is_within(host: str, domains: Collection[str]) -> bool:
    """Whether a host is one of the domains, or in one of them.

    >>> is_within("www.example.com", {"example.com"}), is_within("notexample.com", {"example.com"})
    (True, False)
    """
    labels = host.split(".")
    return any(".".join(labels[start:]) in domains for start in range(len(labels)))
