"""The text of blocks: white space, tables and formulas."""

from __future__ import annotations

import pytest

from extraction import extract


def text(body: str) -> str:
    return extract(f"<body>{body}</body>", method="all-text").text


CASES = {
    "paragraphs are separated by a blank line": ("<p>a</p><p>b</p>", "a\n\nb"),
    "divisions are, too": ("<div>a<div>b</div>c</div>", "a\n\nb\n\nc"),
    "headings stand alone": ("<h1>T</h1>text<h2>S</h2>more", "T\n\ntext\n\nS\n\nmore"),
    "list items follow each other": ("<ul><li>a<li>b</ul>", "a\nb"),
    "a paragraph before a list is set apart": ("<p>x<ul><li>a<li>b</ul>y", "x\n\na\nb\n\ny"),
    "nested lists are a line an item": ("<ul><li>a<ul><li>b</ul><li>c</ul>", "a\nb\nc"),
    "definitions are indented": (
        "<dl><dt>a<dd>b<dt>c<dd><p>d<dl><dt>e<dd>f</dl><pre>g\n\n h</pre></dl>",
        "a\n    b\nc\n    d\n    e\n        f\n\n    g\n\n     h",
    ),
    "definitions without terms are list items": ("<dl><dd>a<dd>b</dl>", "a\nb"),
    "<br> is a line break": ("<p>a<br>b<br/>c</p>", "a\nb\nc"),
    "space round <br> is dropped": ("<p>a <br>\n  b</p>", "a\nb"),
    "two <br> are an empty line": ("a<br><br>b<br>\n<br>c", "a\n\nb\n\nc"),
    "many <br> are one empty line": ("a<br><br><br><br>b", "a\n\nb"),
    "<hr> parts paragraphs": ("a<hr>b", "a\n\nb"),
    "white space is collapsed": ("<p> a \n\t b  <i> c</i>\n</p>", "a b c"),
    "no-break space is a space": ("a&nbsp;b&nbsp; c", "a b c"),
    "a row is a line of cells": (
        "<table><tr><th>a<th>b<tr><td>c<td>d</table>",
        "a\tb\nc\td",
    ),
    "an empty column is left out": ("<table><tr><td>a<td><td>b</table>", "a\tb"),
    "an empty cell keeps its place": (
        "<table><tr><th><th>A<th>B<th>C<tr><td>Users<td><td>5<td>10</table>",
        "\tA\tB\tC\nUsers\t\t5\t10",
    ),
    "cells that span rows and columns keep the places of others": (
        "<table><tr><td rowspan=2>a<td colspan=2>b<td>c<tr><td>d<td>e<td>f</table>",
        "a\tb\t\tc\n\td\te\tf",
    ),
    "a cell of a list, an empty row and one of a single cell are in their table": (
        "<table><tr><th>A<th>B<tr><td>c<td><ul><li>d<li>e</ul><tr><td><td>"
        "<tr><td colspan=2>Group<tr><td>f<td><p>g<p>h</table>",
        "A\tB\nc\td e\nGroup\nf\tg h",
    ),
    "<br> in a cell is a space": ("<table><tr><td>a<br>b<td>c</table>", "a b\tc"),
    "a table in a cell of data is a part of it": (
        "<table><tr><td>a<td>b<tr><td>c<td><table><tr><td>d<td>e</table></table>",
        "a\tb\nc\td e",
    ),
    "a table that lays out a page is not a row": (
        "<table><tr><td><p>a<p>b<td>c</table>",
        "a\n\nb\n\nc",
    ),
    "nor is one with a page in a cell": (
        f"<table><tr><td>a<td>b<tr><td>{'<p>c' * 11}<td>d</table>",
        "\n\n".join(["a", "b", *"c" * 11, "d"]),
    ),
    "a table of code in several lines is none": (
        "<table><tr><td>a<td>b<tr><td>c<td><pre>d\n  e</pre></table>",
        "a\n\nb\n\nc\n\nd\n  e",
    ),
    "a table of one column is paragraphs": ("<table><tr><td>a<tr><td>b</table>", "a\n\nb"),
    "rows of a table in a cell are rows": (
        "<table><tr><td>x<table><tr><td>a<td>b</table></table>",
        "x\n\na\tb",
    ),
    "inline elements that touch are set apart": ("<a>News</a><a>Sport</a>", "News Sport"),
    "so are elements inside them": ("<a><b>News</b></a><span>Sport</span>", "News Sport"),
    "a drop cap is part of its word": ("<p><span>D</span>rop</p>", "Drop"),
    "a sentence or a title begins a word, though it touches bare text": (
        "<p><b class=title>Diverse Clients</b>We have helped many.<a>See all of them</a><p>"
        "<span>New Listing</span>RARE stamps in 2020.<i>The next one</i><p>It is safe<b>Cons: </b>",
        "Diverse Clients We have helped many. See all of them\n\n"
        "New Listing RARE stamps in 2020. The next one\n\nIt is safe Cons:",
    ),
    "a name with capitals does not": (
        "<p>the <b>You</b>Tube channel of Mac<i>Donald</i>, <b>Ph</b>D in Windows 10<b>X or so</b> "
        "&amp; JSON<b>Parser class</b><pre>new<b>Foo bar</b></pre>",
        "the YouTube channel of MacDonald, PhD in Windows 10X or so & JSONParser class\n\n"
        "newFoo bar",
    ),
    "a change of typeface is part of a word": ("<b>bold</b><i>italic</i>", "bolditalic"),
    "subscripts are part of a word": ("H<sub>2</sub>O", "H2O"),
    "punctuation closes what it touches": (
        "<div><a>SAS</a><span>, (</span><a>here</a><span>).</span></div>",
        "SAS, (here).",
    ),
    "a price is one": ("<div><span>$</span><span>499</span><span>.00</span></div>", "$499.00"),
    "letters that move one by one are a word": (
        "<h2><span>S</span><span>t</span><span>a</span><span>r</span><span>t</span></h2>",
        "Start",
    ),
    "words of a sentence are not torn": (
        "<p><span>She is </span><span>a con</span><span>sultant at “</span><a>Work</a><i>”</i></p>",
        "She is a consultant at “Work”",
    ),
    "labels in an item are set apart": (
        "<li><span>Merrell</span><span>Moab 3 Mid Waterproof Hiking Boots for Women</span></li>",
        "Merrell Moab 3 Mid Waterproof Hiking Boots for Women",
    ),
    "a signature is not torn": (
        "<dl><dt><span>itertools.</span><span>batched</span><span>(</span><em>n</em>, "
        "<em><span>strict</span><span>=</span><span>False</span></em><span>)</span>"
        "<a class=x><span>[source]</span></a></dl>",
        "itertools.batched(n, strict=False) [source]",
    ),
    "a picture parts words": ("<p>2024<img src=x>If you</p>", "2024 If you"),
    "a picture parts no punctuation": ("<p>smile<img src=x>!</p>", "smile!"),
    "who is quoted is a line above what they say": (
        "<blockquote><cite>Bob wrote:</cite>I think</blockquote>",
        "Bob wrote:\n\nI think",
    ),
    "so it is in an element, as phpBB has it": (
        "<blockquote><div><cite>Bob wrote: <i>Thu Mar 04</i></cite>\nI think</div></blockquote>",
        "Bob wrote: Thu Mar 04\n\nI think",
    ),
    "so it is before pictures and elements": (
        "<blockquote><cite>Bob</cite><img src=a><b>I</b> think</blockquote>",
        "Bob\n\nI think",
    ),
    "a work that begins the sentence of a quotation is part of it": (
        "<blockquote><cite>Iliad</cite> is long.</blockquote>"
        "<blockquote><cite>Iliad</cite>, a poem</blockquote><cite>Iliad</cite>s",
        "Iliad is long.\n\nIliad, a poem\n\nIliads",
    ),
    "a work that is cited within a quotation is part of its sentence": (
        "<blockquote><div>The <cite>Iliad</cite>s of this world</div></blockquote>",
        "The Iliads of this world",
    ),
    "<q> has quotation marks": (
        "<p>He said <q>yes, <q>if</q> you <i>must</i></q>.",
        "He said “yes, “if” you must”.",
    ),
    "<q> has no others beside its own": (
        "<q>“a”</q> <q>«b»</q> <q>&quot;c&quot;</q>",
        '“a” «b» "c"',
    ),
    "a note in <q> stands within the marks": (
        "<q>so<sup><a href='#f'>3</a></sup></q>",
        "“so[3]”",
    ),
    "permalinks of headings are no text": (
        "<h2>Cache<a href='#cache'>¶</a></h2><h2><a href='/p#v'><span>§</span></a>Variants</h2>",
        "Cache\n\nVariants",
    ),
    "permalinks in words are none, either": (
        "<h2 id=s>Summary<a href='#s'><span class=sr-only>Link to it</span></a></h2>"
        "<h3 id=t>Use <a href='#t'>Permalink</a></h3>",
        "Summary\n\nUse",
    ),
    "a heading that is a link is text": (
        "<h2 id=s><a href='#s'>Permalink</a></h2><h3 id=t>All <a href='#t'>of it</a></h3>"
        "<h4 id=u>To <a href='#s'>Permalink</a></h4><p id=v>A <a href='#v'>permalink</a>",
        "Permalink\n\nAll of it\n\nTo Permalink\n\nA permalink",
    ),
    "links to edit a section are no text": (
        "<h2>History<span class=mw-editsection><span>[</span><a href=/e>edit</a><span>]</span>"
        "</span></h2><div><h3>Now</h3><span class='mw-editsection x'>[<a>edit</a>]</span></div>",
        "History\n\nNow",
    ),
    "links back from notes are no text": (
        "<p>So he said. <a href='#r1'>↩︎</a> <a href='/p#r2'>^</a></p>"
        "<p><a href='/up'>↑</a> [<a href='#r3'>↩</a>]",
        "So he said.\n\n↑ [↩]",
    ),
    "links back from notes that are cited several times are none, either": (
        "<ol><li><span class=mw-cite-backlink>^ <a href='#r1'><sup>a</sup></a> "
        "<a href='#r2'><sup>b</sup></a></span> Darwin 1898</ol>",
        "Darwin 1898",
    ),
    "links to unfold a quotation are no text": (
        "<blockquote>Rain<div class='bbCodeBlock-expandLink js-expandLink'><a>More</a></div>",
        "Rain",
    ),
    "nor is what unfolds a description in Rust's documentation, but other summaries are": (
        "<details open><summary class=hideme><span>Expand description</span></summary>Rain"
        "<details><summary>Why it rains</summary>Clouds",
        "Rain\n\nWhy it rains\n\nClouds",
    ),
    "nor are buttons beside the words of a heading, but one that is the heading, or unfolds it": (
        "<h2>Rain <button>Copy item path</button></h2>x<h3><button>Why?</button></h3>y"
        "<h3>2. <button>How?</button></h3>z<h3>Step <button aria-expanded=false>One</button></h3>",
        "Rain\n\nx\n\nWhy?\n\ny\n\n2.\n\nHow?\n\nz\n\nStep\n\nOne",
    ),
    "a picture of an emoji is text": (
        "Hi <img class=emoji alt=😃> and <img src=/smilies/1.gif alt=':('>!<img alt=':)' src=a>"
        "<img class=smiley alt=Smile>",
        "Hi 😃 and :(!",
    ),
    "a picture of a formula is its TeX": (
        "<p>So <img class='latex' alt='n=9' src=a>, <img src='/latex.php?latex=b' alt='b_1 '>, "
        "<img class='x ql-img-inline-formula' alt=c>.<img src=/texture.png alt=Wood>"
        "<img class=tex alt=d aria-hidden=true><img class=tex>",
        "So n=9, b_1, c.",
    ),
    "TeX for MathJax is a formula": (
        "At <script type=math/tex>x^2</script> it ends.<script>f()</script>",
        "At x^2 it ends.",
    ),
    "a label stands apart from what it is of": (
        "<p><b>Abstract:</b>Models of <i>std::</i>vector at 12:<b>30</b></p><p><b>4.</b>Why",
        "Abstract: Models of std::vector at 12:30\n\n4. Why",
    ),
    "sentences stand apart over an empty element, and after capitals": (
        "<p>By the water.<span class=br></span>The stones of an LLC.<b>Where is it?</b>",
        "By the water. The stones of an LLC. Where is it?",
    ),
    "a link that counts is text": ("<p>All of <a href='#x'>1</a> § 5</p>", "All of 1 § 5"),
    "readings of ruby are in brackets": (
        "<ruby>東京<rp>（</rp><rt>とうきょう</rt><rp>）</rp></ruby>へ",
        "東京（とうきょう）へ",
    ),
    "readings in letters are, too": ("<ruby>北京<rt>Běijīng</rt></ruby>", "北京(Běijīng)"),
    "powers have a sign": ("10<sup>15</sup> m<sup>2</sup> s<sup>-1</sup>", "10^15 m^2 s^-1"),
    "powers in letters have one, too": (
        "O(n<sup>k</sup>) 2<sup>n</sup> A<sup>T</sup>A (ab)<sup>i</sup> e<sup>-x</sup>",
        "O(n^k) 2^n A^TA (ab)^i e^-x",
    ),
    "powers of several parts are in brackets": (
        "x<sup><i>n</i>+1</sup> x<sup>2n</sup> x<sup>k − 1</sup>",
        "x^(n+1) x^(2n) x^(k − 1)",
    ),
    "notes are in brackets": (
        "in 2017<sup><a href='#f'>3</a></sup>, he<a href='#g'><sup>4, 5</sup></a>.<sup>6</sup>",
        "in 2017[3], he[4, 5].[6]",
    ),
    "notes without links may have several numbers": (
        "Known.<sup>3,4</sup> So<sup>1\u20133</sup>",
        "Known.[3,4] So[1\u20133]",
    ),
    "a number that links to a note, and that to it, is a note, too": (
        "<link rel=canonical href=/p><p>Known<a id=r1 href='#n1'>1</a>, seen <a id=r2 href='/p#n2'>"
        "2</a> [<a id=r3 href='#n3'>3</a>]<ol><li id=n1>A <a href='#r1'>back</a><li><a id=n2 "
        "href='/p#r2'>2</a> B<li id=n3>C <a href='#r3'>back</a></ol>",
        "Known[1], seen [2] [3]\n\nA back\n2 B\nC back",
    ),
    "the number of a section is none": (
        "<p>In § <a id=r href='#s'>3</a><h2 id=s>3 <a href='q#r'>Cache</a></h2>",
        "In § 3\n\n3 Cache",
    ),
    "so is one that is declared to be": ("Known<a role=doc-noteref href=n#1>1</a>", "Known[1]"),
    "a note may have a bracket": ("Known.<sup><a href='#n'>1)</a></sup>", "Known.(1)"),
    "cents are no power": (
        "now $1,019<sup>99</sup>, 2<sup>10</sup> of them",
        "now $1,019.99, 2^10 of them",
    ),
    "superscripts belong to the element before them": (
        "<span>5</span> <span>m</span><sup>2</sup>, <i><a href=a>Band</a></i><sup>®</sup>",
        "5 m^2, Band®",
    ),
    "MathML is written as in programs": (
        "<math><msup><mi>x</mi><mn>2</mn></msup><mo>=</mo><mfrac><mrow><msub><mi>a</mi><mi>i</mi>"
        "</msub><mo>+</mo><mn>1</mn></mrow><mi>n</mi></mfrac></math>",
        "x^2=(a_i+1)/n",
    ),
    "roots and limits of sums are read as such": (
        "<math><msqrt><mn>2</mn><msup><mi>x</mi><mn>3</mn></msup></msqrt><msqrt><mi>y</mi></msqrt>"
        "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>"
        "<mfrac><mn>1</mn><msqrt><mi>z</mi></msqrt></mfrac><msqrt></msqrt>",
        "√(2x^3)√y∑_(i=1)^n1/√z",
    ),
    "so are roots of a degree": (
        "<math><mroot><mi>x</mi><mn>3</mn></mroot><mroot><mrow><mi>y</mi><mi>z</mi></mrow><mrow>"
        "<mi>n</mi><mo>+</mo><mn>1</mn></mrow></mroot></math>",
        "x^(1/3)(yz)^(1/(n+1))",
    ),
    "a matrix has its cells and rows apart, however the markup is indented": (
        "<math><mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mfrac><mrow><mi>a</mi><mi>b</mi>"
        "</mrow><mn>2</mn></mfrac></mtd></mtr>\n <mtr>\n  <mtd></mtd>\n  <mtd> <mn>0</mn> </mtd>\n"
        "  <mtd><mn>7</mn></mtd></mtr></mtable><mo>]</mo></math>",
        "[1 (ab)/2; 0 7]",
    ),
    "hidden MathML beside a picture of it is text": (
        "so <span><span style='display: none'><math><semantics><mi>x</mi><annotation"
        " encoding='application/x-tex'>x^2</annotation></semantics></math></span><img src=x.svg"
        " aria-hidden=true></span> is",
        "so x^2 is",
    ),
    "hidden MathML without a picture is not": (
        "so <span style='display: none'><math><mi>x</mi></math></span> is",
        "so is",
    ),
    "links to different places are two words": (
        "<p>Of <a href=/foo>foo</a><a href=/bar>bar</a>, <a href=/x>one</a><a href=/x>self</a>",
        "Of foo bar, oneself",
    ),
    "notes in brackets stay": ("so<sup><a href='#f'>[3]</a></sup>", "so[3]"),
    "ordinals and trade marks stay": (
        "1<sup>st</sup> 5<sup>e</sup> n<sup>o</sup> A<sup>TM</sup> X<sup>R</sup>",
        "1st 5e no ATM XR",
    ),
    "raised words and letters of words stay": (
        "M<sup>me</sup> M<sup>r</sup> word<sup>a</sup> 9<sup><a href='#a'>b</a></sup>",
        "Mme Mr worda 9b",
    ),
    "fractions are set apart": ("1<sup>1</sup>/<sub>2</sub> cups", "1 1/2 cups"),
    "plain ones, too": ("1<sup>1</sup>/2 or 2<sup>3</sup>\u20444 cups", "1 1/2 or 2 3\u20444 cups"),
    "powers are no numerators": ("10<sup>6</sup>/ml, m<sup>2</sup>/s", "10^6/ml, m^2/s"),
    "nor are those of ten": ("10<sup>6</sup>/10<sup>3</sup>", "10^6/10^3"),
    "exponents have decimals": ("10<sup>5.5</sup>, e<sup>iπ</sup>", "10^5.5, e^(iπ)"),
    "what only screen readers say is set apart": (
        "<p>Read more of it here<b class=sr-only>opens a new window</b>, or there: EUR 1"
        "<span class='x clipped'>EUR 1</span> - <i class=v6-visually-hidden>now</i>all "
        "<i class=clip>u</i>s",
        "Read more of it here opens a new window, or there: EUR 1 EUR 1 - now all us",
    ),
    "what screen readers say in place of what is shown is no text": (
        "<p>Cook 35<span class=sr-only> minutes</span> <span aria-hidden=true>mins</span>: "
        "<del aria-hidden=true>$3</del><b class=screen-reader-text>Original price was: $3.</b>"
        "<ins aria-hidden=true>$2</ins><b class=screen-reader-text>Current price is: $2.</b>",
        "Cook 35 mins: $3 $2",
    ),
    "nor are the same words": (
        "<p><b>Used</b><span class=clipped>Used</span>, <i aria-hidden=true>new</i>"
        "<i class=show-for-sr>new</i>",
        "Used, new",
    ),
    "of which those in fewer pieces are text": (
        "<p>now <i class=a-offscreen>$24.99</i><b aria-hidden=true>$<b>24</b><b>99</b></b>",
        "now $24.99",
    ),
    "nor is what they say of the window of a link": (
        "<p><a target=_blank href=/a>It<b class=sr-only> (opens in a new tab)</b></a>, "
        "<a href=/b>that<b class=element-invisible>one</b></a> "
        "<a target=_blank href=/c><b class=sr-only>and this</b></a>",
        "It, that one and this",
    ),
    "what they say of a sign is text": (
        "<p><i aria-hidden=true>★★★☆</i><b class=sr-only>3 of 4</b>"
        "<p><i aria-hidden=true>open_in_new</i><b class=sr-only>Opens</b>",
        "★★★☆ 3 of 4\n\nopen_in_new Opens",
    ),
    "a remark in brackets after an element is set apart": (
        "<p><a href=/a>The course book</a>(pdf) <b>full range</b>(e.g. a curl)</p>"
        "<label>First name<span>(Required)</span></label>",
        "The course book (pdf) full range (e.g. a curl)\n\nFirst name (Required)",
    ),
    "plurals and parameters in brackets are not": (
        "<p>The <b>last word</b>(s), a <b>name</b>(self) and see open<code>(path)</code></p>"
        "<h4>new Track<span>(name)</span></h4>",
        "The last word(s), a name(self) and see open(path)\n\nnew Track(name)",
    ),
    "a comment does not part words": ("wo<!-- x -->rd", "word"),
    "a hidden element parts nothing": ("wo<script>x</script>rd", "word"),
    "plain text after <plaintext>": ("a<plaintext>b</p>", "a\n\nb</p></body>"),
    "an empty page has no text": ("", ""),
    "invisible characters are no block": ("<p>\u200b&nbsp;</p><p>a</p>", "a"),
    "options and buttons stand alone": (
        "<select><option>a<option>b</select><button>c</button>",
        "a\n\nb\n\nc",
    ),
    "captions and quotations stand alone": (
        "<figure><figcaption>a</figcaption></figure><blockquote>b</blockquote>c",
        "a\n\nb\n\nc",
    ),
}


@pytest.mark.parametrize(("body", "expected"), CASES.values(), ids=CASES.keys())
def test_text(body: str, expected: str) -> None:
    assert text(body) == expected
