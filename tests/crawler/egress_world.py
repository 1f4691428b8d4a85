"""A small Internet on the loopback of a network namespace, and a crawl in it.

``unshare --net --mount python egress_world.py FOLDER`` routes every address there is to this
machine, answers at all of them, and notes each address that anybody connects to: a connection is
noted as a packet on the wire, whether or not a server accepts it. Then it crawls the pages of
``egress_vectors`` with the real program, and has a browser without our guard look at them. It
leaves ``dialled.json``: the addresses and ports that each of the two connected to, with counts.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from egress_vectors import (
    NEVER,
    SECURE,
    SERVICE_WORKER,
    START,
    addresses_of,
    bait_left,
    crawler_pages,
    pages,
)
from playwright.async_api import Browser, async_playwright

from corpus_commons.browser import system_browser

ROOT: Final = Path(__file__).parents[2]
_JOB: Final = f"""
name = "world"
[seeds]
urls = ["http://{START}/"]
robots_sitemaps = true
[scope]
stay_on = "any"
depth = 1
skip_extensions = []
[politeness]
contact = "https://{START}/about"
delay = 0
concurrency_per_host = 8
[rendering]
mode = "always"
settle = "5s"
[frontier]
tries = 1
"""
_CERTIFICATE: Final = "certificate.pem"
_OUTGOING: Final = 4
_SYN, _ACK = 2, 16
# Seconds for which pages are open without a guard.
_LOOK: Final = 3.0
_LONGEST_LOOK: Final = 40.0


class Wire:
    """Every attempt to connect that passes the loopback device, and every UDP packet.

    dialled: by address and port. Left out is what the programs say to each other, and to the name
    server: on 127.0.0.1 and ::1, only the ports of web servers count.
    """

    def __init__(self) -> None:
        self.dialled: Counter[str] = Counter()
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 24)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            packet, place = self._socket.recvfrom(65_536)
            if place[2] == _OUTGOING and (found := _destination(packet)):
                address, port = found
                if not ip_address(address).is_loopback or port in (80, 443):
                    self.dialled[f"{address} {port}"] += 1

    def taken(self) -> dict[str, int]:
        """What was dialled since the last time."""
        time.sleep(0.2)
        taken, self.dialled = self.dialled, Counter()
        return dict(sorted(taken.items()))


def _destination(packet: bytes) -> tuple[str, int] | None:
    """Address and port, if it opens a TCP connection or is of UDP."""
    if packet[0] >> 4 == 4:
        kind, address, rest = packet[9], packet[16:20], packet[(packet[0] & 15) * 4 :]
    else:
        kind, address, rest = packet[6], packet[24:40], packet[40:]
    opens = kind == socket.IPPROTO_TCP and rest[13] & (_SYN | _ACK) == _SYN
    if not opens and kind != socket.IPPROTO_UDP:
        return None
    return str(ip_address(address)), int.from_bytes(rest[2:4], "big")


class NameServer:
    """Answers for all names, as ``addresses_of`` says."""

    def __init__(self) -> None:
        self._asked: Counter[str] = Counter()
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 53))
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            query, client = self._socket.recvfrom(512)
            self._socket.sendto(self._answer(query), client)

    def _answer(self, query: bytes) -> bytes:
        labels, at = [], 12
        while size := query[at]:
            labels.append(query[at + 1 : at + 1 + size].decode().lower())
            at += 1 + size
        (kind,) = struct.unpack(">H", query[at + 1 : at + 3])
        name = ".".join(labels)
        wanted = {1: 4, 28: 6}.get(kind)
        found = [ip_address(one) for one in addresses_of(name, self._asked[name])]
        right = [one for one in found if one.version == wanted]
        self._asked[name] += bool(right)
        head = query[:2] + struct.pack(">HHHHH", 0x8580, 1, len(right), 0, 0)
        records = (
            struct.pack(">HHHIH", 0xC00C, kind, 1, 0, len(one.packed)) + one.packed for one in right
        )
        return head + query[12 : at + 5] + b"".join(records)


class _Handler(BaseHTTPRequestHandler):
    """The pages by their URL, redirects to what follows ``/to/``, and otherwise nothing."""

    pages: Final = {**crawler_pages(), **pages()}

    def do_GET(self) -> None:
        scheme = "https" if self.server.server_address[1] == 443 else "http"
        url = f"{scheme}://{self.headers.get('Host', '')}{self.path}"
        status, headers, text = 404, {}, self.pages.get(url, "")
        if "/to/" in self.path:
            status, headers = 302, {"Location": f"{scheme}://{self.path.partition('/to/')[2]}"}
        elif text.startswith("http"):
            status, headers, text = 302, {"Location": text}, ""
        elif self.path.startswith("/worker.js"):
            status, headers, text = 200, {"Content-Type": "text/javascript"}, SERVICE_WORKER
        elif text:
            status = 200
        kind = "text/plain" if self.path.endswith(".txt") else "text/html; charset=utf-8"
        self.send_response(status)
        for name, value in {"Content-Type": kind, **headers}.items():
            self.send_header(name, value)
        body = text.encode()
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET  # noqa: N815 - http.server's name

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


class _Server(ThreadingHTTPServer):
    address_family = socket.AF_INET6
    daemon_threads = True
    request_queue_size = 512

    def handle_error(self, request: object, client_address: object) -> None:
        """Browsers close connections as they like."""


def _build(folder: Path) -> None:
    """Make this namespace a world where every address is here."""
    for command in (
        "ip link set lo up",
        "ip route add local default dev lo",
        "ip -6 route add local default dev lo",
        # WebRTC makes no use of loopback devices.
        "ip link add eth0 type veth peer name eth1",
        "ip link set eth0 up",
        "ip link set eth1 up",
        "ip address add 93.184.0.9/32 dev eth0",
    ):
        subprocess.run(command.split(), check=True)  # noqa: S603 - ours
    for name, text in (
        ("resolv.conf", "nameserver 127.0.0.1\noptions timeout:2\n"),
        ("nsswitch.conf", "hosts: files dns\n"),
        ("hosts", "127.0.0.1 localhost\n::1 localhost\n"),
    ):
        file = folder / name
        file.write_text(text)
        if (place := Path("/etc", name)).exists():
            subprocess.run(["mount", "--bind", file, place], check=True)  # noqa: S603, S607
    for port in (80, 443):
        server = _Server(("::", port), _Handler)
        if port == 443:
            server.socket = _certified(folder).wrap_socket(
                server.socket, server_side=True, do_handshake_on_connect=False
            )
        threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
    NameServer()


def _certified(folder: Path) -> ssl.SSLContext:
    """TLS for SECURE, with a certificate that signs itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, SECURE)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(SECURE)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / _CERTIFICATE
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(secret + certificate.public_bytes(Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


def _crawl(folder: Path) -> None:
    job = folder / "job.toml"
    job.write_text(f'{_JOB}[outputs]\nfolder = "{folder / "out"}"\n')
    with (folder / "crawl.log").open("wb") as log:
        subprocess.run(  # noqa: S603 - our own program
            [
                *(sys.executable, "-m", "crawler", "run", job),
                *("-s", 'ITEM_PIPELINES={"page_sink.PageSink": 100}'),
            ],
            cwd=ROOT,
            env={
                **os.environ,
                "PYTHONPATH": f"{ROOT}:{Path(__file__).parent}",
                "SSL_CERT_FILE": str(folder / _CERTIFICATE),
            },
            stderr=log,
            check=True,
        )


async def _look_unguarded(wire: Wire) -> None:
    """Open the pages in the browser as Playwright starts it, until they have done what they can."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=system_browser(),
            # Else the browser asks somebody before it goes to private addresses.
            args=[
                "--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests",
                "--ignore-certificate-errors",
            ],
        )
        await asyncio.gather(*(_open(browser, url) for url in pages()))
        began = time.monotonic()
        await asyncio.sleep(_LOOK)
        # A busy machine needs longer.
        while bait_left(dict(wire.dialled)) - NEVER and time.monotonic() < began + _LONGEST_LOOK:
            await asyncio.sleep(0.1)
        await browser.close()


async def _open(browser: Browser, url: str) -> None:
    page = await browser.new_page(ignore_https_errors=True)
    await page.goto(url, wait_until="commit")


def main() -> None:
    folder = Path(sys.argv[1])
    _build(folder)
    wire = Wire()
    found = {}
    steps: dict[str, Callable[[], None]] = {
        "crawl": lambda: _crawl(folder),
        "unguarded": lambda: asyncio.run(_look_unguarded(wire)),
    }
    for name, step in steps.items():
        began = time.monotonic()
        step()
        found[name] = wire.taken()
        sys.stderr.write(f"{name}: {time.monotonic() - began:.1f} s\n")
    (folder / "dialled.json").write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
