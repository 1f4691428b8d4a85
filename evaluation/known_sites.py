"""Runs methods that use a site's memory a second time, with the memory of the page's own site.

Two passes: the first extracts every page without a memory, and keeps the marks of the pages; in the
second, every page is extracted with the memory of the other pages of its site that are in the same
set. Which pages these are depends on the set alone, so the results are the same in every run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from evaluation.pages import Selection
from evaluation.results import PageKey, Result
from evaluation.runner import Runner
from evaluation.worker import Memory, Task
from extraction.page_marks import PageMarks

SUFFIX: Final = " + site"


class _Site(NamedTuple):
    set: str
    name: str


class KnownSites:
    """The marks that methods made of pages, by site.

    most: of so many other pages, those with the smallest keys, a memory consists: the ones that a
        ``SiteMemory`` of this capacity keeps.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._site_of: dict[PageKey, _Site] = {}
        self._keys: dict[tuple[PageKey, str], int] = {}
        self._marks: defaultdict[tuple[_Site, str], dict[int, bytes]] = defaultdict(dict)
        self._smallest: dict[tuple[_Site, str], list[int]] = {}

    def add(self, result: Result) -> None:
        """Add a page, if the method made marks of it and its site is known."""
        on_site = result.on_site
        if on_site is None or not on_site.site:
            return
        site = self._site_of[result.page] = _Site(result.page.set, on_site.site)
        if on_site.marks is not None:
            key = PageMarks.from_bytes(on_site.marks).key
            self._keys[result.page, result.method] = key
            self._marks[site, result.method][key] = on_site.marks

    def memory(self, page: PageKey, method: str) -> Memory:
        """The marks of other pages of the page's site. To be called when all pages were added."""
        site = self._site_of.get(page)
        if site is None:
            return ()
        marks = self._marks[site, method]
        if (site, method) not in self._smallest:
            # One more than needed, because the page itself may be among them.
            self._smallest[site, method] = sorted(marks)[: self._most + 1]
        own = self._keys.get((page, method))
        others = [key for key in self._smallest[site, method] if key != own]
        return tuple(marks[key] for key in others[: self._most])


def with_and_without(
    runner: Runner,
    selection: Selection,
    methods: tuple[str, ...],
    users: tuple[str, ...],
    most: int,
) -> Iterator[Result]:
    """The results of the methods, and those of the users of a memory with it, named with SUFFIX."""
    sites = KnownSites(most)
    nothing: Mapping[str, Memory] = dict.fromkeys(users, ())
    for result in runner.run(task._replace(memories=nothing) for task in selection.tasks(methods)):
        sites.add(result)
        yield result
    for result in runner.run(_second(task, sites) for task in selection.tasks(users)):
        yield result._replace(method=result.method + SUFFIX)


def _second(task: Task, sites: KnownSites) -> Task:
    memories = {method: sites.memory(task.page, method) for method in task.methods}
    return task._replace(memories=memories)


def named(methods: tuple[str, ...], users: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the results' methods, in the order of a table.

    >>> named(("bte", "boosted-blocks"), ("boosted-blocks",))
    ('bte', 'boosted-blocks', 'boosted-blocks + site')
    """
    pairs = ((method, method + SUFFIX) if method in users else (method,) for method in methods)
    return tuple(name for pair in pairs for name in pair)
