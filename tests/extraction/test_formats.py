"""Main content written as Markdown and HTML."""

from __future__ import annotations

import html

import pytest
from formatted import fragment, markdown
from shown_words import RENDERER, words

from extraction import extract

TEX = "<math><semantics><mi>x</mi><annotation encoding=TeX>{}</annotation></semantics></math>"

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
    "numbers that Markdown has none for are the nearest that it has": (
        "<ol start=-1><li>a<li>b<li>c</ol><ol start=999999999><li>d<li>e</ol>",
        "0. a\n0. b\n1. c\n\n999999999) d\n999999999) e",
    ),
    "items of a reversed list are counted down": (
        "<ol reversed><li>a<li>b<ul><li>x</ul><li>c</ol><ol reversed start=8><li>d<li>e</ol>",
        "3. a\n2. b\n   - x\n1. c\n\n8) d\n7) e",
    ),
    "items of numbered items are indented by their number": (
        "<ol start=10><li>a<ul><li>b</ul></ol>",
        "10. a\n    - b",
    ),
    "numbers from 2 on do not interrupt": ("<ul><li>a<ol start=2><li>b</ol></ul>", "- a\n\n  2. b"),
    "white space at the edges of a mark stays outside": (
        "<p>x<b> y </b>z, <i>At <b>X</b>. All.</i>, <i>A</i> <b><i>B</i></b> <i>C</i>",
        "x **y** z, *At* **_X_**_. All._, *A* **_B_** *C*",
    ),
    "symbols are edges": (
        "<p>cost$<b>(5)</b>, <code>a <var>b</var> !<var>c</var></code>",
        "cost$**(5)**, `a` *`b`* `!`*`c`*",
    ),
    "marks within code are edges": (
        "<p><code>a<b>b</b>c</code>, <code><i>d</i>e</code>, <code>f<b><i>*</i></b>g</code>",
        "`a`**`b`**`c`, *`d`*`e`, `f`**_`*`_**`g`",
    ),
    "lines of code in a line": ("<p><kbd>a<br>b</kbd>", "`a`  \n`b`"),
    "rows end the spans of their group": (
        "<table><thead><tr><th rowspan=2>A<th>B</thead><tr><td>1<td>2<tr><td>3<td>4</table>",
        "| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |",
    ),
    "an empty row is a row, and a span may last as long as its group": (
        "<table><tr><th>A<th>B<tr><td rowspan=2>1<td>2</tr><tr></tr><tr><td rowspan=0>3<td>4"
        "<tr><td>5</table>",
        "| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n|  | 5 |",
    ),
    "all rows are of one length": (
        "<table><tr><th>A<th>B<tr><td>1<tr><td>2<td>3</table>",
        "| A | B |\n| --- | --- |\n| 1 |  |\n| 2 | 3 |",
    ),
    "but for very long ones": (
        f"<table><tr>{'<th>A' * 70}<tr><td>1<td>2</table>",
        f"|{' A |' * 70}\n|{' --- |' * 70}\n| 1 | 2 |{'  |' * 62}",
    ),
    "two lists stay two": ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b"),
    "two numbered lists stay two": ("<ol><li>a</ol><ol><li>b</ol>", "1. a\n\n1) b"),
    "an item of several paragraphs": ("<ul><li><p>a<p>b<li>c</ul>", "- a\n\n  b\n- c"),
    "a term and its definition are an item": (
        "<dl><dt>a<dd>b<dt><b>c</b> <i>d</i><dd><p>e<p>f</dl>",
        "- **a**\n\n  b\n- **c _d_**\n\n  e\n\n  f",
    ),
    "terms with one definition, and one with two": (
        "<dl><dt>a<dt>b<dd>c<div><dt>d<dd>e<dd>f</div></dl>",
        "- **a**\n\n  **b**\n\n  c\n- **d**\n\n  e\n\n  f",
    ),
    "terms without definitions, definitions without terms": (
        "<dl><dd>a<dd>b<dt>c</dl>",
        "- a\n- b\n- **c**",
    ),
    "lists in definitions": (
        "<dl><dt>a<dd><ul><li>b</ul><dl><dt>c<dd>d</dl></dl>",
        "- **a**\n\n  - b\n\n  * **c**\n\n    d",
    ),
    "quotations": ("<blockquote><p>a<p>b</blockquote>c", "> a\n>\n> b\n\nc"),
    "a list in a quotation in an item": (
        "<ul><li>a<blockquote><ul><li>b</ul></blockquote></ul>",
        "- a\n\n  > - b",
    ),
    "a line break": ("a<br>b", "a  \nb"),
    "emphasis": ("<i>a</i> <b>b</b> <del>c</del>", "*a* **b** ~~c~~"),
    "emphasis in emphasis": ("<b>a <i>b</i></b>", "**a _b_**"),
    "emphasis that begins with emphasis": (
        "<b><i>Tip</i> b</b>, <b><i>c</i></b>",
        "**_Tip_ b**, **_c_**",
    ),
    "emphasis within a word of emphasis": ("<b><i>a</i>b</b>", "***a*b**"),
    "space stays outside": ("a<b> b </b>c", "a **b** c"),
    "emphasis within a word": ("un<b>believ</b>able", "un**believ**able"),
    "emphasis that no renderer would see is left out": ("重<b>点。</b>中", "重点。中"),
    "touching emphasis": ("<b>a</b><i>b</i>", "**a**_b_"),
    "touching emphasis that no renderer would see is left out": ("<b>a</b><i>b</i>c", "**a**bc"),
    "code in text": ("<code>a_*b</code>", "`a_*b`"),
    "formulas": (
        f"Let {TEX.format('a_{i}^{*} < |b|')} be {TEX.format('x')}, {TEX.format('y$z$')}.",
        "Let $a_{i}^{*} < |b|$ be $x$, y\\$z$.",
    ),
    "a formula on lines of its own": (
        f"<p>Then<p><span class=katex-display>{TEX.format('a_{i} = 1')}</span><p>"
        "<math display=block><semantics><mi>x</mi><annotation encoding=TeX>b</annotation></math>"
        "<p><script type='math/tex; mode=display'>c</script>",
        "Then\n\n$$a_{i} = 1$$\n\n$$b$$\n\n$$c$$",
    ),
    "formulas that a script would draw": (
        r"<p>\( x_1 * y \) and \[\alpha_{i}\], $$b_{2}$$, $c_3$; \(or\) [$d_4$] <b>$e^5$</b>",
        r"$x_1 * y$ and $$\alpha_{i}$$, $$b_{2}$$, $c_3$; \\(or\\) [$d_4$] **$e^5$**",
    ),
    "pictures of formulas": ("So <img class=tex alt='a_1*b' src=a.png>!", "So $a_1*b$!"),
    "amounts are no formulas": ("$5 to $6<p>$5 is 6$", "$5 to $6\n\n\\$5 is 6$"),
    "nor are those around marks and links": (
        "<p>$20 for <b>a</b> <a href=/b>box</a>, or 25$ <code>$c</code>",
        "\\$20 for **a** box, or 25$ `$c`",
    ),
    "code with backticks": ("<code>a`b</code> <code>`</code>", "``a`b`` `` ` ``"),
    "fenced code": ("<pre>a\n  b\n\nc</pre>", "```\na\n  b\n\nc\n```"),
    "code as editors copy it": (
        "<div style='white-space: pre'><div>a:</div><div>    <b>b</b>()</div></div>",
        "```\na:\n    b()\n```",
    ),
    "fenced code in lines": (
        "<p>See <code class=language-c>a<br>&nbsp;b</code>",
        "See\n\n```c\na\n b\n```",
    ),
    "a fence longer than those inside": ("<pre>```\n</pre>", "````\n```\n````"),
    "lines of code in elements of their own": (
        "<pre><div>a</div><div>b</div></pre>",
        "```\na\nb\n```",
    ),
    "empty lines among them": (
        "<pre><div>a<br></div><div><br></div><div>  b<br></div></pre>",
        "```\na\n\n  b\n```",
    ),
    "code without the numbers of its lines": (
        "<table><tr><td class=lntd><pre><span class=lnt>1\n</span></pre>"
        "<td class=lntd><pre class=language-c>int a;\n</pre></table>",
        "```c\nint a;\n```",
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
        "10^15 in 2017[3]",
    ),
    "permalinks of headings are left out": ("<h2>Cache <a href='#c'>¶</a></h2>", "## Cache"),
    "powers in letters": (
        "O(<i>n</i><sup>k</sup>) <b>e</b><sup>-<i>x</i></sup>",
        "O(*n*^k) **e**^-*x*",
    ),
    "quotation marks": ("a <q><b>b</b> c</q>", "a **“b** c”"),
    "readings of ruby": (
        "<ruby><b>東京</b><rt>とうきょう</rt><rb>都</rb></ruby>",
        "**東京**（とうきょう）都",
    ),
    "a table that lays out a page is none": ("<table><tr><td><p>a<p>b<td>c</table>", "a\n\nb\n\nc"),
    "listings in two languages": (
        "<pre><code class=language-mjs>import a</code><code class=language-cjs>b()</code></pre>",
        "```mjs\nimport a\n```\n\n```cjs\nb()\n```",
    ),
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
        ('<div class="mw-highlight mw-highlight-lang-lua"><pre>', "lua"),
        ('<pre><code class="hljs lang-js">', "js"),
        ('<pre class="brush: java; toolbar: false">', "java"),
        ('<pre class="sourceCode haskell">', "haskell"),
        ('<div class="highlight-c++ notranslate"><div class="highlight"><pre>', "c++"),
        ('<div class="highlight highlight-source-shell"><pre>', "shell"),
        ('<pre data-lang="Rust">', "rust"),
        ('<figure class="highlight yaml"><table><tbody><tr><td class=code><pre>', "yaml"),
        ('<div class="highlight yaml"><pre>', ""),
        ('<figure class="highlight plaintext"><pre>', ""),
        ('<pre class="language-none">', ""),
        ('<pre class="highlight notranslate">', ""),
        ('<pre class="lang-`x`">', ""),
    ],
)
def test_the_language_of_code(attributes: str, language: str) -> None:
    assert markdown(f"{attributes}x = 1") == f"```{language}\nx = 1\n```"


HTML = {
    "formulas": (
        f"{TEX.format('x &lt; y')} <span class=katex-display>{TEX.format('z')}</span>",
        r"<p>\(x &lt; y\) \[z\]</p>",
    ),
    "paragraphs and headings": ("<div>a<h2>B</h2></div>", "<p>a</p>\n<h2>B</h2>"),
    "lists": (
        "<ul><li>a<ol><li>b</ol><li><p>c<p>d</ul>",
        "<ul>\n<li>a\n<ol>\n<li>b</li>\n</ol></li>\n<li>c\n<p>d</p></li>\n</ul>",
    ),
    "terms": ("<dl><dt>a<dd>b</dl>", "<dl>\n<dt>a</dt>\n<dd>b</dd>\n</dl>"),
    "terms with one definition": (
        "<dl><dt>a<dt>b<dd>c</dl>",
        "<dl>\n<dt>a</dt>\n<dt>b</dt>\n<dd>c</dd>\n</dl>",
    ),
    "a term without a definition": (
        "<dl><dt>a<dd><dt>b<dd>c</dl>",
        "<dl>\n<dt>a</dt>\n<dd></dd>\n<dt>b</dt>\n<dd>c</dd>\n</dl>",
    ),
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
    "powers in letters are raised": (
        "x<sup>n+1</sup> <q>y<sup>k</sup> z</q>",
        "<p>x<sup>n+1</sup> “y<sup>k</sup> z”</p>",
    ),
    "emphasis with joiners": (
        "<b>\u0d28\u0d4d\u200d</b> <i>a\u200d</i>b",
        "<p><strong>\u0d28\u0d4d\u200d</strong> <em>a</em>b</p>",
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


def test_a_library_gives_paragraphs() -> None:
    pytest.importorskip("resiliparse")
    page = "<body><main><p>a * b</p><p>c &lt;d&gt;</p></main>"
    assert extract(page, method="resiliparse", format="markdown").text == "a \\* b\n\nc \\<d>"
    assert extract(page, method="resiliparse", format="html").text == (
        "<p>a * b</p>\n<p>c &lt;d&gt;</p>"
    )


def test_unusable_output_options_are_refused() -> None:
    with pytest.raises(ValueError, match="format is 'md'; it must be one of text, markdown, html"):
        extract("", format="md")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="plain text shows no links"):
        extract("", links=True)
