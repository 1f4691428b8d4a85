"""Workers that pages start: they work as ever, and what they write is heard by nobody."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from browser_pool import HTML, OPTIONS, Browsers, rendering
from small_web import Web

from corpus_commons.browser import has_browser
from crawler.rendering.pool import BrowserPool
from crawler.rendering.requests import RenderedPage, ServedPage

pytestmark = pytest.mark.skipif(not has_browser(), reason="no Chromium is installed: make browser")

SCRIPT = {"Content-Type": "text/javascript"}
# Under ``/app/`` of the site; the pages stand elsewhere.
SCRIPTS = {
    "classic.js": """importScripts("part.js"); onmessage = async ({ data }) => {
        const answer = await (await fetch("text?1")).text();
        const request = new XMLHttpRequest(); request.open("GET", "text?2", false); request.send();
        postMessage([data, part, answer, request.responseText, await (await fetch(
            new Request("text?3"))).text(), location.pathname, location.search].join()) }""",
    "part.js": "const part = 'part'",
    "module.js": """import { part } from "./exported.js"; onmessage = async ({ data }) =>
        postMessage([data, part, (await import("./exported.js")).part, location.pathname,
            new URL("x", import.meta.url).pathname].join())""",
    "exported.js": "export const part = 'exported'",
    "nested.js": "new Worker('inner.js').onmessage = ({data}) => postMessage('inner ' + data)",
    "inner.js": "postMessage(location.pathname + self.name)",
    "text": "text",
}
SHOWS = "onmessage = ({data}) => root.textContent += data"
STRICT = "postMessage([!(function () { return this })(), String(location).slice(0, 5)].join())"

# By what works: the script of a page, and what its worker says.
WORKS = {
    "a script and what is relative to it": (
        f"const it = new Worker('/app/classic.js?q'); it.{SHOWS}; it.postMessage('said')",
        "said,part,text,text,text,/app/classic.js,?q",
    ),
    "a module": (
        "const it = new Worker(new URL('../app/module.js', document.baseURI), {type: 'module'});"
        f"it.{SHOWS}; it.postMessage('said')",
        "said,exported,exported,/app/module.js,/app/x",
    ),
    "a file that is forgotten at once": (
        f"""const url = URL.createObjectURL(new Blob([`'use strict'; {STRICT}`]));
        const it = new Worker(url); URL.revokeObjectURL(url); it.{SHOWS}""",
        "true,blob:",
    ),
    "a module in a file": (
        f"""const file = new Blob(["postMessage(import.meta.url.slice(0, 5))"], {{type:
        'text/javascript'}}); const it = new Worker(URL.createObjectURL(file), {{type: 'module'}});
        it.{SHOWS}""",
        "blob:",
    ),
    "a script in its URL": (
        "const it = new Worker('data:text/javascript,postMessage(name)', {name: 'n'});"
        + f"it.{SHOWS}",
        "n",
    ),
    "a worker's own": (f"new Worker('/app/nested.js').{SHOWS}", "inner /app/inner.js"),
    "a shared one": (
        f"new SharedWorker('data:,onconnect = e => e.ports[0].postMessage(1)').port.{SHOWS}",
        "1",
    ),
    "a class made of it": (
        """class Mine extends Worker { get own() { return 'own' } }
        const it = new Mine('/app/inner.js'); it.terminate(); root.textContent = [it.own,
        it instanceof Worker, it.constructor.name, Worker.name, Worker.length,
        Worker.prototype.constructor === Worker]""",
        "own,true,Mine,Worker,1,true",
    ),
    "one that does not exist": (
        "new Worker('/none.js').onerror = () => root.textContent = 'no worker'",
        "no worker",
    ),
    "a module that does not exist": (
        "new Worker('/none.js', {type: 'module'}).onerror = () => root.textContent = 'no worker'",
        "no worker",
    ),
    "one that fails": (
        "new Worker('data:,setTimeout(() => nobody)').onerror = (event) =>"
        "{ root.textContent = event.message.slice(-21) }",
        "nobody is not defined",
    ),
}

# What fills the console, if it is let.
FLOOD = "for (;;) console.log('x'.repeat(200_000))"
FLOODS = {
    "a file": f"new Worker(URL.createObjectURL(new Blob([`{FLOOD}`])))",
    "a script": "new Worker('/app/flood.js')",
    "a module's first import": "new Worker('/app/flooding.js', {type: 'module'})",
    "a worker's own": "new Worker('/app/floods.js')",
    "a shared one": "new SharedWorker('/app/flood.js')",
    "its errors": "new Worker('/app/errors.js')",
    "a frame's": "const frame = document.createElement('iframe'); document.body.append(frame);"
    "new frame.contentWindow.Worker('/app/flood.js')",
    "its constructor": "new Worker.prototype.constructor('/app/flood.js')",
    "a painter": "CSS.paintWorklet.addModule('/app/flood.js')",
    "other arrays": """Array.prototype[Symbol.iterator] = function* () { yield this[0].slice ?
        "for (;;) console.log('x'.repeat(200_000))" : this[0]; yield this[1] };
        new Worker('/app/flood.js')""",
    "an error among errors": """onerror = () => { for (;;) reportError('x'.repeat(200_000)) };
        nobody()""",
}
SCRIPTS |= {
    "flood.js": FLOOD,
    "flooding.js": "import './flood.js'",
    "floods.js": "for (let i = 0; i < 4; i++) new Worker('flood.js')",
    "errors.js": """Event.prototype.preventDefault = () => {};
        setInterval(() => { for (let i = 0; i < 50; i++) reportError('x'.repeat(20_000)) })""",
}


def render(*scripts: str, **changes: float) -> list[RenderedPage]:
    """A page for each of the scripts, rendered one beside the other."""
    with Web() as web:
        web.answers = {f"/app/{name}": (200, SCRIPT, body) for name, body in SCRIPTS.items()}
        web.answers |= {f"/app/text?{number}": (200, {}, "text") for number in (1, 2, 3)}
        web.answers["/app/classic.js?q"] = web.answers["/app/classic.js"]

        def page(number: int, script: str) -> ServedPage:
            html = f"<!doctype html><body><p id=root></p><script>{script}</script>"
            return ServedPage(f"{web.base}/page/{number}", 200, HTML, html.encode())

        rendered: list[RenderedPage] = []

        async def work(pool: BrowserPool, _: Browsers) -> None:
            pages = [page(number, script) for number, script in enumerate(scripts)]
            rendered.extend(await asyncio.gather(*map(pool.render, pages)))

        rendering(work, replace(OPTIONS, **changes))
        return rendered


@pytest.fixture(scope="module")
def pages() -> dict[str, RenderedPage]:
    scripts = [script for script, _ in WORKS.values()]
    return dict(zip(WORKS, render(*scripts, timeout=20, settle=5, concurrency=3), strict=True))


@pytest.mark.parametrize("what", WORKS)
def test_it_works(pages: dict[str, RenderedPage], what: str) -> None:
    assert f'<p id="root">{WORKS[what][1]}</p>' in pages[what].html


@pytest.mark.parametrize("what", FLOODS)
def test_what_it_writes_holds_up_no_other_page(what: str) -> None:
    flood = f"for (let i = 0; i < 2; i++) {{ {FLOODS[what]} }}"
    rendered = render(flood, flood, "root.textContent = 'kept'", timeout=60, concurrency=3)
    assert rendered[2].is_loaded
    assert "kept" in rendered[2].html
