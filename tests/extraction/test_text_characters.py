"""The characters of a text: invisible ones, controls, other scripts, references."""

from __future__ import annotations

import pytest

from extraction import extract

CASES = {
    "soft hyphens are not text": ("hy\u00adphen&shy;ate", "hyphenate"),
    "zero-width characters are not text": ("a\u200bb\ufeffc\u2060d", "abcd"),
    "zero-width joiners shape letters": (
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    ),
    "so they do beside letters of other scripts, and where a word ends": (
        "PDF\u200c\u0647\u0627 \u0d28\u0d4d\u200d.",
        "PDF\u200c\u0647\u0627 \u0d28\u0d4d\u200d.",
    ),
    "zero-width joiners make emoji": ("👩\u200d👧 ❤\ufe0f\u200d🔥", "👩\u200d👧 ❤\ufe0f\u200d🔥"),
    "zero-width joiners that shape nothing are not text": (
        "<p>\u200da\u200c\u200d é\u200cé \u200d b</p><p>\u200c</p><p>\u200d \u200b</p>",
        "a éé b",
    ),
    "marks of direction stand beside letters that are written from the right": (
        "\u05d0\u200e (\u200fA\u200e) \u202bB\u202c \u2067\u0628\u2069 \u061c",
        "\u05d0\u200e (A) B \u2067\u0628\u2069",
    ),
    "marks of direction part no words": ("<a>\u200eNews\u200e</a><a>\u200eSport</a>", "News Sport"),
    "controls are not text, in code either": (
        "a\x1b[1mb\x7f\x1f c&#7;\u0085é\u009b<pre>d\x1be\x0c&#13;\n\tf</pre>",
        "a[1mb cé\n\nde\n\tf",
    ),
    "controls are no block": ("<p>\x07</p><p>\u0085 \x1b</p><p>a</p>", "a"),
    "invisible signs of formulas are not text": ("<p>f\u2061(x)\u2062y<p>\u2063", "f(x)y"),
    "<wbr> does not part a word": ("super<wbr>cali", "supercali"),
    "Chinese is not spaced": ("<p>中文<b>网</b>页</p>", "中文网页"),
    "right-to-left text stays in reading order": ("<p dir=rtl>שלום <b>עולם</b></p>", "שלום עולם"),
    "private-use characters are text": ("a\ue000b", "a\ue000b"),
    "named and numbered references are read": ("&lt;p&gt; &#8364; &euro;", "<p> € €"),
    "invalid references are left or replaced": ("&nosuch; &#x110000; &", "&nosuch; \ufffd &"),
    "lone surrogates are replaced": ("a\ud800b", "a?b"),
    "NULs are dropped": ("a\0b", "ab"),
}


@pytest.mark.parametrize(("body", "expected"), CASES.values(), ids=CASES.keys())
def test_text(body: str, expected: str) -> None:
    assert extract(f"<body>{body}</body>", method="all-text").text == expected
