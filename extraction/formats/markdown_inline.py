"""Runs as Markdown: marks, links and pictures; and text that nobody takes for any of these."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from extraction.formats.passages import Mark, Picture, Run, Runs

# From the outside in. Subscripts and superscripts have no sign.
_SIGNS: Final[tuple[tuple[Mark, str], ...]] = (("strong", "**"), ("em", "*"), ("s", "~~"))

_SPECIAL = re.compile(
    r"\\(?=[!-/:-@\[-`{-~\n]|$)"  # would escape the next character
    r"|[`*]"
    r"|(?<![^\W_])_|_(?![^\W_])"  # at the edge of a word
    r"|(?<!\s)~|~(?=~|$)"
    r"|<(?=[A-Za-z/!?])|&(?=#?\w+;)"
    r"|\](?=[(\[:])|!(?=\[)"
)
# The same where more text follows, which may complete it; and in the text of a link.
_SPECIAL_BEFORE_MORE = re.compile(rf"{_SPECIAL.pattern}|[<\]]$|&(?=#?\w*$)")
_SPECIAL_IN_LINK = re.compile(rf"{_SPECIAL_BEFORE_MORE.pattern}|[\[\]]")
# Headings, items, quotations, boxes to tick; rules, underlines of headings and table headers.
_LINE_START = re.compile(
    r"#{1,6}(?=\s|$)|[-+](?=\s|$)|>|\[[ xX]\](?=\s|$)|[-=|:][-=|:+\s]*$"
    r"|(?P<number>\d{1,9})[.)](?=\s|$)"
)
_BACKTICKS = re.compile(r"`+")
_WHITE_SPACE = re.compile(r"\s")
_IN_TARGET: Final = {"(": "%28", ")": "%29", "[": "%5B", "]": "%5D"}
_SPECIAL_IN_TARGET = re.compile(r"[()\[\]]|&(?=#?\w+;)")


def inline(runs: Runs) -> str:
    r"""The runs as Markdown; a newline for every line break.

    >>> from extraction.formats.passages import Run
    >>> print(inline((Run("2*3 is "), Run("not", ("strong",)), Run(" [7](x)"))))
    2\*3 is **not** [7\](x)
    """
    pieces: list[str] = []
    for url, group in groupby(runs, lambda run: run.link):
        linked = list(group)
        if not url:
            pieces.append(_spans(linked, 0, _SPECIAL, before=_last(pieces)))
            continue
        body = _spans(linked, 0, _SPECIAL_IN_LINK)
        if _last(pieces) == "!":
            # It would make a picture of the link.
            pieces[-1] = f"{pieces[-1][:-1]}\\!"
        pieces.append(f"[{body}]({_target(url)})")
    return "".join(pieces)


def literal_line(line: str) -> str:
    r"""The line, escaped where its beginning would make more of it than a line of a paragraph.

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
    special: re.Pattern[str],
    *,
    before: str = "",
    after: str = "",
) -> str:
    """The runs with their marks from ``depth`` on.

    before, after: the characters round them; empty where a line or an element begins or ends.
    """
    if depth == len(_SIGNS):
        if after and special is _SPECIAL:
            special = _SPECIAL_BEFORE_MORE
        return _unmarked(runs, special, before)
    mark, sign = _SIGNS[depth]
    groups = [
        (marked, list(group)) for marked, group in groupby(runs, lambda run: mark in run.marks)
    ]
    pieces: list[str] = []
    for index, (marked, group) in enumerate(groups):
        left = _last(pieces) or before
        right = _first(groups[index + 1][1]) if index + 1 < len(groups) else after
        if marked:
            body = _spans(group, depth + 1, special)
            if _can_be_set(body, sign, left, right):
                pieces.append(f"{sign}{body}{sign}")
                continue
        pieces.append(_spans(group, depth + 1, special, before=left, after=right))
    return "".join(pieces)


def _can_be_set(body: str, sign: str, before: str, after: str) -> bool:
    """Whether the sign opens before the body and closes after it (CommonMark 0.31, section 6.2).

    Not so where letters touch it outside and punctuation inside, as Chinese often has it.
    """
    if not body or body[0].isspace() or body[-1].isspace() or before == sign[0]:
        return False
    opens = not _is_sign(body[0]) or _is_edge(before)
    return opens and (not _is_sign(body[-1]) or _is_edge(after))


def _is_sign(character: str) -> bool:
    """Whether any version of CommonMark takes it for punctuation."""
    return unicodedata.category(character)[0] in "PS"


def _is_edge(character: str) -> bool:
    """Whether all versions take it for white space or punctuation, or there is none."""
    return not character or character.isspace() or unicodedata.category(character)[0] == "P"


def _unmarked(runs: Sequence[Run], special: re.Pattern[str], before: str) -> str:
    pieces: list[str] = []
    for (is_code, picture), group in groupby(runs, lambda run: ("code" in run.marks, run.picture)):
        text = "".join(run.text for run in group)
        if picture is not None:
            pieces.append(_picture(picture))
        elif is_code and (_last(pieces) or before) != "`":
            pieces.append(_code(text))
        else:
            pieces.append(special.sub(r"\\\g<0>", text))
    return "".join(pieces)


def _code(text: str) -> str:
    """The text between more backticks than it holds; white space round it stays outside."""
    code = _WHITE_SPACE.sub(" ", text.strip())
    if not code:
        return text
    fence = "`" * (max(map(len, _BACKTICKS.findall(code)), default=0) + 1)
    pad = " " if "`" in (code[0], code[-1]) else ""
    start = text.index(text.strip())
    end = start + len(code)
    return f"{text[:start]}{fence}{pad}{code}{pad}{fence}{text[end:]}"


def _picture(picture: Picture) -> str:
    alt = _SPECIAL_IN_LINK.sub(r"\\\g<0>", picture.alt)
    return f"![{alt}]({_target(picture.url)})"


def _target(url: str) -> str:
    return _SPECIAL_IN_TARGET.sub(lambda found: _IN_TARGET.get(found[0], "&amp;"), url)


def _last(pieces: Sequence[str]) -> str:
    return next((piece[-1] for piece in reversed(pieces) if piece), "")


def _first(runs: Sequence[Run]) -> str:
    return next((run.text[0] for run in runs if run.text), "")
