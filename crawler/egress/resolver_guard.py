"""The egress guard: the crawler connects to public addresses only, never to its own network.

Otherwise a link, a redirect or a DNS record could make it read a cloud's metadata service or other
internal pages. The guard checks the addresses that are connected to: all of them, including literal
ones, come from the reactor's name resolver, and are not resolved again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Final

from twisted.internet.interfaces import (
    IAddress,
    IHostnameResolver,
    IHostResolution,
    IResolutionReceiver,
)
from zope.interface import implementer  # type: ignore[import-untyped]

from settings.networks import AddressPolicy, literal

_REMEMBERED: Final = 10_000


@implementer(IResolutionReceiver)
class _Filter:
    """Passes on the allowed addresses of one name."""

    def __init__(self, receiver: Any, guard: EgressGuard, host: str) -> None:
        self._receiver = receiver
        self._guard = guard
        self._host = host
        self._allowed = self._refused = 0

    def resolutionBegan(self, resolution: IHostResolution) -> None:  # noqa: N802 - Twisted's name
        self._receiver.resolutionBegan(resolution)

    def addressResolved(self, address: Any) -> None:  # noqa: N802 - Twisted's name
        if self._guard.policy.allows(address.host):
            self._allowed += 1
            self._receiver.addressResolved(address)
        else:
            self._refused += 1

    def resolutionComplete(self) -> None:  # noqa: N802 - Twisted's name
        self._guard.note(self._host, refused=bool(self._refused and not self._allowed))
        self._receiver.resolutionComplete()


@implementer(IHostnameResolver)
class EgressGuard:
    """Wraps the reactor's name resolver while a crawl runs.

    A host without an allowed address looks as if it had none; ``refused`` tells the two apart.
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
        """Restore the reactor's resolver; does nothing if the guard is not installed."""
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
        """Record the result of a host's last lookup; only the latest hosts are kept."""
        name = _plain(host)
        self._refused.pop(name, None)
        if refused:
            self._refused[name] = None
            if len(self._refused) > _REMEMBERED:
                self._refused.popitem(last=False)

    def refused(self, host: str) -> bool:
        """Whether all addresses of the host were refused in its last lookup."""
        return _plain(host) in self._refused


def _plain(host: str) -> str:
    """The host without brackets; of the ways to write one IP address, always the same."""
    name = host.strip("[]")
    return str(literal(name) or name)
