"""What is read of pages that scripts make, and when."""

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

TEXT = "Words of a page. " * 20
INNER = "<p>from the frame <a href=rel>link</a>"
FETCHES = "fetch('/answer').then(r => r.text()).then(text => root.innerHTML = `<p>${text}`)"
ASKS = """const request = new XMLHttpRequest; request.open('GET', '/answer');
    request.onload = () => root.innerHTML = `<p>${request.responseText}`; request.send()"""
CHECKS = """Promise.allSettled([fetch(), fetch('http://0.0.0.0:1/'), fetch('/answer')]).then(
    (all) => root.textContent = all.map((one) => one.status) + `${fetch.name} ${fetch.length}`)
    try { new XMLHttpRequest().send() } catch (error) { root.title = error.name }"""
FORM = "<body><form><input name=childNodes><input name=shadowRoot></form><a href=x>y</a>"
ELEMENT = """<my-card><b>its own</b></my-card><script>
    customElements.define('my-card', class extends HTMLElement {
        constructor() { super().attachShadow({mode: 'open'}).innerHTML =
            '<p>from the shadow, <slot>nothing</slot> <a href=rel>link</a>' } })</script>"""
FRAME = "<iframe src=/inner/ width=300 height=200></iframe>"
XML = (("content-type", "application/xhtml+xml"),)
XHTML = '<html xmlns="http://www.w3.org/1999/xhtml">'
ADDS = """<p id=root></p><script>onload = () => {{
    const it = document.createElement('{}'); Object.assign(it, {}); document.head.append(it)
    }}</script>"""
CHANGES = """<div id=host></div><script>let left = 6;
    const root = host.attachShadow({mode: 'open'}), count = () => { root.innerHTML = `<p>${left}`;
    if (left--) setTimeout(count, 120) }; count()</script>"""
STREAMS = """<p id=root></p><script>
    new Response(new ReadableStream({ start(stream) {
    const end = () => { stream.enqueue(new TextEncoder().encode('its body')); stream.close() };
    setTimeout(end, 600) } })).text().then(text => root.textContent = text)</script>"""
OPENS = f"""<img src=/answer><script>setTimeout(() => {{
    document.open(); document.write('<p>anew {TEXT}<script>1</' + 'script>'); document.close()
    }}, 250)</script>"""

SCRIPT = {"Content-Type": "text/javascript"}
ANSWERS = {
    "/answer": (200, {}, "the answer"),
    "/inner/": (200, {}, INNER),
    "/asking/": (200, {}, f"<div id=root></div><script>{FETCHES}</script>"),
    "/slow.js": (200, SCRIPT, "root.textContent = 'by the script'"),
    "/slow.mjs": (200, SCRIPT, "root.textContent = 'by the module'"),
    "/slow.css": (200, {"Content-Type": "text/css"}, "p { color: navy }"),
}

# Pages with little text at first; the rest comes by what nobody sees from outside.
AROUND = f"<header><nav>{TEXT}</nav></header><p>Loading</p><div id=root></div><footer>{TEXT}"
FILLS = f"const fill = () => root.innerHTML = '<p>late {TEXT}'"
LATE = [
    f"{AROUND}<script>{FILLS}; onload = () => setTimeout(fill, 700)</script>",
    f"{AROUND}<script>{FILLS}; setTimeout(() => fetch('/answer').then(fill), 500)</script>",
    f"{AROUND}<script type=module>{FILLS}; await import('/slow.mjs'); fill()</script>",
    f"""{AROUND}<script>{FILLS};
    new Worker('data:,setTimeout(() => postMessage(1), 700)').onmessage = fill</script>""",
]

# By what is read of them: each page, and what stands in its HTML.
READ = {
    "an answer that was fetched": (f"<div id=root></div><script>{FETCHES}</script>", "the answer"),
    "an answer that was asked for": (f"<div id=root></div><script>{ASKS}</script>", "the answer"),
    "an answer whose body takes its time": (STREAMS, "its body</p>"),
    "an answer that a frame has asked for": (
        "<iframe src=/asking/ width=300 height=200></iframe>",
        "the answer",
    ),
    "an answer that is asked for just before the page is quiet enough": (
        f"<p id=root></p><p>{TEXT}<script>onload = () => setTimeout(() => {FETCHES}, 130)</script>",
        "the answer",
    ),
    "an answer to a script that has gone from its page": (
        f"<p id=root></p><script>document.currentScript.remove(); {FETCHES}</script>",
        "<p>the answer",
    ),
    "what a script writes later that has replaced its page": (
        f"""<body><script>document.body.innerHTML = '<p id=root>{TEXT}';
        setTimeout(() => root.textContent = 'written later', 100)</script>""",
        "written later",
    ),
    "an answer that a page without scripts asks for": (
        f'<div id=root></div><img src=x: onerror="{FETCHES}">',
        "<p>the answer",
    ),
    "what an added script writes": (ADDS.format("script", "{src: '/slow.js'}"), "by the script"),
    "what a preloaded module writes": (
        ADDS.format("link", "{rel: 'modulepreload', href: '/slow.mjs'}, import('/slow.mjs')"),
        "by the module",
    ),
    "what is written when a style sheet is there": (
        ADDS.format("link", "{rel: 'stylesheet', href: '/slow.css', onload() { root.append(1) }}"),
        '<p id="root">1</p>',
    ),
    "what changes in a shadow root": (CHANGES, "<p>0</p>"),
    "a document that is opened anew while it loads": (OPENS, "<p>anew"),
    "requests that work as ever": (
        f"<p>text<div id=root></div><script>{CHECKS}</script>",
        '<div id="root" title="InvalidStateError">rejected,rejected,fulfilledfetch 1</div>',
    ),
    "a shadow root and its slots": (ELEMENT, "from the shadow, <slot><b>its own</b></slot>"),
    "a declared shadow root": (
        "<div><template shadowrootmode=open><p>declared</template></div>",
        "<div><p>declared",
    ),
    "a frame in an attribute": (
        "<iframe srcdoc='<p>inside' width=300 height=200></iframe>",
        "<div><p>inside",
    ),
    "a frame of the same origin": (FRAME, "<div><p>from the frame"),
    "a frame of a page in XHTML": (
        f'{XHTML}<body><iframe src="/inner/" width="300" height="200"></iframe></body></html>',
        "<div><p>from the frame",
    ),
    "a set of frames": (
        "<frameset cols=50%,50%><frame src=/inner/><frame src=/inner/>",
        "<p>from the frame",
    ),
    "a link in a shadow root": (ELEMENT, 'href="/page/rel"'),
    "a link in a frame": (FRAME, 'href="/inner/rel"'),
    "where a script has moved the page": (
        "<script>history.pushState(0, '', '/a/?q=\"&b')</script><p>text",
        '<base href="/a/?q=%22&amp;b">',
    ),
    "what the page itself says that links are relative to": (
        "<base href=/b/><script>history.pushState(0, '', '/a/')</script><p>text",
        '<head><base href="/b/"><script>',
    ),
    "a page that went nowhere, as it is": (
        f"{FORM}<script>location.hash = 'x'; history.replaceState(0, '')</script>",
        '<html><head></head><body><form><input name="childNodes"><input name="shadowRoot"></form>'
        '<a href="x">y</a><script>',
    ),
}


def read(
    *bodies: str, rest: str = f"<p>{TEXT}", concurrency: int = 1, settle: float = 5
) -> list[RenderedPage]:
    """The pages as rendered, in their order; ``/answer`` takes its time. rest: of each page."""
    rendered: list[RenderedPage] = []
    with Web() as web:
        web.answers = ANSWERS
        web.slow = dict.fromkeys(["/answer", "/slow.js", "/slow.mjs", "/slow.css"], 0.6)

        def page(number: int, body: str) -> ServedPage:
            html = f"<!doctype html><head></head>{body}{rest}".encode()
            if body.startswith(XHTML):
                return ServedPage(f"{web.base}/page/{number}", 200, XML, body.encode())
            return ServedPage(f"{web.base}/page/{number}", 200, HTML, html)

        async def work(pool: BrowserPool, _: Browsers) -> None:
            pages = [page(number, body) for number, body in enumerate(bodies)]
            rendered.extend(await asyncio.gather(*map(pool.render, pages)))

        rendering(work, replace(OPTIONS, timeout=20, settle=settle, concurrency=concurrency))
        return [replace(one, html=one.html.replace(web.base, "")) for one in rendered]


@pytest.fixture(scope="module")
def pages() -> dict[str, RenderedPage]:
    return dict(zip(READ, read(*(body for body, _ in READ.values()), concurrency=3), strict=True))


@pytest.mark.parametrize("what", READ)
def test_it_is_read(pages: dict[str, RenderedPage], what: str) -> None:
    assert READ[what][1] in pages[what].html
    assert pages[what].is_loaded


def test_text_is_waited_for_while_there_is_little() -> None:
    for page in read(*LATE, rest="", concurrency=2):
        assert '<div id="root"><p>late' in page.html
        assert page.seconds < 5


def test_a_page_that_says_enough_is_waited_for_no_longer() -> None:
    [page] = read("<script>setTimeout(() => document.body.append('late'), 3000)</script>")
    assert page.is_loaded
    assert page.seconds < 3


def test_a_page_that_asks_again_and_again_is_taken_in_time_and_hidden_frames_are_not_read() -> None:
    polls = "(function ask() { fetch('/answer').then(ask) })()"
    hidden = FRAME.replace("300", "1")
    [page] = read(f"<body><p>text{hidden}<script>{polls}</script>", settle=1)
    assert page.is_loaded
    assert page.seconds < 4
    assert "from the frame" not in page.html


def test_no_page_goes_back_to_what_the_tab_drew_before() -> None:
    ways = ["history.back()", "history.go(-1)", "navigation.back()"]
    rendered = read("<p>first", "<p>second", *(f"<p>third<script>{way}</script>" for way in ways))
    for page in rendered[2:]:
        assert "<p>third" in page.html
        assert page.moved_to is None
