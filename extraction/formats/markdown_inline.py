"""Runs as Markdown: marks, links, pictures, and formulas in dollar signs; text that looks like any
of these is escaped.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from extraction.formats.passages import Mark, Picture, Run, Runs

# Ordered from the outermost to the innermost. Markdown has no sub- and superscripts.
_SIGNS: Final[tuple[tuple[Mark, str], ...]] = (("strong", "**"), ("em", "*"), ("s", "~~"))
# For a mark beside a sign of the same character, as three in a row are easily misread.
_OTHER_SIGN: Final = {"*": "_"}

_SPECIAL = re.compile(
    r"\\(?=[!-/:-@\[-`{-~\n]|$)"  # would escape the next character
    r"|[`*]"
    r"|(?<![^\W_])_|_(?![^\W_])"  # at the edge of a word
    r"|(?<!\s)~|~(?=~|$)"
    r"|<(?=[A-Za-z/!?])|&(?=#?\w+;)"
    r"|\](?=[(\[:])|!(?=\[)"
)
# The same if more text follows, which may complete an entity or a tag; and inside links.
_SPECIAL_BEFORE_MORE = re.compile(rf"{_SPECIAL.pattern}|[<\]]$|&(?=#?\w*$)")
_SPECIAL_IN_LINK = re.compile(rf"{_SPECIAL_BEFORE_MORE.pattern}|[\[\]]")
# Headings, items, quotations, task list boxes; rules, underlines of headings and table headers.
_LINE_START = re.compile(
    r"#{1,6}(?=\s|$)|[-+](?=\s|$)|>|\[[ xX]\](?=\s|$)|[-=|:][-=|:+\s]*$"
    r"|(?P<number>\d{1,9})[.)](?=\s|$)"
)
_FORMULA_SIGNS: Final[dict[Mark, str]] = {"formula": "$", "display": "$$"}
# Formulas that the page leaves to a script that draws them: \(a\), $a$, \[a\], $$a$$.
_UNDRAWN_FORMULA = re.compile(
    r"\\\((?P<formula>(?:[^\\$]|\\(?![()]))+)\\\)"
    r"|(?<![$\\\w])\$(?!\s)(?P<own_formula>[^$\n]+)(?<!\s)\$(?![$\w])"
    r"|\\\[(?P<display>(?:[^\\$]|\\(?![\[\]]))+)\\\]"
    r"|\$\$(?P<own_display>[^$]+)\$\$"
)
_OPENING_DOLLAR = re.compile(r"\$(?=\S)")
_CLOSING_DOLLAR = re.compile(r"(?<=\S)\$(?!\d)")
_TEX = re.compile(r"\\[A-Za-z]|[\w)}][_^][\w{\\]")
_BACKTICKS = re.compile(r"`+")
_WHITE_SPACE = re.compile(r"\s")
_IN_TARGET: Final = {"(": "%28", ")": "%29", "[": "%5B", "]": "%5D"}
_SPECIAL_IN_TARGET = re.compile(r"[()\[\]]|&(?=#?\w+;)")


class _Escaping(NamedTuple):
    """What is escaped: the special characters and, if there are ``amounts`` that would be taken for
    formulas, their dollar signs.
    """

    special: re.Pattern[str]
    amounts: bool


def inline(runs: Runs) -> str:
    r"""The runs as Markdown; a newline for every line break.

    >>> from extraction.formats.passages import Run
    >>> print(inline((Run("2*3 is "), Run("not", ("strong",)), Run(" [7](x)"))))
    2\*3 is **not** [7\](x)
    """
    pieces: list[str] = []
    amounts = _has_amounts(runs)
    for url, group in groupby(runs, lambda run: run.link):
        linked = list(group)
        if not url:
            pieces.append(_spans(linked, 0, _Escaping(_SPECIAL, amounts), before=_last(pieces)))
            continue
        body = _spans(linked, 0, _Escaping(_SPECIAL_IN_LINK, amounts))
        if _last(pieces) == "!":
            # A "!" would turn the link into an image.
            pieces[-1] = f"{pieces[-1][:-1]}\\!"
        pieces.append(f"[{body}]({_target(url)})")
    return "".join(pieces)


def literal_line(line: str) -> str:
    r"""The line, escaped if its beginning is syntax, such as that of a heading or a list item.

    >>> print(*map(literal_line, ["1. Mai", "- so", "#tag", "---"]), sep=", ")
    1\. Mai, \- so, #tag, \---
    """
    found = _LINE_START.match(line)
    if not found:
        return line
    at = max(found.end("number"), 0)
    return f"{line[:at]}\\{line[at:]}"


def _spans(
    runs: Sequence[Run],
    depth: int,
    escaping: _Escaping,
    *,
    before: str = "",
    after: str = "",
    around: str = "",
) -> str:
    """The runs with their marks from ``depth`` on.

    before, after: the adjacent characters; empty where a line or an element begins or ends.
    around: the sign of the mark that begins and ends there.
    """
    if depth == len(_SIGNS):
        if after and escaping.special is _SPECIAL:
            escaping = escaping._replace(special=_SPECIAL_BEFORE_MORE)
        return _unmarked(runs, escaping, before)
    mark, sign = _SIGNS[depth]
    groups = [
        (marked, list(group)) for marked, group in groupby(runs, lambda run: mark in run.marks)
    ]
    pieces: list[str] = []
    for index, (marked, group) in enumerate(groups):
        left = _last(pieces) or before
        right = _first(groups[index + 1][1]) if index + 1 < len(groups) else after
        enclosed = ""
        if marked:
            inner = _spans(group, depth + 1, escaping, around=sign)
            enclosed = _enclosed(inner, sign, left, right, around)
        pieces.append(enclosed or _spans(group, depth + 1, escaping, before=left, after=right))
    return "".join(pieces)


def _enclosed(text: str, sign: str, before: str, after: str, around: str) -> str:
    """The text between two signs; empty if they cannot be set. See ``_spans`` for the others."""
    # White space at the edges stays outside, where the signs allow it.
    begin, body, end = _parted(text)
    outer = begin[-1:] or before, end[:1] or after
    is_beside = sign[0] in [(beside or around)[:1] for beside in outer]
    signs = (_OTHER_SIGN.get(sign, sign), sign) if is_beside else (sign,)
    chosen = next((s for s in signs if _can_be_set(body, s, *outer)), None)
    return "" if chosen is None else f"{begin}{chosen}{body}{chosen}{end}"


def _can_be_set(body: str, sign: str, before: str, after: str) -> bool:
    """Whether the sign can open before the body and close after it (CommonMark 0.31, section 6.2).

    It cannot if a letter is outside and punctuation inside, as is common in Chinese; an underscore
    cannot beside any letter.
    """
    if not body or before == sign[0]:
        return False
    if sign == "_":
        return _is_edge(before) and _is_edge(after)
    opens = not _is_sign(body[0]) or _is_edge(before)
    return opens and (not _is_sign(body[-1]) or _is_edge(after))


def _is_sign(character: str) -> bool:
    """Whether any version of CommonMark counts it as punctuation."""
    return unicodedata.category(character)[0] in "PS"


def _is_edge(character: str) -> bool:
    """Whether it is empty, or white space or punctuation in all versions of CommonMark."""
    if character.isascii():
        return not character.isalnum()
    return character.isspace() or unicodedata.category(character)[0] == "P"


def _unmarked(runs: Sequence[Run], escaping: _Escaping, before: str) -> str:
    pieces: list[str] = []
    for (mark, picture), group in groupby(runs, lambda run: (_verbatim(run), run.picture)):
        text = "".join(run.text for run in group)
        left = _last(pieces) or before
        if picture is not None:
            pieces.append(_picture(picture))
        elif mark == "code" and left != "`":
            pieces.append(_code(text))
        elif mark in _FORMULA_SIGNS and left != "$" and _can_be_formula(text):
            pieces.append(_formula(text, _FORMULA_SIGNS[mark]))
        else:
            pieces.append(_escaped(text, escaping))
    return "".join(pieces)


def _verbatim(run: Run) -> Mark | None:
    """The mark of the run whose text is not escaped."""
    return next((mark for mark in run.marks if mark == "code" or mark in _FORMULA_SIGNS), None)


def _escaped(text: str, escaping: _Escaping) -> str:
    r"""The text, in which formulas that a script would draw are as they are.

    >>> text = r"*Let \(a_{i} * b\) be $x_1$. $5 is not 6$"
    >>> print(_escaped(text, _Escaping(_SPECIAL, amounts=True)))
    \*Let $a_{i} * b$ be $x_1$. \$5 is not 6$
    """
    pieces: list[str] = []
    at = 0
    for found in _undrawn(text):
        kind = str(found.lastgroup)
        pieces.append(_literal(text[at : found.start()], escaping))
        pieces.append(_formula(found[kind], "$$" if "display" in kind else "$"))
        at = found.end()
    return "".join([*pieces, _literal(text[at:], escaping)])


def _undrawn(text: str) -> Iterator[re.Match[str]]:
    """The formulas that a script would draw."""
    if "$" not in text and "\\" not in text:
        return
    for found in _UNDRAWN_FORMULA.finditer(text):
        formula = found[str(found.lastgroup)]
        if _TEX.search(formula) and _can_be_formula(formula):
            yield found


def _literal(text: str, escaping: _Escaping) -> str:
    escaped = escaping.special.sub(r"\\\g<0>", text)
    return _OPENING_DOLLAR.sub(r"\\$", escaped) if escaping.amounts else escaped


def _has_amounts(runs: Runs) -> bool:
    """Whether two dollar signs, perhaps of different runs, would make a formula of no formula."""
    if sum(run.text.count("$") for run in runs) < 2:
        return False
    text = "".join(run.text for run in runs if "code" not in run.marks)
    ends = [0, *(end for found in _undrawn(text) for end in found.span()), len(text)]
    text = "".join(text[start:end] for start, end in zip(ends[::2], ends[1::2], strict=True))
    opening = _OPENING_DOLLAR.search(text)
    return opening is not None and _CLOSING_DOLLAR.search(text, opening.end()) is not None


def _can_be_formula(text: str) -> bool:
    """Whether dollar signs can enclose it."""
    return "$" not in text and not text.rstrip().endswith("\\")


def _formula(text: str, sign: str) -> str:
    return f"{sign}{' '.join(text.split())}{sign}"


def _code(text: str) -> str:
    """The text in more backticks than it contains; surrounding white space stays outside.

    Every line is code of its own, as there are no line breaks in code.
    """
    if "\n" in text:
        return "\n".join(map(_code, text.split("\n")))
    begin, body, end = _parted(text)
    code = _WHITE_SPACE.sub(" ", body)
    if not code:
        return text
    fence = "`" * (max(map(len, _BACKTICKS.findall(code)), default=0) + 1)
    pad = " " if "`" in (code[0], code[-1]) else ""
    return f"{begin}{fence}{pad}{code}{pad}{fence}{end}"


def _parted(text: str) -> tuple[str, str, str]:
    """The white space before the text, the text without it, and the white space after."""
    body = text.strip()
    start = text.index(body)
    return text[:start], body, text[start + len(body) :]


def _picture(picture: Picture) -> str:
    alt = _SPECIAL_IN_LINK.sub(r"\\\g<0>", picture.alt)
    return f"![{alt}]({_target(picture.url)})"


def _target(url: str) -> str:
    return _SPECIAL_IN_TARGET.sub(lambda found: _IN_TARGET.get(found[0], "&amp;"), url)


def _last(pieces: Sequence[str]) -> str:
    return next((piece[-1] for piece in reversed(pieces) if piece), "")


def _first(runs: Sequence[Run]) -> str:
    """The character that they are written with first: code and pictures begin with a sign."""
    first = next((run for run in runs if run.text or run.picture), None)
    if first is None or first.picture:
        return "!" if first else ""
    return "`" if "code" in first.marks and not first.text[0].isspace() else first.text[0]
