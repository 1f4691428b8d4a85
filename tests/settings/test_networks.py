"""Literal addresses: those of the open network may be dialled, and no seed is another."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from settings.addresses import is_loopback, seed_url
from settings.networks import AddressPolicy

PRIVATE = """127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1
255.255.255.255 192.0.2.1 198.18.0.1 240.0.0.1 ::1 :: fe80::1 fc00::1 ff02::1 ::ffff:10.0.0.1
::ffff:127.0.0.1 2002:0a00:0001:: 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe fec0::1 2001:db8::1 192.0.0.192
168.63.129.16 ::ffff:168.63.129.16 192.0.0.8 2002:7f00:1:: 4000::1
2001:0:101:101::f5ff:fffe 2001:0:a00:1::fefe:fefe""".split()
PUBLIC = """1.1.1.1 93.184.215.14 2606:4700::1111 64:ff9b::101:101 ::ffff:1.1.1.1 2002:101:101::
2001:0:101:101::fefe:fefe""".split()


@given(st.one_of(st.ip_addresses().map(str), st.text(max_size=20), st.from_regex(r"[0-9a-f.:x]+")))
def test_a_host_is_refused_only_as_the_literal_address_that_it_is(host: str) -> None:
    policy = AddressPolicy()
    try:
        literal = ipaddress.ip_address(host)
    except ValueError:
        assert policy.allows_host(host)
    else:
        assert policy.allows_host(host) == policy.allows(literal)


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_refused(address: str) -> None:
    assert not AddressPolicy().allows(address)


@pytest.mark.parametrize("text", ["", "example.com", "1.1.1", "1.1.1.1:80", "[::1]"])
def test_nor_is_what_is_no_address_dialled(text: str) -> None:
    assert not AddressPolicy(loopback=True).allows(text)


@pytest.mark.parametrize("address", PUBLIC)
def test_others_are_allowed(address: str) -> None:
    assert AddressPolicy().allows(address)


@pytest.mark.parametrize("address", PRIVATE)
def test_a_loopback_job_reaches_this_machine_and_nothing_else_private(address: str) -> None:
    ip = ipaddress.ip_address(address)
    mapped = getattr(ip, "ipv4_mapped", None) or ip
    to_loopback = mapped.is_loopback or address in ("64:ff9b::7f00:1", "2002:7f00:1::")
    assert AddressPolicy(loopback=True).allows(address) is to_loopback


@given(st.ip_addresses(v=4))
def test_an_address_inside_another_is_judged_as_itself(ip: ipaddress.IPv4Address) -> None:
    policy = AddressPolicy()
    assert policy.allows(f"::ffff:{ip}") is policy.allows(ip)


@pytest.mark.parametrize("address", [*PRIVATE, *PUBLIC])
def test_a_seed_is_refused_where_no_crawl_of_it_could_dial(address: str) -> None:
    url = f"http://[{address}]/" if ":" in address else f"http://{address}/"
    if AddressPolicy(loopback=is_loopback(address)).allows(address):
        assert seed_url(url) == url
    else:
        with pytest.raises(ValueError, match="must be a public host"):
            seed_url(url)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.9", "[::1]", "a.example"])
def test_this_machine_and_any_name_may_be_a_seed(host: str) -> None:
    assert seed_url(f"http://{host}/") == f"http://{host}/"
