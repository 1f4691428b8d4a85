"""Checks for contradictions between values that are valid by themselves.

The checks skip tables that are missing because they are invalid, so that all problems of a job are
reported together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from settings.addresses import contact_host, host_of, is_loopback, is_reserved, is_under
from settings.lines import Path
from settings.seed_files import seed_lines
from settings.tables.extraction import Extraction
from settings.tables.politeness import Politeness
from settings.tables.rendering import Rendering
from settings.tables.scope import Scope
from settings.tables.seeds import Seeds
from settings.values import Table

Finding = tuple[Path, str]


def contradictions(tables: Mapping[str, Table]) -> list[Finding]:
    """For each contradiction, the key that should be changed and what is wrong with it."""
    seeds, scope = tables.get("seeds"), tables.get("scope")
    politeness, rendering = tables.get("politeness"), tables.get("rendering")
    extraction = tables.get("extraction")
    found: list[Finding] = []
    if isinstance(seeds, Seeds):
        found += _no_seeds(seeds)
        if isinstance(scope, Scope):
            found += _seeds_out_of_scope(seeds, scope)
            if isinstance(politeness, Politeness):
                found += _anonymous(seeds, scope, politeness)
    if isinstance(rendering, Rendering):
        found += _settling_too_long(rendering)
    if isinstance(extraction, Extraction):
        found += _shown_nowhere(extraction)
    return found


def _no_seeds(seeds: Seeds) -> Iterator[Finding]:
    if seeds.is_empty():
        yield ("seeds",), 'has no seeds; add one, such as urls = ["https://example.com/"]'
    elif next(seeds.hosts(), None) is None:
        problems = filter(None, (line.problem() for line in seed_lines(seeds.files)))
        why = next(problems, f"write one URL per line into {seeds.files[0]}")
        yield ("seeds", "files"), f"has no usable URL: {why}"


def _seeds_out_of_scope(seeds: Seeds, scope: Scope) -> Iterator[Finding]:
    for at, url in enumerate(seeds.urls):
        host, path = host_of(url), ("seeds", "urls", at)
        banned = next((name for name in scope.exclude_domains if is_under(host, name)), None)
        if banned:
            yield path, f'is "{url}", which "{banned}" in scope.exclude_domains excludes'
        elif scope.domains and not any(is_under(host, name) for name in scope.domains):
            yield path, f'is "{url}", outside scope.domains; add "{host}" there'


def _anonymous(seeds: Seeds, scope: Scope, politeness: Politeness) -> Iterator[Finding]:
    """Loopback addresses need no contact; reserved names may have one that does not exist."""
    path = ("politeness", "contact")
    if politeness.contact is None:
        elsewhere = _elsewhere(seeds, scope)
        if elsewhere:
            yield (
                path,
                f"is missing, but it is required for all but loopback addresses: {elsewhere}; "
                'add an e-mail address or URL, such as contact = "you@your-site.com"',
            )
    elif is_reserved(contact_host(politeness.contact)) and not all(
        is_loopback(host) or is_reserved(host) for _, host in _hosts(seeds, scope)
    ):
        yield (
            path,
            f'is "{politeness.contact}", a reserved name where nobody can be reached; '
            "give an address where site owners can reach you",
        )


def _elsewhere(seeds: Seeds, scope: Scope) -> str | None:
    """What in the job leads to other machines; None if nothing does."""
    if scope.stay_on == "any" and not scope.domains:
        return 'scope.stay_on is "any"'
    hosts = _hosts(seeds, scope)
    return next((f'{at} names "{host}"' for at, host in hosts if not is_loopback(host)), None)


def _hosts(seeds: Seeds, scope: Scope) -> Iterator[tuple[str, str]]:
    """Every host in the job, with its place."""
    yield from ((f"scope.domains[{at}]", host) for at, host in enumerate(scope.domains))
    yield from seeds.hosts()


def _settling_too_long(rendering: Rendering) -> Iterator[Finding]:
    if rendering.settle >= rendering.timeout:
        yield (
            ("rendering", "settle"),
            f"is {rendering.settle:g} s; it must be shorter than rendering.timeout, "
            f"which is {rendering.timeout:g} s",
        )


def _shown_nowhere(extraction: Extraction) -> Iterator[Finding]:
    for name in ("links", "images"):
        if getattr(extraction, name) and extraction.format == "text":
            yield (
                ("extraction", name),
                f'is true, but plain text cannot show {name}; set format = "markdown" or "html"',
            )
