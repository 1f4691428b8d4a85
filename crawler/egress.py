"""Where the crawler may connect to: the open network, never the one that it stands in.

A link, a redirect, or a name whose owner points it there must not make the crawler read a cloud's
metadata service or the printer's pages. So the check is made on the addresses that are dialled: all
of them come from the reactor's name resolver, literal ones too, and are not looked up again.
"""

from __future__ import annotations

import ipaddress
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from twisted.internet.interfaces import (
    IAddress,
    IHostnameResolver,
    IHostResolution,
    IResolutionReceiver,
)
from zope.interface import implementer  # type: ignore[import-untyped]

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
_REMEMBERED: Final = 10_000


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
        # Asked for every link: a literal address ends in a digit or has colons, a name has neither.
        if ":" not in host and not host[-1:].isdigit():
            return True
        try:
            return self.allows(ipaddress.ip_address(host.strip("[]")))
        except ValueError:
            return True


def _embedded(ip: IpAddress) -> tuple[ipaddress.IPv4Address, ...]:
    """The IPv4 addresses to which a packet to an IPv6 address is sent on."""
    if ip.version == 4:
        return ()
    found = [ip.ipv4_mapped, ip.sixtofour, *(ip.teredo or ())]
    if ip in _NAT64:
        found.append(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF))
    return tuple(address for address in found if address is not None)


@implementer(IResolutionReceiver)
class _Filter:
    """Passes on the addresses of one name that may be dialled."""

    def __init__(self, receiver: Any, guard: EgressGuard, host: str) -> None:
        self._receiver = receiver
        self._guard = guard
        self._host = host
        self._allowed = self._refused = 0

    def resolutionBegan(self, resolution: IHostResolution) -> None:  # noqa: N802 - Twisted's name
        self._receiver.resolutionBegan(resolution)

    def addressResolved(self, address: Any) -> None:  # noqa: N802 - Twisted's name
        if self._guard.policy.allows(address.host.partition("%")[0]):
            self._allowed += 1
            self._receiver.addressResolved(address)
        else:
            self._refused += 1

    def resolutionComplete(self) -> None:  # noqa: N802 - Twisted's name
        self._guard.note(self._host, refused=bool(self._refused and not self._allowed))
        self._receiver.resolutionComplete()


@implementer(IHostnameResolver)
class EgressGuard:
    """Stands before the reactor's name resolver while a crawl runs.

    A host of which no address is allowed looks as if it had none; ``refused`` tells the difference.
    """

    def __init__(self, policy: AddressPolicy) -> None:
        self.policy = policy
        self._resolver: Any = None
        self._reactor: Any = None
        self._refused: OrderedDict[str, None] = OrderedDict()

    def install(self, reactor: Any) -> None:
        self._reactor = reactor
        self._resolver = reactor.installNameResolver(self)

    def uninstall(self) -> None:
        """Let the reactor resolve as before; without effect if this is not installed."""
        if self._reactor is not None:
            self._reactor.installNameResolver(self._resolver)
            self._reactor = None

    def resolveHostName(  # noqa: N802 - Twisted's name
        self,
        resolutionReceiver: IResolutionReceiver,  # noqa: N803 - likewise
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[type[IAddress]] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> IHostResolution:
        guarded = _Filter(resolutionReceiver, self, hostName)
        found: IHostResolution = self._resolver.resolveHostName(
            guarded, hostName, portNumber, addressTypes, transportSemantics
        )
        return found

    def note(self, host: str, *, refused: bool) -> None:
        """Remember how the last lookup of a host ended, for the latest of them."""
        self._refused.pop(host, None)
        if refused:
            self._refused[host] = None
            if len(self._refused) > _REMEMBERED:
                self._refused.popitem(last=False)

    def refused(self, host: str) -> bool:
        """Whether all addresses of the host were refused when it was last looked up."""
        return host.strip("[]") in self._refused
