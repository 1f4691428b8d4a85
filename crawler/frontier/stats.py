"""What a frontier counts: URLs of a job, and of each host."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class HostStats:
    """URL counts of one host, as in ``Stats``. next_at: of its next visit, seconds since 1970."""

    host: str
    queued: int
    leased: int
    done: int
    dead: int
    next_at: float


@dataclass(frozen=True, slots=True)
class RunStats:
    """The counts of the current run, of all its workers; of all runs if none was begun.

    See ``Frontier.begin_run``. The policy's limits are about the first two.

    pages: done URLs that were acknowledged as pages.
    received: bytes.
    outcomes: by how much ``Stats.outcomes`` changed; less than 0 where the run has changed what
        an earlier one had counted, see ``Frontier.recount``.
    has_leased: whether it has handed out a URL.
    """

    pages: int = 0
    received: int = 0
    outcomes: Mapping[str, int] = field(default_factory=dict)
    has_leased: bool = False


@dataclass(frozen=True, slots=True)
class Stats:
    """The counts of a job. Always ``added == queued + leased + done + dead + purged``.

    added: distinct URLs that were ever added.
    queued: to be leased, now or later. leased: to workers; a lease past its deadline is over, and
        its URL counts as queued.
    waiting: queued URLs that wait for a retry.
    purged: dead URLs that were forgotten by ``purge_dead``.
    refused: candidates that were not valid http or https URLs; not part of ``added``.
    hosts: distinct hosts seen.
    received: bytes that workers reported with ``count_received``.
    due: done URLs that are due to be visited again in this run, see ``Frontier.begin_run``.
    outcomes: acknowledged visits by the outcome that was given to ``ack``. Their sum is ``done``
        unless URLs have been visited again.
    run: of the current run.
    """

    added: int = 0
    queued: int = 0
    waiting: int = 0
    leased: int = 0
    done: int = 0
    dead: int = 0
    purged: int = 0
    refused: int = 0
    hosts: int = 0
    received: int = 0
    due: int = 0
    outcomes: Mapping[str, int] = field(default_factory=dict)
    run: RunStats = field(default_factory=RunStats)

    @property
    def left(self) -> int:
        """URLs that this run has not done, also known ones that are due again."""
        return self.queued + self.leased + self.due
