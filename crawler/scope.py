"""Which of the URLs that are found belong to the job."""

from __future__ import annotations

import re
from collections.abc import Iterable
from posixpath import splitext
from typing import Final
from urllib.parse import urlsplit

from crawler.egress import AddressPolicy
from crawler.urls import Address
from crawler.verdicts import PRIVATE_ADDRESS
from settings.addresses import is_under, registered_domain
from settings.tables.scope import Scope as ScopeTable

DEPTH: Final = "depth"
DOMAIN: Final = "domain"
EXTENSION: Final = "extension"
PATTERN: Final = "pattern"


class Scope:
    """The scope rules of a job, made to be asked for every link.

    hosts: of the seeds.
    policy: says which literal addresses are worth no visit, since none could be dialled.
    """

    def __init__(self, table: ScopeTable, hosts: Iterable[str], policy: AddressPolicy) -> None:
        self._table = table
        self._policy = policy
        self._hosts: set[str] = set()
        self._domains: set[str] = set()
        self._extensions = {f".{extension}" for extension in table.skip_extensions}
        self._include = [re.compile(pattern) for pattern in table.include]
        self._exclude = [re.compile(pattern) for pattern in table.exclude]
        self.add_seed_hosts(hosts)

    def add_seed_hosts(self, hosts: Iterable[str]) -> None:
        """Let links lead to these hosts too, or to their domains, as ``stay_on`` says."""
        for host in hosts:
            if self._table.stay_on == "host":
                self._hosts.add(host)
            else:
                self._domains.add(registered_domain(host))

    def refusal(self, found: Address, depth: int, *, wanted: bool = False) -> str | None:
        """Why a URL that was found at this depth is not visited; None if it is.

        wanted: the job asks for it by itself, as for a sitemap, or for where a seed redirects:
            neither ``include`` nor its extension is asked about.
        """
        if self._table.depth is not None and depth > self._table.depth:
            return DEPTH
        if not self._policy.allows_host(found.host):
            return PRIVATE_ADDRESS
        if not self._may_visit(found.host):
            return DOMAIN
        if any(pattern.search(found.canonical) for pattern in self._exclude):
            return PATTERN
        return None if wanted else self._refusal_of_find(found)

    def _refusal_of_find(self, found: Address) -> str | None:
        if splitext(urlsplit(found.url).path)[1].lower() in self._extensions:
            return EXTENSION
        if self._include and not any(pattern.search(found.canonical) for pattern in self._include):
            return PATTERN
        return None

    def _may_visit(self, host: str) -> bool:
        table = self._table
        if any(is_under(host, domain) for domain in table.exclude_domains):
            return False
        if table.domains:
            return any(is_under(host, domain) for domain in table.domains)
        if table.stay_on == "any":
            return True
        if table.stay_on == "host":
            return host in self._hosts
        return registered_domain(host) in self._domains
