"""Main content as Markdown and HTML: what is written, and that it reads as the plain text does."""

from __future__ import annotations

import html
import re
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from nasty_pages import FILES, GROWN

from extraction import Extraction, Output, extract, parse
from extraction.blocks import segment
from extraction.formats import Content, write
from extraction.selection import Selection
from extraction.writing import written
from markup.tags import BLOCK_LEVEL

URL = "https://example.org/a/b.html"
RENDERER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
BLOCK_TAG = re.compile(rf"</?(?:{'|'.join(sorted(BLOCK_LEVEL | {'br'}))})\b[^>]*>")
TAG = re.compile(r"</?[a-z][a-z0-9]*\b[^>]*>")
ALLOWED = frozenset(
    "h1 h2 h3 h4 h5 h6 p ul ol dl li dt dd blockquote pre code table tr td th br "
    "a img strong em s sub sup".split()
)


def markdown(body: str, **options: bool) -> str:
    return extract(f"<body>{body}", method="all-text", url=URL, format="markdown", **options).text


def fragment(body: str, **options: bool) -> str:
    return extract(f"<body>{body}", method="all-text", url=URL, format="html", **options).text


def words(markup: str) -> list[str]:
    """The words that a reader of the HTML sees."""
    return html.unescape(TAG.sub("", BLOCK_TAG.sub(" ", markup))).split()


MARKDOWN = {
    "headings have their level": ("<h1>A</h1><h3>B</h3>", "# A\n\n### B"),
    "a heading is one line": ("<h2>A<br>B</h2>", "## A B"),
    "a heading is not bold besides": ("<h2><b>A</b></h2>", "## A"),
    "a heading ends in no signs": ("<h2>C #</h2>", "## C \\#"),
    "items follow each other": ("<ul><li>a<li>b</ul>", "- a\n- b"),
    "lists are nested": (
        "<ul><li>a<ul><li>b<ul><li>c</ul></ul><li>d</ul>",
        "- a\n  - b\n    - c\n- d",
    ),
    "a list that lies in a list goes on with its item": (
        "<ul><li>a</li><ul><li>b</ul><li>c</ul>",
        "- a\n  - b\n- c",
    ),
    "an item without a list is one": ("<div><li>a<li>b</div>", "- a\n- b"),
    "text in a list is no item": ("<ul>x<li>a</ul>", "x\n\n- a"),
    "items are numbered as they are shown": (
        "<ol start=9><li>a<li>b<li value=3>c<li>d</ol>",
        "9. a\n10. b\n3. c\n4. d",
    ),
    "items of numbered items are indented by their number": (
        "<ol start=10><li>a<ul><li>b</ul></ol>",
        "10. a\n    - b",
    ),
    "numbers from 2 on do not interrupt": ("<ul><li>a<ol start=2><li>b</ol></ul>", "- a\n\n  2. b"),
    "two lists stay two": ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b"),
    "two numbered lists stay two": ("<ol><li>a</ol><ol><li>b</ol>", "1. a\n\n1) b"),
    "an item of several paragraphs": ("<ul><li><p>a<p>b<li>c</ul>", "- a\n\n  b\n- c"),
    "terms and definitions are items": ("<dl><dt>a<dd>b</dl>", "- a\n- b"),
    "quotations": ("<blockquote><p>a<p>b</blockquote>c", "> a\n>\n> b\n\nc"),
    "a list in a quotation in an item": (
        "<ul><li>a<blockquote><ul><li>b</ul></blockquote></ul>",
        "- a\n\n  > - b",
    ),
    "a line break": ("a<br>b", "a  \nb"),
    "emphasis": ("<i>a</i> <b>b</b> <del>c</del>", "*a* **b** ~~c~~"),
    "emphasis in emphasis": ("<b>a <i>b</i></b>", "**a *b***"),
    "space stays outside": ("a<b> b </b>c", "a **b** c"),
    "emphasis within a word": ("un<b>believ</b>able", "un**believ**able"),
    "emphasis that no renderer would see is left out": ("重<b>点。</b>中", "重点。中"),
    "touching emphasis is left out": ("<b>a</b><i>b</i>", "**a**b"),
    "code in text": ("<code>a_*b</code>", "`a_*b`"),
    "code with backticks": ("<code>a`b</code> <code>`</code>", "``a`b`` `` ` ``"),
    "fenced code": ("<pre>a\n  b\n\nc</pre>", "```\na\n  b\n\nc\n```"),
    "a fence longer than those inside": ("<pre>```\n</pre>", "````\n```\n````"),
    "lines of code in elements of their own": (
        "<pre><div>a</div><div>b</div></pre>",
        "```\na\nb\n```",
    ),
    "code in an item": ("<ul><li>a<pre>b\n\nc</pre></ul>", "- a\n\n  ```\n  b\n\n  c\n  ```"),
    "a table": (
        "<table><tr><th>A<th>B<tr><td>c<td>d</table>",
        "| A | B |\n| --- | --- |\n| c | d |",
    ),
    "cells are escaped": (
        "<table><tr><td>a|b<td>c<br>d<tr><td><code>|</code><td>e</table>",
        "| a\\|b | c<br>d |\n| --- | --- |\n| `\\|` | e |",
    ),
    "the header is as wide as the widest row": (
        "<table><tr><td>a<td>b<tr><td>c<td>d<td>e</table>",
        "| a | b |  |\n| --- | --- | --- |\n| c | d | e |",
    ),
    "spans leave empty cells": (
        "<table><tr><td rowspan=2>a<td colspan=2>b<td>c<tr><td>d<td>e<td>f</table>",
        "| a | b |  | c |\n| --- | --- | --- | --- |\n|  | d | e | f |",
    ),
    "blocks of a cell are lines": (
        "<table><tr><th>A<th>B<tr><td>c<td><p>d<ul><li>e</ul></table>",
        "| A | B |\n| --- | --- |\n| c | d<br>e |",
    ),
    "powers and notes": (
        "10<sup>15</sup> in 2017<sup><a href='#f'>3</a></sup>",
        "10^15 in 2017 [3]",
    ),
    "permalinks of headings are left out": ("<h2>Cache <a href='#c'>¶</a></h2>", "## Cache"),
    "readings of ruby": (
        "<ruby><b>東京</b><rt>とうきょう</rt><rb>都</rb></ruby>",
        "**東京**（とうきょう）都",
    ),
    "a table that lays out a page is none": ("<table><tr><td><p>a<p>b<td>c</table>", "a\n\nb\n\nc"),
    "code in columns is no table": (
        "<table><tr><td><pre>1\n2</pre><td><pre>a\nb</pre></table>",
        "```\n1\n2\n```\n\n```\na\nb\n```",
    ),
    "an empty page": ("", ""),
}  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), MARKDOWN.values(), ids=MARKDOWN.keys())
def test_markdown(body: str, expected: str) -> None:
    assert markdown(body) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("# a", "- a", "+ a", "* a", "1. a", "2) a", "> a", "---", "===", "***", "___", "```"),
        *("~~~", "| a |", ":-- | --:", "[a](b)", "[a]: b", "![a](b)", "<b>", "&amp;", "a * b * c"),
        *("_a_ b_c_d", "\\*", "\\", "C:\\dir\\*", "[ ] a", "~~a~~", "~a~", "`a`", "<https://a.b>"),
    ],
)
def test_text_that_looks_like_markdown_is_text(text: str) -> None:
    body = html.escape(text)
    assert words(RENDERER.render(markdown(f"<p>{body}</p>"))) == text.split()
    assert words(RENDERER.render(markdown(f"<p>a<br>{body}</p>"))) == ["a", *text.split()]


def test_plain_words_are_left_alone() -> None:
    text = "Mr. O'Neil (a.k.a. J_R): 50% of $5, snake_case, x < y & R&D [1]; #tag 1.5 - 2 = ~3!"
    assert markdown(f"<p>{html.escape(text)}</p>") == text


@pytest.mark.parametrize(
    ("attributes", "language"),
    [
        ('<pre class="language-python">', "python"),
        ('<pre><code class="hljs lang-js">', "js"),
        ('<pre class="brush: java; toolbar: false">', "java"),
        ('<pre class="sourceCode haskell">', "haskell"),
        ('<div class="highlight-c++ notranslate"><div class="highlight"><pre>', "c++"),
        ('<div class="highlight highlight-source-shell"><pre>', "shell"),
        ('<pre data-lang="Rust">', "rust"),
        ('<pre class="language-none">', ""),
        ('<pre class="highlight notranslate">', ""),
        ('<pre class="lang-`x`">', ""),
    ],
)
def test_the_language_of_code(attributes: str, language: str) -> None:
    assert markdown(f"{attributes}x = 1") == f"```{language}\nx = 1\n```"


HTML = {
    "paragraphs and headings": ("<div>a<h2>B</h2></div>", "<p>a</p>\n<h2>B</h2>"),
    "lists": (
        "<ul><li>a<ol><li>b</ol><li><p>c<p>d</ul>",
        "<ul>\n<li>a\n<ol>\n<li>b</li>\n</ol></li>\n<li>c\n<p>d</p></li>\n</ul>",
    ),
    "terms": ("<dl><dt>a<dd>b</dl>", "<dl>\n<dt>a</dt>\n<dd>b</dd>\n</dl>"),
    "quotations": ("<blockquote>a</blockquote>", "<blockquote>\n<p>a</p>\n</blockquote>"),
    "code": (
        "<pre class=language-c>a &lt; b\n  c</pre>",
        "<pre><code>a &lt; b\n  c</code></pre>",
    ),
    "tables": (
        "<table><tr><th>A<th>B<tr><td>c<td>d</table>",
        "<table>\n<tr><th>A</th><th>B</th></tr>\n<tr><td>c</td><td>d</td></tr>\n</table>",
    ),
    "marks": (
        "<b onclick=x>a <em>b</em></b> H<sub>2</sub>O <kbd>c</kbd>",
        "<p><strong>a <em>b</em></strong> H<sub>2</sub>O <code>c</code></p>",
    ),
    "powers and notes are raised": (
        "10<sup>15</sup> in 2017<sup><a href='#f'>3</a></sup>",
        "<p>10<sup>15</sup> in 2017<sup>3</sup></p>",
    ),
    "blocks of a cell are lines": (
        "<table><tr><td>a<td>b<tr><td>c<td><p>d<p>e</table>",
        "<table>\n<tr><td>a</td><td>b</td></tr>\n<tr><td>c</td><td>d<br>\ne</td></tr>\n</table>",
    ),
    "text is escaped": ("&lt;script&gt; &amp; \"'", "<p>&lt;script&gt; &amp; &quot;'</p>"),
    "a line break": ("a<br>b", "<p>a<br>\nb</p>"),
}


@pytest.mark.parametrize(("body", "expected"), HTML.values(), ids=HTML.keys())
def test_html(body: str, expected: str) -> None:
    assert fragment(body) == expected


def test_links_are_absolute_and_lead_somewhere() -> None:
    body = (
        '<a href="../c d">a</a> <a href="//e.org/(x)">b</a> <a href="mailto:x@y.z">c</a> '
        '<a href="#top">d</a> <a href="javascript:alert(1)">e</a> <a href="data:text/html,x">f</a> '
        '<a href="http://[">g</a> <a>h</a> <a href="  HTTPS://E.org/?a=1&amp;b=&quot;">i</a>'
    )
    assert markdown(body, links=True) == (
        "[a](https://example.org/c%20d) [b](https://e.org/%28x%29) [c](mailto:x@y.z) "
        "d e f g h [i](https://E.org/?a=1&b=%22)"
    )
    assert fragment(body, links=True).startswith('<p><a href="https://example.org/c%20d">a</a> ')
    assert markdown(body) == "a b c d e f g h i"


def test_links_are_resolved_against_the_base() -> None:
    page = "<base href='/x/'><body><a href=y>a</a>"
    kept = extract(page, method="all-text", url=URL, format="markdown", links=True)
    assert kept.text == "[a](https://example.org/x/y)"
    unknown = extract(page, method="all-text", format="markdown", links=True)
    assert unknown.text == "a"


def test_a_link_may_hold_brackets_marks_and_pictures() -> None:
    body = '<p>wow!<a href="/x">[a] <b>b</b><img src="/p.png" alt="A"> c</a></p>'
    assert markdown(body, links=True, images=True) == (
        "wow\\![\\[a\\] **b** ![A](https://example.org/p.png) c](https://example.org/x)"
    )


def kept_of(page: str, dropped: str, output: Output) -> Extraction:
    """Everything but the blocks with this text."""
    segmentation = segment(parse(page))
    chosen = np.array([text != dropped for text in segmentation.texts] + [False])
    selection = Selection(segmentation, chosen[segmentation.block_of])
    return written(Extraction("", selection.blocks(), selection=selection), output, url=URL)


def test_images_stand_inside_and_between_kept_blocks() -> None:
    page = (
        "<body><img src=/before.png><p>a</p><img src=/between.png alt='x [y]'><p>b "
        "<img src=/inside.png> c</p><img src=/by-noise.png><p>noise</p><img src=/after.png>"
    )
    output = Output("markdown", images=True)
    found = kept_of(page, "noise", output)
    assert found.text == (
        "a\n\n![x \\[y\\]](https://example.org/between.png)\n\n"
        "b ![](https://example.org/inside.png) c"
    )
    assert [image.url[20:] for image in found.images] == ["between.png", "inside.png"]


def test_images_that_are_none_are_left_out() -> None:
    body = "a{}b<p>c"
    for image in (
        "<img src='data:image/png;base64,AAAA'>",
        "<img src=/x.gif width=1 height=1>",
        "<img src=/x.gif hidden>",
        "<img alt=x>",
        "<img src='javascript:x'>",
    ):
        assert fragment(body.format(image), images=True) == fragment(body.format(""))
    late = "<img src='data:image/gif;base64,R0' data-src=/x.png alt='&quot;>'>"
    shown = '<img src="https://example.org/x.png" alt="&quot;&gt;">'
    assert fragment(body.format(late * 2), images=True) == f"<p>a{shown}b</p>\n<p>c</p>"


def test_a_method_that_judges_images_decides_itself() -> None:
    sentence = "The council voted to restore the old bridge, and work will begin in spring. "
    page = (
        "<body><nav><img src=/logo.png width=20 height=20><a href=/>Home</a></nav><article>"
        f"<h1>Bridge</h1><figure><img src=/bridge.jpg width=800 height=600></figure>"
        f"{f'<p>{sentence * 3}</p>' * 8}</article>"
    )
    found = extract(page, method="elements", url=URL, format="markdown", images=True)
    written_images = re.findall(r"!\[]\((.*?)\)", found.text)
    assert written_images == [image.url for image in found.images]


def test_a_library_gives_paragraphs() -> None:
    pytest.importorskip("resiliparse")
    page = "<body><main><p>a * b</p><p>c &lt;d&gt;</p></main>"
    assert extract(page, method="resiliparse", format="markdown").text == "a \\* b\n\nc \\<d>"
    assert extract(page, method="resiliparse", format="html").text == (
        "<p>a * b</p>\n<p>c &lt;d&gt;</p>"
    )


def test_an_output_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="format is 'md'; it must be one of text, markdown, html"):
        extract("", format="md")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="plain text shows no links"):
        extract("", links=True)


def check(page: str | bytes, kept_blocks: list[bool], kept_nodes: list[bool]) -> None:
    """All formats have the same words, and the HTML holds nothing but what is allowed."""
    segmentation = segment(parse(page))
    kept = np.resize(np.array(kept_blocks), len(segmentation) + 1)[segmentation.block_of]
    kept &= np.resize(np.array(kept_nodes), len(kept))
    selection = Selection(segmentation, kept & (segmentation.block_of >= 0))
    content = Content(selection.blocks(), selection, base=URL)
    plain = write(content, "text").split()
    fragment_ = write(content, "html")
    assert words(fragment_) == plain
    dom = parse(fragment_)
    assert set(dom.tags) <= ALLOWED | {"#text", "html", "head", "body", "tbody"}
    assert {name for attributes in dom.attributes for name in attributes} <= {"href"}
    assert words("".join(_tagged(dom))) == plain
    assert words(RENDERER.render(write(content, "markdown"))) == plain


def _tagged(dom) -> list[str]:
    """The text of the parsed page again, and a sign where elements begin and end."""
    ends: list[list[str]] = [[] for _ in range(len(dom) + 1)]
    pieces = []
    for node, tag in enumerate(dom.tags):
        pieces += ends[node]
        pieces.append(f"<{tag}>" if tag != "#text" else html.escape(dom.texts[node]))
        if tag != "#text":
            ends[dom.ends[node]].append(f"</{tag}>")
    return pieces


masks = st.lists(st.booleans(), min_size=1, max_size=7)
ALL = [True]


@pytest.mark.parametrize("page", FILES.values(), ids=FILES.keys())
def test_nasty_pages_have_the_same_words_in_every_format(page) -> None:
    check(page.read_bytes(), ALL, ALL)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(sorted(FILES)), masks, masks)
def test_so_has_any_kept_part_of_them(name: str, blocks: list[bool], nodes: list[bool]) -> None:
    check(FILES[name].read_bytes(), blocks, nodes)


@pytest.mark.parametrize("made", GROWN.values(), ids=GROWN.keys())
def test_so_have_grown_nasty_pages(made) -> None:
    check(made(4_000), [True, True, False], ALL)


FRAGMENTS = (
    "<p> </p> <div> </div> <ul> <ol> <ol¤start=7> </ul> </ol> <li> </li> <dl> <dt> <dd> "
    "<blockquote> </blockquote> <table> <tr> <td> <th> <td¤colspan=3> <td¤rowspan=2> </table> "
    "<pre> </pre> <code> </code> <b> </b> <i> </i> <s> </s> <del> </del> <sup> </sup> "
    "<a¤href=/x_(y)> </a> <h1> </h1> <br> <hr> word ¤ 中文 。 * ** _ __ ` `` ~ ~~ [ ] ( ) [a](b) "
    "[a]:¤b \\ ! &lt; &lt;b&gt; &amp;amp; & # #¤x -¤ - --- === + 1. 1) &gt; | a|b :-- --- ¤x "
    'http://a.b " . &shy; &nbsp; é'
).split()


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=14), masks, masks)
def test_so_has_any_page(fragments: list[str], blocks: list[bool], nodes: list[bool]) -> None:
    check(f"<body>{''.join(fragments).replace('¤', ' ')}", blocks, nodes)


@pytest.mark.parametrize("made", GROWN.values(), ids=GROWN.keys())
def test_large_pages_are_written_in_bounded_time_and_space(made) -> None:
    page = made(200_000)
    segmentation = segment(parse(page))
    selection = Selection(segmentation, segmentation.block_of >= 0)
    content = Content(selection.blocks(), selection, base=URL)
    started = time.process_time()
    for form in ("markdown", "html"):
        assert len(write(content, form)) < 40 * len(page)
    assert time.process_time() - started < 10
