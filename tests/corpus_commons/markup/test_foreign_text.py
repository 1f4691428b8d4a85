"""Text that is no HTML is told from pages that look odd."""

from __future__ import annotations

import json

import pytest

from corpus_commons.markup.foreign_text import foreign_text
from tests.cpu_time import bounded_time

FEED = '<rss version="2.0"><channel><title>News</title><link>/a</link></channel></rss>'
ATOM = '<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title></feed>'
SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>/a</loc></url>'
RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><channel/></rdf:RDF>'
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
SCRIPT = (
    "(function () {var a = \"<p>it's</p>\", b = '<br />'; // <hr>\n f(`<div>${a<b}</div>`)})();"
)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("JSON", json.dumps([{"id": 1, "html": '<p class="a">One \\ two'}, None, True, -1.5e3])),
        ("JSON", '\n{"a": "<html><body>"}\n{"a": {}}\n'),
        ("JSON", "[]"),
        ("XML", FEED),
        ("XML", XML + FEED),
        ("XML", f"\n\n{XML}<!-- a --><?xml-stylesheet href='a.xsl'?>\n<!-- <html> -->{SITEMAP}"),
        ("XML", f"{XML}<!DOCTYPE rss [<!ENTITY a 'b'>]>{FEED}"),
        ("XML", XML + ATOM),
        ("XML", RDF),
        ("XML", f"{XML}<soap:Envelope><title>A</title></soap:Envelope>"),
        ("a program", ".a, #b > p:hover {color: #fff; margin: 0}\n" * 9),
        ("a program", '/* of <p> */ @media print {a {background: url("data:,<svg><a>")}}'),
        ("a program", SCRIPT),
        ("a program", '"use strict";\nvar a = document.createElement("<p>");'),
        ("a program", 'callback({"html": "<p>One</p>"})'),
        ("a program", ')]}\'\n{"html": "<p>One</p>"}'),
        ("a table or log", "".join(f'{row},"one, two",{row * 7}\r\n' for row in range(20))),
        ("a table or log", "word\tcount\n" + "boat\t3\n\n" * 20),
        (
            "a table or log",
            "2024-01-01 00:00:07 INFO started, as it should\n" * 9 + "[2024-01-01T00:00",
        ),
        ("a table or log", '10.0.0.1 - - [01/May/2026:12:00:00 +0000] "GET / HTTP/1.1" 200\n' * 20),
    ],
)
def test_what_is_no_html_is_named(kind: str, text: str) -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-be"):
        assert foreign_text(text.encode(encoding)) == kind


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "A text without any tag, which browsers show as a paragraph.",
        "Request for Comments: 3028\n\n  This document describes a language, for mail.\n" * 20,
        "\tOne line of a poem\n" * 20,
        "words, and words\n" * 500 + "<pre>",
        "words, and words\n" * 500 + "one <br/> tag",
        "a,b\n" * 500 + "<b>c</b>",
        "<!-- a --> <!-- <rss> -->\n<p>One",
        "<!doctype html><rss-reader></rss-reader><p>One",
        f'{XML}<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "a"><html><p>One</p>',
        f"{XML}<!-- a --><div>One</div>",
        f"{XML}<h:html xmlns:h='http://www.w3.org/1999/xhtml'><h:body/></h:html>",
        f"{XML}<f:view><html><p>One</html></f:view>",
        f"<p>The feed is:</p>{FEED}",
        "<svg><path d='M0 0'/></svg><p>One",
        "<my-page>One</my-page>",
        "{name} <p>was here",
        '["Quoted", she said] <p>One',
        '["Quoted <p>One',
        '{"@type": "WebPage"}\n<html><p>One',
        'body {color: red} <p class="a">One',
        "var a = 1;\n<!DOCTYPE html><p class='a'>One",
        "window.a = '<b>'; <p>Don't. Can't.",
        "Note [1]: words, and words\n" * 9 + "2024-01-01 12:00 The end\n",
    ],
)
def test_an_odd_page_is_html(text: str) -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-be"):
        assert foreign_text(text.encode(encoding)) == ""


@pytest.mark.parametrize(
    ("start", "again"),
    [
        ("", "<!--"),
        ("<?xml", "<?"),
        ("<", "a-"),
        ("[", '"\\'),
        ("[", '""'),
        ("var a=", '"\\'),
        ("var a=", "`'\""),
        ("var a=", "/*"),
        ("", "/*"),
        ("function ", " "),
        ("", ".a "),
        ("", ",\n"),
    ],
)
def test_it_takes_linear_time(start: str, again: str) -> None:
    with bounded_time():
        foreign_text((start + again * 1_000_000).encode())
