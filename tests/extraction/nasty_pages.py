"""Pages that may break extractors: small ones in the folder ``nasty``, large ones made here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

SENTENCE = "A sentence that is long enough to look like content, with commas, and words. "

FILES = {path.stem: path for path in sorted((Path(__file__).parent / "nasty").glob("*.html"))}

# name -> the page, about so many characters long.
GROWN: dict[str, Callable[[int], str]] = {
    "nested divisions": lambda size: "<div>" * (size // 5),
    "nested divisions with text": lambda size: "<div>word " * (size // 10),
    "nested divisions that are closed": lambda size: (
        "<div>" * (size // 11) + SENTENCE + "</div>" * (size // 11)
    ),
    "end tags of others": lambda size: "<div></x>word " * (size // 14),
    "unclosed tags": lambda size: "<p><b><i><a href=x><li><td>" * (size // 27),
    "unclosed formatting": lambda size: (
        "".join(f"<b class=i{i}>" for i in range(size // 45)) + "<p>" * (size // 6)
    ),
    "attributes": lambda size: f"<p {' '.join(f'a{i}=v' for i in range(size // 9))}>{SENTENCE}</p>",
    "attributes with signs": lambda size: (
        "<p " + " ".join(f'a{i}="<b>"' for i in range(size // 14)) + f">{SENTENCE}</p>"
    ),
    "a long attribute": lambda size: f'<p class="{"name " * (size // 5)}">{SENTENCE}</p>',
    "a long tag name": lambda size: f"<{'x' * size}>{SENTENCE}",
    "a long text": lambda size: "<p>" + "word " * (size // 5),
    "a long word": lambda size: "<p>" + "x" * size,
    "line breaks": lambda size: SENTENCE + "<br>" * (size // 4) + SENTENCE,
    "line breaks with text": lambda size: "x<br>" * (size // 5),
    "list items": lambda size: "<ul>" + "<li>x" * (size // 5),
    "paragraphs": lambda size: "<p>word</p>" * (size // 11),
    "links": lambda size: "<a href=/x>link</a>" * (size // 19),
    "headings": lambda size: "<h2>x</h2>" * (size // 10),
    "spans": lambda size: "<p>" + "<span>x</span>" * (size // 14),
    "nested tables": lambda size: "<table><tr><td>x" * (size // 16),
    "a wide table": lambda size: "<table><tr>" + "<td>x" * (size // 5),
    "a long table": lambda size: "<table>" + "<tr><td>x<td>y" * (size // 14),
    "a table of spans": lambda size: "<table>" + "<tr><td colspan=999 rowspan=999>x" * (size // 33),
    "a table of one wide row": lambda size: (
        "<table><tr>" + "<td>x" * (size // 10) + "<tr><td>y" * (size // 18)
    ),
    "nested lists": lambda size: "<ul><li>x" * (size // 9),
    "nested selects": lambda size: "<select><option>x" * (size // 17),
    "options": lambda size: "<select>" + "<option>x" * (size // 9),
    "options that are closed": lambda size: (
        "<select>" + "<option selected>x</option>" * (size // 27) + f"</select><p>{SENTENCE}"
    ),
    "paragraphs before options": lambda size: (
        "<select>" + "<p>x" * (size // 8) + "<option>x" * (size // 18)
    ),
    "nested templates": lambda size: "<template>x" * (size // 11),
    "nested svg": lambda size: "<svg><g>x" * (size // 9),
    "nested math": lambda size: "<math><mi>x" * (size // 11),
    "nested inline elements": lambda size: "<span><em>x" * (size // 11),
    "nested forms": lambda size: "<form><fieldset>x" * (size // 17),
    "nested frames": lambda size: "<frameset>" * (size // 10),
    "nested blockquotes": lambda size: "<blockquote><p>x" * (size // 16),
    "less-than signs": lambda size: "<" * size,
    "tags that never end": lambda size: "<a " * (size // 3),
    "quotes that never end": lambda size: "<a b='" * (size // 6),
    "ampersands": lambda size: "&" * size,
    "references": lambda size: "&lt;" * (size // 4),
    "comments": lambda size: "<!---->x" * (size // 8),
    "bogus comments": lambda size: "<!x>" * (size // 4),
    "scripts": lambda size: "<script>1</script>x" * (size // 19),
    "white space": lambda size: " \n" * (size // 2),
    "white space in text": lambda size: "a" + " \u00a0\n" * (size // 3) + "b",
    "newlines in pre": lambda size: "<pre>a" + "\n" * size + "b</pre>",
    "soft hyphens": lambda size: "<p>" + "a\u00ad" * (size // 2),
    "joiners before a letter": lambda size: "<p>a " + "\u200c" * size + "\u0627",
    "ideographs": lambda size: "<p>" + "中文" * (size // 2),
    "emoji": lambda size: "<p>" + "👩‍👧 " * (size // 4),
    "lone surrogates": lambda size: "<p>a\ud800" * (size // 5),
    "NULs": lambda size: "<p>\0a" * (size // 5),
    "body tags": lambda size: "".join(f"<body a{i}=1>" for i in range(size // 14)) + SENTENCE,
    "images in base64": lambda size: f'<p>{SENTENCE}<img src="data:image/png;base64,{"A" * size}">',
    "an inline style": lambda size: f'<p style="{"color:red;" * (size // 10)}">{SENTENCE}</p>',
    "JSON in a script": lambda size: (
        "<script>" + '{"a":"<p>x<\\/p>"},' * (size // 19) + f"</script><p>{SENTENCE}"
    ),
    "quotation marks": lambda size: "<p>" + "\"'" * (size // 2),
    "punctuation": lambda size: "<p>" + "., ;: " * (size // 6),
    "digits": lambda size: "<p>" + "0123456789" * (size // 10),
    "hyphens in a word": lambda size: "<p>" + "a-" * (size // 2),
}
