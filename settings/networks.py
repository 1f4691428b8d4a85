"""Literal addresses, and which of them may be dialled: a job is checked by the crawler's rules."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Final

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

# RFC 6052: the last 32 bits are an IPv4 address, to which a gateway connects.
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
# All that was ever given out of the IPv6 space for the open network.
_GLOBAL_IPV6: Final = ipaddress.IPv6Network("2000::/3")
# Services of clouds at addresses that look like any other: Azure's, and those of RFC 6890's block
# for protocols, which not every version of Python knows for private.
_SERVICES: Final = (
    ipaddress.IPv4Network("168.63.129.16/32"),
    ipaddress.IPv4Network("192.0.0.0/24"),
)


def literal(host: str) -> IpAddress | None:
    """The address that the host of a URL is; None for a name.

    >>> literal("::1"), literal("1.1.1.1.example")
    (IPv6Address('::1'), None)
    """
    # Asked for every link: a literal address ends in a digit or has colons, a name has neither.
    if ":" not in host and not host[-1:].isdigit():
        return None
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """Which addresses may be dialled: those of the open network.

    loopback: this machine as well, for a job that crawls nothing else.
    """

    loopback: bool = False

    def allows(self, address: str | IpAddress) -> bool:
        """Whether a literal address may be dialled; what is no address may not.

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
        """The same for the host of a URL; a name is allowed here, and checked when it is dialled.

        >>> AddressPolicy().allows_host("example.com"), AddressPolicy().allows_host("10.0.0.1")
        (True, False)
        """
        ip = literal(host)
        return ip is None or self.allows(ip)


def _embedded(ip: IpAddress) -> tuple[ipaddress.IPv4Address, ...]:
    """The IPv4 addresses to which a packet to an IPv6 address is sent on."""
    if ip.version == 4:
        return ()
    found = [ip.ipv4_mapped, ip.sixtofour, *(ip.teredo or ())]
    if ip in _NAT64:
        found.append(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF))
    return tuple(address for address in found if address is not None)
