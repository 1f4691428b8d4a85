"""The text of code: listings, their lines and line numbers, and code in a sentence."""

from __future__ import annotations

import pytest

from extraction import extract

CASES = {
    "white space of <pre> is kept": ("<pre>a\n  b\n\n c</pre>", "a\n  b\n\n c"),
    "newlines round <pre> are dropped": ("<pre>\n\na\n b\n\n</pre>", "a\n b"),
    "the indent of the first line is kept": ("<pre>\n  a\n b</pre>", "  a\n b"),
    "<br> in <pre> is a line": ("<pre>a<br>b</pre>", "a\nb"),
    "code in <pre> is not torn": ("<pre><i>f</i><b>(</b><code>x)</code></pre>", "f(x)"),
    "a line feed after it is none": ("<pre>a<br>\n  b<br>\n<br>\nc</pre>", "a\n  b\n\nc"),
    "no-break spaces in <pre> are spaces": ("<pre>a\n&nbsp;&nbsp;b</pre>", "a\n  b"),
    "two <br> in <pre> are an empty line of it": ("<pre>a<br><br>b<p>c", "a\n\nb\n\nc"),
    "a line of <pre> may be an element": (
        "<pre><code><div>def f(x):<br></div><div>    return x<br></div><div><br></div>"
        "<div>print(f(1))<br></div></code></pre>",
        "def f(x):\n    return x\n\nprint(f(1))",
    ),
    "or an item, and the space between the items is none": (
        "<pre>\n<ol>\n  <li>a {</li>\n  <li>  b\n</li>\n  <li>\n</li>\n  <li>}</li></ol></pre><p>c",
        "a {\n  b\n\n}\n\nc",
    ),
    "so may one that style sets as a line": (
        "<pre><code style='display:block'><b style='display: flex'><i>a</i>\n</b>"
        "<b style='display: flex'>\n</b><b style='display: flex'>  b<br></b></code></pre>c"
        "<pre style='display:block'>d<i style='color:red;display:block!important'>e</i>"
        "<i style='display:inline-block'>f</i>g",
        "a\n\n  b\n\nc\n\nd\ne\nfg",
    ),
    "so may highlighted lines of Gatsby": (
        "<pre><code>a\n<span class=gatsby-highlight-code-line>b</span>"
        "<span class='x gatsby-highlight-code-line'>  c</span>d\n\ne</code></pre>",
        "a\nb\n  c\nd\n\ne",
    ),
    "code as editors copy it is preformatted": (
        "<p>a<div style='font: 12px monospace; white-space: pre;'><div><i>def</i> f():</div>"
        "<div style='white-space: pre'>    if x:</div><br><div>        return 1</div></div>"
        "<div style='white-space:pre'>b\n  c</div>",
        "a\n\ndef f():\n    if x:\n\n        return 1\n\nb\n  c",
    ),
    "labels that are not to be broken are none": (
        "<div style='white-space: pre'>a  b\n</div><div style='white-space: pre'><p>c  d<p>e</div>"
        "<div style='white-space: pre-wrap'>f  <div>g</div></div>",
        "a b\n\nc d\n\ne\n\nf\n\ng",
    ),
    "a button in <pre> is no line": (
        "<p>a<br><pre><button>Copy</button><div><br></div><div>b</div><div> c</div></pre>",
        "a\n\nb\n c",
    ),
    "a page in <pre> has its blocks": ("<pre><h2>a</h2><div>b</div><p>c", "a\n\nb\n\nc"),
    "numbers of lines are no code": (
        "<pre><b><span class=ln>1</span>a\n</b><b><span class=ln>2</span>  7\n</b></pre>",
        "a\n  7",
    ),
    "nor are those that count lines, each an element, whatever their class": (
        "<pre><div><b class=css-1m1>9</b><div>a<br></div></div><div><b class=css-1m1>10</b>"
        "<div>\n</div></div><div><b class=css-1m1>11</b><div>  7</div></div></pre>",
        "a\n\n  7",
    ),
    "but numbers that count nothing are": (
        "<pre><div><b>9</b><div>a</div></div><div><b>7</b><div>b</div></div></pre>"
        "<pre><b>1</b> a\n<b>2</b> b</pre>",
        "9\na\n7\nb\n\n1 a\n2 b",
    ),
    "nor are they in a column": (
        "<table><tr><td class=gutter><pre>1<br>2</pre><td class=code><pre>a<br>2</pre></table>",
        "a\n2",
    ),
    "nor in one without preformatted text, as SyntaxHighlighter and Crayon write it": (
        "<p>a<table><tr><td class=gutter><div>1</div><div>2</div>"
        "<td><div><div><code>b:</code></div><div><code>&nbsp; </code><code>2</code></div></div>"
        "</table>",
        "a\n\nb:\n  2",
    ),
    "a line may be a row, as GitHub writes it": (
        "<table><tbody>\n<tr>\n<td class=blob-num data-line-number=1></td>\n<td>if <b>a</b>:</td>"
        "\n</tr>\n<tr><td class=blob-num data-line-number=2></td><td>\n</td></tr>\n"
        "<tr><td class=blob-num data-line-number=3></td><td>  b</td></tr></table>",
        "if a:\n\n  b",
    ),
    "so it may in <pre>": (
        "<pre><code><table><tr><td class=hljs-ln-numbers>1<td>if a:"
        "<tr><td class=hljs-ln-numbers>2<td>  b</table></code></pre>",
        "if a:\n  b",
    ),
    "a column that has the name of one of numbers lays out the page": (
        "<table><tr><td class=gutter></td><td><div>a</div><div>b  c</div></table>"
        "<table><tr><td class=gutter>1</td><td><p>d  e</table>",
        "a\n\nb c\n\n1\td e",
    ),
    "a line may be a division, as Doxygen writes it": (
        "<div class=fragment><div class=line><i class=lineno>1</i>if (a) {</div>\n"
        "<div class=line><i class=lineno>2</i>  <a>b</a>();</div>\n</div><p>c",
        "if (a) {\n  b();\n\nc",
    ),
    "lines of verse are none": (
        "<div class=line-block><div class=line>a  b</div><div class=line>c</div></div>"
        "<div class=fragment>d  e</div>",
        "a b\n\nc\n\nd e",
    ),
    "<code> with line breaks is a listing, as forums and PHP write it": (
        "<p>So:<code><b>\nif&nbsp;(a)&nbsp;{<br>\n&nbsp;&nbsp;</b><i>b</i>()<br><br />}\n</code>c",
        "So:\n\nif (a) {\n  b()\n\n}\n\nc",
    ),
    "also with code in it": ("<p><code>a<code>b</code>c<br>  d</code>", "abc\n  d"),
    "one with a line break at its end is not": ("<p>Use <code>a  b<br></code>now", "Use a b\nnow"),
    "nor does it end a table of data": (
        "<table><tr><th>A<th>B<tr><td>c<td><code>d<br>e</code></table>",
        "A\tB\nc\td e",
    ),
    "nor beside a single line": (
        "<table><tr><td class='rouge-gutter gl'><pre class=lineno>1</pre><td><pre>a</pre></table>",
        "a",
    ),
    "nor are numbers by style or by a name that ends the line": (
        "<pre><i style='user-select: none'>1</i>a\n<i class=LineNumber>2</i>b\n"
        "<a data-nosnippet>3</a>c<ul class=pre-numbering><li>1<li>2</ul></pre>",
        "a\nb\nc",
    ),
    "labels of buttons in code, or to copy it, are none": (
        "<button>Copy code</button><pre>a<button>Run</button></pre><button>Buy</button>",
        "a\n\nBuy",
    ),
    "links to select it are none, either": (
        "<p>Code: <a href='#' onclick='selectCode(this); return false;'>Select all</a><pre>a</pre>"
        "<p>Code <a class='codeoperation x'>Select</a><p><code>b</code> <a>Select</a>",
        "Code:\n\na\n\nCode\n\nb Select",
    ),
    "one listing in two languages is two listings": (
        "<pre><code class=mjs>import a\n</code><code class=cjs>require(a)</code></pre>",
        "import a\n\nrequire(a)",
    ),
    "what a computer and its user write in turns is one": (
        "<pre><code class=output>$ </code><b><code>ls\n</code></b><code class=output>a\n$ </code>"
        "<code class=input>pwd</code></pre>",
        "$ ls\na\n$ pwd",
    ),
    "lines that only a class separates": (
        "<pre><span class=line>if a:</span><span class='x line'>  b</span></pre>",
        "if a:\n  b",
    ),
    "lines with line feeds have no others": (
        "<pre><code><span class=line>if a:</span>\n<span class=line>  b</span></code></pre>",
        "if a:\n  b",
    ),
    "nor have lines with <br> after them, as Hexo writes them": (
        "<pre><span class=line>if a:</span><br><span class=line>  b</span><br></pre>",
        "if a:\n  b",
    ),
    "but those with <br> inside have": (
        "<pre><span class=line>if a:<br></span><span class=line>  b<br></span></pre>",
        "if a:\n  b",
    ),
    "but code in pieces is one": (
        "<pre><code>a</code><code> = 1</code>\n<code class=x>b</code></pre>",
        "a = 1\nb",
    ),
    "code of numbers is code": (
        "<pre class=linenos><b>1</b> + x</pre><pre>2</pre><p class=ln>3",
        "1 + x\n\n2\n\n3",
    ),
    "parts of inline code are not torn": ("<code><span>a</span><span>.b</span></code>", "a.b"),
    "nor are parts of its parts": (
        "<code><span><span>if</span> <span>a</span><span>(b)</span></span></code>",
        "if a(b)",
    ),
    "code is set apart from other code": (
        "<code><span>ab</span></code><code><span>cd</span></code>",
        "ab cd",
    ),
    "the parameters of a method are not torn from its name, as Javadoc writes it": (
        "<div><span>high</span><wbr><span>(long when)</span></div>",
        "high(long when)",
    ),
    "a label is, though the line may be broken before it, as Rust's documentation writes it": (
        "<dt><a>fs</a><wbr><span><code>unix</code></span></dt>",
        "fs unix",
    ),
    "so is one of several words": (
        "<dt><a>dump</a><wbr><span><code>unstable</code> and <code>taskdump</code></span></dt>",
        "dump unstable and taskdump",
    ),
}


@pytest.mark.parametrize(("body", "expected"), CASES.values(), ids=CASES.keys())
def test_text_of_code(body: str, expected: str) -> None:
    assert extract(f"<body>{body}</body>", method="all-text").text == expected
