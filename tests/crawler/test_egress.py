"""No connection into a private network, whatever a name or a redirect says."""

from __future__ import annotations

import ipaddress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twisted.internet.address import IPv4Address, IPv6Address

from crawler.egress import AddressPolicy, EgressGuard

PRIVATE = """127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1
255.255.255.255 192.0.2.1 198.18.0.1 240.0.0.1 ::1 :: fe80::1 fc00::1 ff02::1 ::ffff:10.0.0.1
::ffff:127.0.0.1 2002:0a00:0001:: 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe fec0::1 2001:db8::1 192.0.0.192
168.63.129.16 ::ffff:168.63.129.16""".split()


@given(st.one_of(st.ip_addresses().map(str), st.text(max_size=20), st.from_regex(r"[0-9a-f.:x]+")))
def test_a_host_is_refused_only_as_the_literal_address_that_it_is(host: str) -> None:
    policy = AddressPolicy()
    try:
        literal = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        assert policy.allows_host(host)
    else:
        assert policy.allows_host(host) == policy.allows(literal)


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_refused(address: str) -> None:
    assert not AddressPolicy().allows(address)


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "93.184.215.14", "2606:4700::1111", "64:ff9b::101:101"]
)
def test_others_are_allowed(address: str) -> None:
    assert AddressPolicy().allows(address)


@pytest.mark.parametrize("address", PRIVATE)
def test_a_loopback_job_reaches_this_machine_and_nothing_else_private(address: str) -> None:
    ip = ipaddress.ip_address(address)
    mapped = getattr(ip, "ipv4_mapped", None) or ip
    to_loopback = mapped.is_loopback or address == "64:ff9b::7f00:1"
    assert AddressPolicy(loopback=True).allows(address) is to_loopback


@given(st.ip_addresses(v=4))
def test_an_address_inside_another_is_judged_as_itself(ip: ipaddress.IPv4Address) -> None:
    policy = AddressPolicy()
    assert policy.allows(f"::ffff:{ip}") is policy.allows(ip)


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


def test_a_name_without_addresses_is_not_refused() -> None:
    reactor, guard = Names(), EgressGuard(AddressPolicy())
    guard.install(reactor)
    assert dial(reactor) == []
    assert not guard.refused("evil.example")


def test_the_reactor_gets_its_resolver_back() -> None:
    reactor, guard = Names(), EgressGuard(AddressPolicy())
    guard.install(reactor)
    guard.uninstall()
    guard.uninstall()
    assert reactor.nameResolver is reactor
