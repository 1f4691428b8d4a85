"""The HTML elements by their role in layout, after the HTML standard's rendering section.

https://html.spec.whatwg.org/multipage/rendering.html
"""

from __future__ import annotations

TEXT = "#text"

# Void elements, which have no end tag and no content (section 13.1.2).
VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param "
    "source track wbr".split()
)

# Formatting elements, which the tree builder reconstructs in every paragraph until they are closed
# (section 13.2.4.3).
FORMATTING = frozenset("a b big code em font i nobr s small strike strong tt u".split())
# Inline elements that may format a part of a word, and do not end the word.
TYPEFACE = FORMATTING - {"a"} | {"sub", "sup", "abbr", "q", "cite", "mark"}

HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))

# Elements that begin a new line (section 15.3; `display` block, list-item or table-*).
BLOCK_LEVEL = HEADINGS | frozenset(
    "address article aside blockquote body button caption center col colgroup dd details "
    "dialog dir div dl dt fieldset figcaption figure footer form frame frameset header "
    "hgroup hr html legend li listing main menu nav noframes noscript ol optgroup option p "
    "plaintext pre search section select summary table tbody td textarea tfoot th thead tr "
    "ul video xmp".split()
)

# Elements that preserve white space (section 15.3.3).
PREFORMATTED = frozenset(("listing", "plaintext", "pre", "textarea", "xmp"))

CELLS = frozenset(("td", "th"))
LIST_ITEMS = frozenset(("li", "dd", "dt"))

# Never shown as text: metadata, scripts, fallbacks for what the browser shows instead.
UNSEEN = frozenset(
    "applet audio canvas datalist desc embed head iframe metadata noembed noframes "
    "object rp script style template title video".split()
)

# Invisible, and commands for a terminal: C0 except for white space and NUL, which no parsed page
# contains; DEL and C1.
CONTROLS = "".join(map(chr, (*range(0x01, 0x09), *range(0x0E, 0x20), *range(0x7F, 0xA0))))
# Invisible characters: soft hyphen, zero-width space, word joiner, the invisible operators of
# formulas, byte order mark, and controls.
ZERO_WIDTH = "\u00ad\u200b\u2060\u2061\u2062\u2063\u2064\ufeff" + CONTROLS
# Invisible, too, but they change the shape of adjacent characters, or the direction of text.
JOINERS = "\u200c\u200d"
SHAPERS = JOINERS + "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
# The characters beside which they matter, as ranges for a regular expression: the scripts from
# Hebrew and Arabic to Tibetan and Myanmar, Khmer and Mongolian, other Asian scripts and Arabic
# presentation forms; emoji, variation selectors, tags, and what is beyond the basic plane.
JOINED = (
    "\u0590-\u109f\u1700-\u18af\u1a00-\u1cff\ua800-\uabff\ufb50-\ufdff\ufe70-\ufefc"
    "\u2190-\u2bff\ufe0f\U00010a00-\U0001ffff\U000e0020-\U000e007f"
)
WHITE_SPACE = "".join(chr(code) for code in range(0x3001) if chr(code).isspace())
INVISIBLE = WHITE_SPACE + ZERO_WIDTH + SHAPERS
