"""Serves a web of sites, each at an address of its own."""

from __future__ import annotations

from typing import Final

from benchmarks.adaptive.web import Answers
from benchmarks.many_hosts import MISSING, ManyHosts, response

_CACHED: Final = "Cache-Control: max-age=3600"


def serving(answers: Answers) -> ManyHosts:
    """The server of the answers; enter it."""

    def answer(host: str, path: str) -> bytes:
        found = answers.get((host, path))
        if found is None:
            return MISSING
        kind, body = found
        return response(kind, body, *([] if kind.startswith("text/html") else [_CACHED]))

    return ManyHosts(sorted({address for address, _ in answers}), answer)
