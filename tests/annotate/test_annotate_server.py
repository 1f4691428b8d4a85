"""Who may talk to the server, and what becomes of hostile pages on their way to the browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import orjson
import pytest
from asking import asked
from labelling_tool import desk_of, serving, stories
from selectolax.lexbor import LexborHTMLParser

from annotate.harmless import MARK, harmless
from corpus_commons.markup.dom import parse
from corpus_commons.web.guard import MAX_BODY
from extraction.page.segmentation import segment

HOSTILE = """<!doctype html><html onload=evil() manifest=//evil.example><head>
<base href=//evil.example><meta http-equiv=refresh content="0;url=//evil.example">
<link rel=stylesheet href=//evil.example/a.css><script>evil()</script>
<style>p { background: url(//evil.example/p) } /* </style><style>*/ </style></head>
<body onclick=evil() background=//evil.example/b><p>First text</p>
<svg onload=evil()><style>&lt;/style>&lt;script>evil()&lt;/script></style>
<a xlink:href=javascript:evil()><text>Text in a picture</text></a>
<foreignObject><p onmouseover=evil()>Foreign</p></foreignObject></svg>
<math><mtext><img src=x onerror=evil()></mtext></math>
<img src=//evil.example/i srcset=//evil.example/s alt='" onerror=evil() x="'>
<img src="data:image/svg+xml,<svg onload=evil()>"><img src="data:image/png;base64,AAAA">
<a href=javascript:evil() ping=//evil.example target=_top>A link</a>
<iframe srcdoc="<script>evil()</script>"></iframe>
<object data=//evil.example></object><embed src=//evil.example>
<form action=//evil.example><button formaction=javascript:evil()>Send</button>
<input autofocus onfocus=evil()></form><template><script>evil()</script></template>
<details ontoggle=evil()><summary>More</summary>Inside</details>
<noscript><p>Unseen <img src=//evil.example onerror=evil()></noscript>
<x-card is=evil onclick=evil()>Own element</x-card><p>&lt;script>evil()&lt;/script> as text</p>
<plaintext><script>evil()</script>"""


def framed(html: str) -> str:
    dom = parse(html)
    return harmless(dom, segment(dom).block_of)


def test_nothing_that_runs_or_loads_is_left_of_a_hostile_page() -> None:
    tree = LexborHTMLParser(framed(HOSTILE))
    assert tree.root is not None
    names = {node.tag for node in tree.root.traverse()}
    assert not names & {
        *("script", "iframe", "object", "embed", "base", "link", "form", "input", "svg", "math"),
        *("template", "noscript", "plaintext", "frame", "x-card", "foreignobject"),
    }
    attributes = {
        (key, value or "")
        for node in tree.root.traverse()
        for key, value in node.attributes.items()
    }
    keys = {key for key, _ in attributes}
    assert not {key for key in keys if key.startswith("on") or ":" in key}
    assert not keys & {"href", "action", "formaction", "srcset", "srcdoc", "ping", "is", "target"}
    assert [value for key, value in attributes if key == "src"] == ["data:image/png;base64,AAAA"]
    texts = [node.text() for node in tree.css(MARK)]
    for wanted in ("First text", "A link", "Text in a picture", "Foreign", "Own element", "Inside"):
        assert wanted in " ".join(texts)
    assert "<script>evil()</script> as text" in texts


def test_every_block_is_marked_with_its_number() -> None:
    dom = parse("<h1>One</h1><p>Two <b>bold</b> words<table><tr><td>Three<td>Four</table>")
    blocks = segment(dom)
    tree = LexborHTMLParser(harmless(dom, blocks.block_of))
    found = [(int(node.attributes["b"] or -1), node.text()) for node in tree.css(MARK)]
    assert found == [(0, "One"), (1, "Two "), (1, "bold"), (1, " words"), (2, "Three"), (3, "Four")]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("server")
    with (
        desk_of(stories(folder / "p.jsonl", 2), folder / "labels.jsonl") as desk,
        serving(desk) as found,
    ):
        yield found


def test_only_the_whole_address_opens_the_door(address: str) -> None:
    assert asked(address)[0] == 200
    root = address[: address.index("/", 8) + 1]
    for other in (root, f"{root}x/", root + "static/annotate.css", f"{address[:-2]}/"):
        assert asked(other)[0] == 403


def test_another_host_is_refused_as_after_a_rebinding_of_its_name(address: str) -> None:
    port = urlsplit(address).port
    assert asked(address, Host=f"localhost:{port}")[0] == 200
    for host in (f"evil.example:{port}", "127.0.0.1", f"127.0.0.1.evil.example:{port}", ""):
        assert asked(address, Host=host)[0] == 403


def test_changes_come_from_our_own_pages_only(address: str) -> None:
    origin = address[: address.index("/", 8)]
    body = b'{"by": "Ada", "done": true, "page_type": "forum"}'

    def said(**headers: str) -> int:
        return asked(address, "pages/0/label", method="POST", body=body, **headers)[0]

    assert said(Origin=origin) == 200
    for headers in ({}, {"Origin": "null"}, {"Origin": "https://evil.example"}):
        assert said(**headers) == 403
    assert said(Origin=origin, Content_Length=str(MAX_BODY + 1)) == 403


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("pages/9?by=Ada", 404),
        ("pages/0?by=", 400),
        ("pages/0", 400),
        ("next?by=Ada&after=x", 303),
        ("pages/0/screenshot?by=Ada", 404),
        ("static/../server.py", 404),
    ],
)
def test_odd_requests_are_answered(address: str, path: str, status: int) -> None:
    assert asked(address, path)[0] == status


def test_a_wrong_label_is_refused_and_not_written(address: str) -> None:
    origin = address[: address.index("/", 8)]
    for body in (b"", b"[]", b'{"by": ""}', b'{"by": "Ada", "spans": [[0, 1, "kept"]]}'):
        status, answer, _ = asked(address, "pages/1/label", method="POST", body=body, Origin=origin)
        assert (status, bool(orjson.loads(answer)["error"])) == (400, True)


def test_pages_are_small_and_say_what_a_browser_may_do_with_them(address: str) -> None:
    status, body, headers = asked(address, "pages/0?by=%3Cscript%3Eevil()%3C/script%3E")
    assert status == 200
    assert b"<script>evil" not in body
    assert "default-src 'none'; script-src 'self'" in headers["content-security-policy"]
    assert headers["referrer-policy"] == "no-referrer"
    parts = re.findall(r'(?:href|src)="/[^/"]+/((?:static|page)[^"]+\.(?:css|js))"', body.decode())
    scripts = Path(__file__).parents[2] / "annotate" / "static"
    size = len(body) + sum(len(asked(address, part)[1]) for part in parts)
    assert size + sum(file.stat().st_size for file in scripts.glob("*.js")) < 60_000
    _, _, framed_headers = asked(address, "pages/0/frame?by=Ada")
    assert framed_headers["content-security-policy"].endswith("sandbox allow-same-origin")
