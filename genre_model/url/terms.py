"""The terms of a URL: its words, by where they stand, and whether it leads to a front page.

Left out is what tells when and with which software a site was made, rather than what a page is:
numbers, the end of file names, the query, the domain and its ending, how long names are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final
from urllib.parse import unquote, urlsplit

from corpus_commons.markup.sites import subdomain

_SCHEMES: Final = ("http", "https")
_MAX_CHARACTERS: Final = 2_000
_WORD: Final = re.compile(r"[^\W\d_]+")
_EXTENSION: Final = re.compile(r"\.[a-z0-9]{1,5}$")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
# Words of two letters are mostly languages and countries.
_LETTERS_OF_CODES: Final = 2


def terms(url: str) -> frozenset[str]:
    """Its terms; none if it is no URL of the web.

    >>> sorted(terms("https://forum.example.org/wiki-talk/viewtopic.php?t=7"))
    ['end viewtopic', 'folder wiki-talk', 'host forum', 'in talk', 'in viewtopic', 'in wiki']
    >>> sorted(terms("https://www.example.org/")), sorted(terms("http://example.org/2026/11/7"))
    (['front page'], ['folder of a year'])
    """
    beginning = url[:_MAX_CHARACTERS]
    try:
        parts = urlsplit(beginning)
        host = subdomain(beginning)
    except ValueError:
        return frozenset()
    if parts.scheme not in _SCHEMES:
        return frozenset()
    names = [unquote(name).lower() for name in parts.path.split("/") if name]
    return frozenset((*_of_host(host), *_of_path(names)))


def _of_host(host: str) -> Iterator[str]:
    return (f"host {word}" for word in _words(host) if word != "www")


def _of_path(names: Sequence[str]) -> Iterator[str]:
    if not names:
        yield "front page"
        return
    *folders, last = names
    for folder in folders:
        if _YEAR.fullmatch(folder):
            yield "folder of a year"
        elif _words(folder):
            yield f"folder {folder}"
    end = _words(_EXTENSION.sub("", last))
    yield from (f"end {word}" for word in end)
    yield from (f"in {word}" for word in chain(end, *map(_words, folders)))


def _words(name: str) -> list[str]:
    return [word for word in _WORD.findall(name.lower()) if len(word) != _LETTERS_OF_CODES]
