"""A request to a server of ours, as any program may send it."""

from __future__ import annotations

import http.client
from urllib.parse import urlsplit


def asked(
    address: str, path: str = "", *, method: str = "GET", body: bytes | None = None, **headers: str
) -> tuple[int, bytes, dict[str, str]]:
    """Status, body and headers of an answer; headers are sent as they are given."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.netloc, timeout=20)
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, parts.path + path, body, given)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, content, {k.lower(): v for k, v in answer.getheaders()}
