"""No connection into a private network, whatever a name or a redirect says."""

from __future__ import annotations

from typing import Any

import pytest
from twisted.internet.address import IPv4Address, IPv6Address

from crawler.egress import resolver_guard
from crawler.egress.resolver_guard import EgressGuard
from settings.networks import AddressPolicy


class Names:
    """A reactor and its resolver: one name whose addresses change, as a rebinding server's do."""

    def __init__(self) -> None:
        self.addresses: list[str] = []
        self.nameResolver: Any = self

    def installNameResolver(self, resolver: Any) -> Any:  # noqa: N802
        old, self.nameResolver = self.nameResolver, resolver
        return old

    def resolveHostName(self, receiver: Any, host: str, port: int = 0, *_: Any) -> Any:  # noqa: N802
        receiver.resolutionBegan(None)
        for text in self.addresses:
            kind = IPv6Address if ":" in text else IPv4Address
            receiver.addressResolved(kind("TCP", text, port))
        receiver.resolutionComplete()


class Dialled:
    """What an endpoint would connect to."""

    def __init__(self) -> None:
        self.hosts: list[str] = []
        self.complete = False

    def resolutionBegan(self, _: Any) -> None:  # noqa: N802
        pass

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        self.hosts.append(address.host)

    def resolutionComplete(self) -> None:  # noqa: N802
        self.complete = True


def dial(reactor: Names, *addresses: str, host: str = "evil.example") -> list[str]:
    reactor.addresses = list(addresses)
    dialled = Dialled()
    reactor.nameResolver.resolveHostName(dialled, host, 80)
    assert dialled.complete
    return dialled.hosts


def test_every_lookup_is_judged_anew() -> None:
    reactor, guard = Names(), EgressGuard(AddressPolicy())
    guard.install(reactor)
    assert dial(reactor, "1.1.1.1") == ["1.1.1.1"]
    assert not guard.refused("evil.example")
    assert dial(reactor, "169.254.169.254", "fe80::1%eth0") == []
    assert guard.refused("evil.example")
    assert dial(reactor, "10.0.0.1", "1.1.1.1") == ["1.1.1.1"]
    assert not guard.refused("evil.example")


def test_an_address_may_be_written_in_several_ways() -> None:
    reactor, guard = Names(), EgressGuard(AddressPolicy())
    guard.install(reactor)
    assert dial(reactor, "::ffff:10.0.0.1", host="::ffff:10.0.0.1") == []
    assert guard.refused("[::ffff:a00:1]")
    assert not guard.refused("::ffff:a00:2")


def test_a_name_without_addresses_is_not_refused() -> None:
    reactor, guard = Names(), EgressGuard(AddressPolicy())
    guard.install(reactor)
    assert dial(reactor) == []
    assert not guard.refused("evil.example")


def test_a_literal_address_is_known_as_urls_write_it() -> None:
    reactor, guard = Names(), EgressGuard(AddressPolicy())
    guard.install(reactor)
    assert dial(reactor, "::1", host="::1") == []
    assert guard.refused("[::1]")


def test_the_refusals_that_were_last_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolver_guard, "_REMEMBERED", 2)
    reactor, guard = Names(), EgressGuard(AddressPolicy())
    guard.install(reactor)
    for host in ("a.example", "b.example", "a.example", "c.example"):
        dial(reactor, "10.0.0.1", host=host)
    assert [guard.refused(f"{name}.example") for name in "abc"] == [True, False, True]


def test_the_reactor_gets_its_resolver_back_once() -> None:
    reactor, guard, other = Names(), EgressGuard(AddressPolicy()), EgressGuard(AddressPolicy())
    guard.install(reactor)
    guard.uninstall()
    assert reactor.nameResolver is reactor
    other.install(reactor)
    guard.uninstall()
    assert reactor.nameResolver is other
