"""The rank of a URL: its priority and depth in one number, by which host queues are sorted."""

from __future__ import annotations

from crawler.frontier.base import DEPTHS, Candidate

# A priority step outweighs any depth.
_PRIORITY_STEP = len(DEPTHS)


def rank_of(candidate: Candidate) -> int:
    """The rank; the lowest goes first.

    >>> rank_of(Candidate("http://a.test/", depth=3)), rank_of(Candidate("", priority=1))
    (3, -65536)
    """
    return candidate.depth - candidate.priority * _PRIORITY_STEP


def depth_of(rank: int) -> int:
    """The depth in a rank.

    >>> depth_of(3 - 7 * 65536)
    3
    """
    return rank % _PRIORITY_STEP


def priority_of(rank: int) -> int:
    """The priority in a rank.

    >>> priority_of(3 - 7 * 65536)
    7
    """
    return (depth_of(rank) - rank) // _PRIORITY_STEP
