"""Checks that the seeds, the scope and the contact of a job agree with each other.

What concerns a single table is checked by that table's own ``contradictions``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from settings.addresses import contact_host, host_of, is_loopback, is_reserved, is_under
from settings.tables.politeness import Politeness
from settings.tables.scope import Scope
from settings.tables.seeds import Seeds
from settings.values import Finding


def contradictions(values: Mapping[str, object]) -> Iterator[Finding]:
    """For each contradiction, the key that should be changed and what is wrong with it.

    values: of a job. Tables that are not valid by themselves are missing, and are not checked, so
    that all problems of a job are reported together.
    """
    seeds, scope, politeness = (values.get(name) for name in ("seeds", "scope", "politeness"))
    if isinstance(seeds, Seeds) and isinstance(scope, Scope):
        yield from _seeds_out_of_scope(seeds, scope)
        if isinstance(politeness, Politeness):
            yield from _anonymous(seeds, scope, politeness)


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
