"""Decides which IP addresses may be connected to, for job files and for the crawler."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Final

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

# RFC 6052: the last 32 bits are the IPv4 address to which a gateway forwards.
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
# All IPv6 addresses allocated for the public Internet so far.
_GLOBAL_IPV6: Final = ipaddress.IPv6Network("2000::/3")
# Cloud services at addresses that look public: Azure's, and the protocol block of RFC 6890, which
# some versions of Python do not take for private.
_SERVICES: Final = (
    ipaddress.IPv4Network("168.63.129.16/32"),
    ipaddress.IPv4Network("192.0.0.0/24"),
)


def literal(host: str) -> IpAddress | None:
    """The IP address, if the host of a URL is one; None for a name.

    >>> literal("::1"), literal("1.1.1.1.example")
    (IPv6Address('::1'), None)
    """
    # A quick check, for every link: addresses end in a digit or have colons.
    if ":" not in host and not host[-1:].isdigit():
        return None
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """Which addresses may be connected to: public ones.

    loopback: also this machine, for jobs that crawl nothing else.
    """

    loopback: bool = False

    def allows(self, address: str | IpAddress) -> bool:
        """Whether an IP address may be connected to; False if it is not an address.

        >>> policy = AddressPolicy()
        >>> [policy.allows(text) for text in ("1.1.1.1", "10.0.0.1", "169.254.169.254", "::1")]
        [True, False, False, False]
        >>> policy.allows("::ffff:192.168.1.1"), AddressPolicy(loopback=True).allows("127.0.0.2")
        (False, True)
        """
        try:
            ip = ipaddress.ip_address(address)
        except ValueError:
            return False
        embedded = _embedded(ip)
        if embedded:
            return all(map(self.allows, embedded))
        if ip.is_loopback:
            return self.loopback
        if ip.version == 6 and ip not in _GLOBAL_IPV6:
            return False
        if any(ip in network for network in _SERVICES):
            return False
        return ip.is_global and not ip.is_multicast

    def allows_host(self, host: str) -> bool:
        """The same for the host of a URL; names are allowed here, and checked after resolution.

        >>> AddressPolicy().allows_host("example.com"), AddressPolicy().allows_host("10.0.0.1")
        (True, False)
        """
        ip = literal(host)
        return ip is None or self.allows(ip)


def _embedded(ip: IpAddress) -> tuple[ipaddress.IPv4Address, ...]:
    """The IPv4 addresses to which packets for an IPv6 address are forwarded."""
    if ip.version == 4:
        return ()
    found = [ip.ipv4_mapped, ip.sixtofour, *(ip.teredo or ())]
    if ip in _NAT64:
        found.append(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF))
    return tuple(address for address in found if address is not None)
