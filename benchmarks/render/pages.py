"""The pages to render: those of the demo site, and synthetic ones with style sheets and pictures.

Three of four are synthetic (``genre_model.training.synthesis``), with a fixed seed, in a dozen
languages and with different themes; the fourth is from the demo site. All are served from this
machine.
"""

from __future__ import annotations

import contextlib
import tempfile
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random

from crawler.demo import DemoSite, Timings
from crawler.demo.expectations import expectations
from genre_model.training.synthesis.frameworks import OWN
from genre_model.training.synthesis.generator import page
from genre_model.training.synthesis.pictures import make_pictures

# The number of different synthetic pages; beyond that, they are repeated under other URLs.
_DISTINCT = 300


@contextlib.contextmanager
def served_pages(number: int) -> Iterator[list[str]]:
    """The URLs of this many pages, which are served while the block runs."""
    made = number - number // 4
    with tempfile.TemporaryDirectory() as name, DemoSite(timings=Timings(crawl_delay=0)) as site:
        folder = Path(name)
        paths = _write_pages(folder, min(made, _DISTINCT))
        with _folder_server(folder) as base:
            others = _urls(base, paths, made)
            ours = _urls(site.base, _demo_paths(), number - made)
            yield [(ours if at % 4 == 3 else others).pop(0) for at in range(number)]


def _urls(base: str, paths: list[str], number: int) -> list[str]:
    queries = (f"?n={at}" if at >= len(paths) else "" for at in range(number))
    return [base + paths[at % len(paths)] + query for at, query in enumerate(queries)]


def _demo_paths() -> list[str]:
    found = expectations().values()
    return [page.url for page in found if page.outcome == "document" and "?" not in page.url]


def _write_pages(folder: Path, number: int) -> list[str]:
    """Only pages without a CSS framework, as these would have to be installed."""
    pictures = folder / "pictures"
    make_pictures(pictures)
    paths: list[str] = []
    seed = 0
    while len(paths) < number:
        made = page(Random(f"render-{seed}"), packages=folder, pictures=pictures)
        seed += 1
        if made.style == OWN.name:
            html = made.html.replace(pictures.resolve().as_uri(), "/pictures")
            (folder / f"{seed}.html").write_text(html, encoding="utf-8")
            paths.append(f"/{seed}.html")
    return paths


class _Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """No log output."""


@contextlib.contextmanager
def _folder_server(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
