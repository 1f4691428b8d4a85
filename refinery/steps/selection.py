"""``select``: which documents are wanted, by their metadata."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from datetime import date
from typing import Annotated, Literal

from datatrove.data import Document
from pydantic import AfterValidator, Field

from corpus_commons.kinds import Genre, PageType
from corpus_commons.markup.words import count_words
from refinery.blocks.documents import host_of
from refinery.steps.base import GivenFile, Judge, Step, Task
from settings.addresses import host_name
from settings.values import Domain, Finding, Kind, Language, Many


def _checked_date(text: str) -> str:
    """Raises ValueError for a day or month that no calendar has."""
    if len(text) not in (4, 7, 10):
        raise ValueError("not of the form YYYY-MM-DD")
    date.fromisoformat(_first(text))
    return text


_Share = Annotated[float, Field(ge=0, le=1)]
_Date = Annotated[
    str,
    AfterValidator(_checked_date),
    Kind("date", 'a day, month or year such as "2024-05-01", "2024-05" or "2024"'),
]
_Count = Annotated[int, Field(ge=0)]


class Select(Step):
    """Keeps documents by their metadata: all of what is given must hold."""

    use: Literal["select"] = "select"
    """The step's name."""
    genres: Many[Genre] = ()
    """Genres that are kept; if empty, all are."""
    page_types: Many[PageType] = ()
    """Page types that are kept; if empty, all are."""
    languages: Many[Language] = ()
    """Languages that are kept; if empty, all are."""
    min_language_probability: _Share = 0
    """How sure the language must be."""
    min_confidence: _Share = 0
    """The extractor's own estimate of the text's quality; documents without one are dropped, unless
    it is 0."""
    min_words: _Count = 0
    """The fewest words of a document."""
    max_words: Annotated[int, Field(ge=1)] | None = None
    """The most words of a document."""
    published_from: _Date | None = None
    """The first day of publication, such as 2024-05-01, or the first month or year. Documents
    without a date are dropped, and so are those of a month or year that began before."""
    published_until: _Date | None = None
    """The last day of publication, or the last month or year. Documents of a month or year that
    ends later are dropped."""
    licences: Many[str] = ()
    """Licences that are kept: URLs, or how they begin, such as
    `https://creativecommons.org/licenses/by/`; if empty, also pages that declare none are kept."""
    hosts: Many[Domain] = ()
    """Hosts that are kept, with their subdomains; if empty, all are."""
    without_hosts: Many[Domain] = ()
    """Hosts that are dropped, with their subdomains."""
    without_hosts_file: GivenFile | None = None
    """A file with more of them, one a line; what follows a `#` is a comment."""

    def contradictions(self) -> Iterator[Finding]:
        if self.max_words is not None and self.max_words < self.min_words:
            yield ("max_words",), f"is {self.max_words}; it must be at least min_words"
        for place, word in self._listed_words():
            try:
                host_name(word)
            except ValueError as error:
                yield ("without_hosts_file",), f"has {word[:80]!r} in {place}, which {error}"

    def judge(self, task: Task) -> Judge:
        checks = list(self._checks())

        def judge(_: int, document: Document) -> str | None:
            return next((reason for reason, is_kept in checks if not is_kept(document)), None)

        return judge

    def _checks(self) -> Iterator[tuple[str, Callable[[Document], bool]]]:
        for key, allowed in (
            ("genre", self.genres),
            ("page_type", self.page_types),
            ("language", self.languages),
        ):
            if allowed:
                yield key.replace("_", "-"), _among(key, frozenset(allowed))
        for key, least in (
            ("language_probability", self.min_language_probability),
            ("extractor_confidence", self.min_confidence),
        ):
            if least:
                yield key.replace("_", "-"), _at_least(key, least)
        if self.min_words or self.max_words is not None:
            yield "length", self._has_length
        if self.published_from or self.published_until:
            yield "date", self._is_of_its_time
        if self.licences:
            yield "licence", lambda one: _text(one, "licence").startswith(self.licences)
        if self.hosts:
            wanted = frozenset(self.hosts)
            yield "host", lambda one: _is_within(host_of(one), wanted)
        listed = (host_name(word) for _, word in self._listed_words())
        unwanted = frozenset((*self.without_hosts, *listed))
        if unwanted:
            yield "host", lambda one: not _is_within(host_of(one), unwanted)

    def _has_length(self, document: Document) -> bool:
        words = count_words(document.text)
        return words >= self.min_words and (self.max_words is None or words <= self.max_words)

    def _is_of_its_time(self, document: Document) -> bool:
        day = _text(document, "published")[:10]
        after = self.published_from is None or _first(day) >= _first(self.published_from)
        before = self.published_until is None or _last(day) <= _last(self.published_until)
        return bool(day) and after and before

    def _listed_words(self) -> Iterator[tuple[str, str]]:
        """The words of the file of hosts, without comments, each with its place."""
        if self.without_hosts_file is None:
            return
        with self.without_hosts_file.open(encoding="utf-8-sig", errors="replace") as lines:
            for number, line in enumerate(lines, start=1):
                for word in line.partition("#")[0].split():
                    yield f"{self.without_hosts_file}:{number}", word


def _first(text: str) -> str:
    """The first day of a month or year; a day as it is."""
    return text + "0000-01-01"[len(text) :]


def _last(text: str) -> str:
    """A string that no day of a month or year is after; a day as it is."""
    return text + "0000-12-31"[len(text) :]


def _text(document: Document, key: str) -> str:
    return document.metadata.get(key) or ""


def _among(key: str, allowed: frozenset[str]) -> Callable[[Document], bool]:
    return lambda document: document.metadata.get(key) in allowed


def _at_least(key: str, least: float) -> Callable[[Document], bool]:
    return lambda document: (document.metadata.get(key) or 0) >= least


def _is_within(host: str, domains: Collection[str]) -> bool:
    """Whether a host is one of the domains, or in one of them.

    >>> domains = {"example.com"}
    >>> _is_within("www.example.com", domains), _is_within("notexample.com", domains)
    (True, False)
    """
    labels = host.split(".")
    return any(".".join(labels[start:]) in domains for start in range(len(labels)))
