"""What a page and its response say about the use of the page, read where the page is parsed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Self

from corpus_commons.markup.dom import Dom
from corpus_commons.markup.outline import Outline
from corpus_commons.url_reference import joined
from crawler.consent import aipref, licences, robots_tags, rsl, tdmrep
from crawler.consent.statement import HEADER, PAGE, Statement

# Headers that may say something; only these go to the worker process.
HEADERS: Final = frozenset(
    {aipref.HEADER_NAME, "link", robots_tags.HEADER_NAME, tdmrep.RESERVATION, tdmrep.POLICY}
)
# Pages have some tens of <meta> and <link> elements; this bounds the work on hostile pages.
_MOST: Final = 1_000
_LONGEST: Final = 2_000


@dataclass(frozen=True, slots=True)
class PageSignals:
    """found: the statements. licences: RSL files that the page names, as (where, absolute URL).

    nofollow: whether no link of the page may be followed.
    """

    found: tuple[Statement, ...] = ()
    licences: tuple[tuple[str, str], ...] = ()
    nofollow: bool = False

    def with_licence(self, licence: str | None) -> Self:
        """The same, and what the licence in the page's metadata says. licence: its URL."""
        found = dict.fromkeys((*self.found, *licences.statements(licence)))
        return replace(self, found=tuple(found))

    def also(self, served: PageSignals) -> Self:
        """Of a rendered page, with those of it as it was served: no script takes them back."""
        found = dict.fromkeys((*self.found, *served.found))
        named = dict.fromkeys((*self.licences, *served.licences))
        silent = self.nofollow or served.nofollow
        return replace(self, found=tuple(found), licences=tuple(named), nofollow=silent)

    @classmethod
    def of(
        cls,
        page: Dom | Outline,
        url: str,
        headers: Iterable[tuple[str, str]],
        *,
        agent: str,
        trainers: Collection[str] = (),
    ) -> Self:
        """Read the page at ``url``.

        headers: those in HEADERS. agent: ours, for ``nofollow``. trainers: their agents, whose
        rules count besides ours.
        """
        said = list(headers)
        metas = list(_metas(page))
        by_header = list(robots_tags.rules_of_header(_values(said, robots_tags.HEADER_NAME)))
        by_page = list(robots_tags.rules_of_page(metas))
        agents = {agent, *trainers}
        found = [
            *robots_tags.statements(by_header, agents, HEADER),
            *robots_tags.statements(by_page, agents, PAGE),
            *aipref.of_header(_values(said, aipref.HEADER_NAME)),
            *tdmrep.of_header(dict(reversed(said))),
            *tdmrep.of_page({name.strip().lower(): content for name, content in reversed(metas)}),
        ]
        named = [
            *((HEADER, one) for one in rsl.linked(_values(said, "link"), url)),
            *((PAGE, one) for one in _licences(page, url)),
        ]
        return cls(
            tuple(dict.fromkeys(found)),
            tuple(dict.fromkeys(named))[: rsl.MOST_LICENCES],
            robots_tags.forbids_following([*by_header, *by_page], agent),
        )


def _values(headers: Iterable[tuple[str, str]], wanted: str) -> list[str]:
    return [value[:_LONGEST] for name, value in headers if name == wanted]


def _metas(page: Dom | Outline) -> Iterator[tuple[str, str]]:
    for attributes in islice(page.attributes_of("meta"), _MOST):
        name, content = attributes.get("name"), attributes.get("content")
        if name and content:
            yield name, content[:_LONGEST]


def _licences(page: Dom | Outline, url: str) -> Iterator[str]:
    for attributes in islice(page.attributes_of("link"), _MOST):
        kind, href = attributes.get("type") or "", attributes.get("href") or ""
        relations = (attributes.get("rel") or "").lower().split()
        if "license" in relations and kind.lower().startswith(rsl.MEDIA_TYPE) and href:
            yield joined(url, href[:_LONGEST])
