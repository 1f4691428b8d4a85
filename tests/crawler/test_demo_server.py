"""The demo site's server: what it logs and refuses, and how it ends."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from demo_visits import QUICK, connect, fetch

from crawler.demo import DemoSite, Timings


@pytest.fixture(scope="module")
def site() -> Iterator[DemoSite]:
    with DemoSite(timings=QUICK) as running:
        yield running


def test_every_request_is_logged_with_its_time_host_and_agent(tmp_path: Path) -> None:
    log = tmp_path / "access.jsonl"
    before = time.time()
    with DemoSite(log=log, timings=QUICK) as fresh:
        fetch(fresh, "/articles/?page=2")
        fetch(fresh, "/odd/missing")
        with pytest.raises((ConnectionError, http.client.HTTPException)):
            fetch(fresh, "/odd/reset")
        kept = fresh.requests()
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [(line["path"], line["status"]) for line in lines] == [
        ("/articles/?page=2", 200),
        ("/odd/missing", 404),
        ("/odd/reset", 0),
    ]
    assert [access.path for access in kept] == [line["path"] for line in lines]
    netloc = urlsplit(fresh.base).netloc
    assert {line["host"] for line in lines} == {line["address"] for line in lines} == {netloc}
    assert {line["user_agent"] for line in lines} == {"demo-test"}
    assert before <= lines[0]["time"] <= lines[-1]["time"] <= time.time()


def test_several_addresses_are_several_hosts_on_one_port() -> None:
    with DemoSite(addresses=("127.0.0.1", "127.0.0.2"), timings=QUICK) as fresh:
        first, second = fresh.bases
        assert urlsplit(first).port == urlsplit(second).port
        connection = connect(fresh, second)
        connection.request("GET", "/articles/fog-signals")
        body = connection.getresponse().read().decode()
        connection.close()
        assert f'<link rel="canonical" href="{second}/articles/fog-signals">' in body
        assert fresh.requests()[0].address == urlsplit(second).netloc


@pytest.mark.parametrize("address", ["0.0.0.0", "10.0.0.1", "localhost"])  # noqa: S104
def test_only_loopback_addresses_are_served(address: str) -> None:
    with pytest.raises(ValueError, match=f"address '{address}' must be loopback"):
        DemoSite(addresses=(address,))


def test_closing_cuts_what_is_open_and_leaves_no_thread() -> None:
    before = threading.active_count()
    with DemoSite(timings=Timings(slow=60)) as fresh:
        idle = socket.create_connection(("127.0.0.1", urlsplit(fresh.base).port))
        waiting = connect(fresh)
        waiting.request("GET", "/odd/slow")
        endless = connect(fresh)
        endless.request("GET", "/odd/endless")
        endless.getresponse()
        started = time.monotonic()
    assert time.monotonic() - started < 30
    assert threading.active_count() == before
    for client in (idle, waiting, endless):
        client.close()


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: <script>\r\n\r\n",
        b"GET http://elsewhere/ HTTP/1.1\r\nHost: x\r\n\r\n",
        b"\x16\x03\x01 nonsense\r\n\r\n",
    ],
)
def test_a_wrong_request_is_refused(site: DemoSite, request_bytes: bytes) -> None:
    with socket.create_connection(("127.0.0.1", urlsplit(site.base).port), 10) as client:
        client.sendall(request_bytes)
        client.shutdown(socket.SHUT_WR)
        answer = client.makefile("rb").read()
    assert b"400" in answer.split(b"\r\n")[0] or b"Error code: 400" in answer


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_serves_until_it_is_told_to_end(number: int) -> None:
    command = [sys.executable, "-m", "crawler.demo", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        assert process.stdout
        base = process.stdout.readline().strip()
        connection = http.client.HTTPConnection(urlsplit(base).netloc, timeout=20)
        connection.request("GET", "/")
        assert connection.getresponse().status == 200
        process.send_signal(number)
        assert process.wait(20) == 0
        connection.close()


def test_a_port_in_use_is_named(site: DemoSite) -> None:
    port = str(urlsplit(site.base).port)
    command = [sys.executable, "-m", "crawler.demo", "--port", port]
    ended = subprocess.run(  # noqa: S603
        command, check=False, capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 2
    assert f"port {port}" in ended.stderr
