"""Decides which URLs are in the scope of a job."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from posixpath import splitext
from typing import Final
from urllib.parse import unquote, urlsplit

from crawler.outcomes import PRIVATE_ADDRESS
from crawler.urls import Address
from settings.addresses import HOSTS_KEPT, is_under, own_domain
from settings.networks import AddressPolicy
from settings.tables.scope import Scope as ScopeTable

DEPTH: Final = "depth"
DOMAIN: Final = "domain"
EXTENSION: Final = "extension"
PATTERN: Final = "pattern"
_PUNYCODE: Final = "xn--"


class Scope:
    """The scope rules of a job, compiled for quick checks.

    hosts: of the seeds.
    policy: refuses literal addresses that may not be connected to.
    """

    def __init__(self, table: ScopeTable, hosts: Iterable[str], policy: AddressPolicy) -> None:
        self._table = table
        self._policy = policy
        self._hosts: set[str] = set()
        self._domains: set[str] = set()
        self._extensions = {f".{extension}" for extension in table.skip_extensions}
        self._include = _Patterns(table.include)
        self._exclude = _Patterns(table.exclude)
        self.add_seed_hosts(hosts)

    def add_seed_hosts(self, hosts: Iterable[str]) -> None:
        """Include these hosts, or their registered domains, as ``stay_on`` says."""
        for host in hosts:
            if self._table.stay_on == "host":
                self._hosts.add(host)
            else:
                self._domains.add(own_domain(host))
        self._refusal_of_host = lru_cache(HOSTS_KEPT)(self._judged)

    def digest(self) -> str:
        """A digest by which workers compare their scopes; includes the hosts of the seeds."""
        rules = [self._table.model_dump_json(), *sorted(self._hosts), *sorted(self._domains)]
        return sha256("\n".join(rules).encode()).hexdigest()

    def refusal(
        self, found: Address, depth: int, *, wanted: bool = False, anywhere: bool = False
    ) -> str | None:
        """Why a URL that was found at this depth is out of scope; None if it is in scope.

        wanted: whether the job itself asks for the URL, for example a sitemap or the target of a
            seed's redirect; then ``include`` and the file extension do not matter.
        anywhere: whether it may be on any host that is neither excluded nor private, as sitemaps.
        """
        if self._table.depth is not None and depth > self._table.depth:
            return DEPTH
        if refusal := self._refusal_of_host(found.host, anywhere):
            return refusal
        if self._exclude.found_in(found):
            return PATTERN
        return None if wanted else self._refusal_of_find(found)

    def has_skipped_extension(self, found: Address) -> bool:
        """Whether the path ends in one of ``scope.skip_extensions``."""
        return splitext(urlsplit(found.url).path)[1].lower() in self._extensions

    def _refusal_of_find(self, found: Address) -> str | None:
        if self.has_skipped_extension(found):
            return EXTENSION
        if self._table.include and not self._include.found_in(found):
            return PATTERN
        return None

    def _judged(self, host: str, anywhere: bool) -> str | None:
        """Why all URLs of a host are out of scope; None if they are not."""
        if not self._policy.allows_host(host):
            return PRIVATE_ADDRESS
        if any(is_under(host, domain) for domain in self._table.exclude_domains):
            return DOMAIN
        return None if anywhere or self._is_included(host) else DOMAIN

    def _is_included(self, host: str) -> bool:
        table = self._table
        if table.domains:
            return any(is_under(host, domain) for domain in table.domains)
        if table.stay_on == "any":
            return True
        if table.stay_on == "host":
            return host in self._hosts
        return own_domain(host) in self._domains


class _Patterns:
    """Regular expressions for URLs. Those with non-ASCII letters also match decoded URLs."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self._all = [re.compile(pattern) for pattern in patterns]
        self._beyond_ascii = [regex for regex in self._all if not regex.pattern.isascii()]

    def found_in(self, found: Address) -> bool:
        """Whether one matches the canonical URL or, with non-ASCII letters, its decoded form."""
        if any(regex.search(found.canonical) for regex in self._all):
            return True
        if not self._beyond_ascii:
            return False
        written = _as_written(found)
        return any(regex.search(written) for regex in self._beyond_ascii)


def _as_written(found: Address) -> str:
    """The canonical URL with Punycode and percent-encoding decoded."""
    host = ".".join(map(_label, found.host.split(".")))
    return unquote(found.canonical.replace(found.host, host, 1))


def _label(label: str) -> str:
    if not label.startswith(_PUNYCODE):
        return label
    try:
        return label.removeprefix(_PUNYCODE).encode().decode("punycode")
    except UnicodeError:
        return label
