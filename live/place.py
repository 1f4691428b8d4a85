"""Where a job's page is served, and who is let in."""

from __future__ import annotations

import errno
import os
import re
import socket
from dataclasses import replace
from typing import Final

from corpus_commons.web.door import Door, listen, new_token
from settings.tables.live import Live

TOKEN: Final = "GENRE_CRAWLER_LIVE_TOKEN"  # noqa: S105 - the variable's name
_RIGHT: Final = re.compile(r"[A-Za-z0-9_-]{16,100}")
_PORTS: Final = 10


def place_of(live: Live) -> tuple[Door, socket.socket]:
    """The door of the page, and its socket.

    Raises OSError, which names the settings, if it may not be used; ValueError for a wrong token in
    the environment.
    """
    token = os.environ.get(TOKEN) or live.token or ""
    if token and not _RIGHT.fullmatch(token):
        raise ValueError(f'{TOKEN} must be 16 to 100 letters, digits, "-" and "_"')
    try:
        listener = _listener(live.address, live.port)
    except OSError as error:
        why = error.strerror or str(error)
        where = f'live.address = "{live.address}", live.port = {live.port}'
        raise OSError(f"cannot serve the live page at {where}: {why}") from error
    door = Door(listener.getsockname()[1], live.address, token)
    return (door if door.is_local or token else replace(door, token=new_token())), listener


def _listener(host: str, port: int) -> socket.socket:
    """A socket at the port; if it is taken, at one of the next nine, or else at any."""
    for one in range(port, min(port + _PORTS, 65_536)):
        try:
            return listen(one, host)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
    return listen(0, host)
