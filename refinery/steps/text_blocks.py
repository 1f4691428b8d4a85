"""The blocks of a text, and which of them can be left out without harm to code or a table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

Block = list[str]
"""Lines; the blank ones are at the end, but for those of fenced code."""

_FENCE: Final = re.compile(r"[\s>*+.\d-]*(`{3,}+(?!.*`)|~{3,}+)")
# Of Markdown, and of plain text, whose cells are separated by tabs.
_ROW: Final = re.compile(r"[\s>]*\||.*\t")
_WORD: Final = re.compile(r"[^\W_]")


def blocks_of(text: str) -> list[Block]:
    r"""What stands between blank lines; each line, if there is none, as in texts of WET files; and
    fenced code as a whole.

    >>> blocks_of("One.\nTwo.\n\nThree.")
    [['One.', 'Two.', ''], ['Three.']]
    """
    lines = text.split("\n")
    is_each = "" not in lines
    blocks: list[Block] = []
    fence, is_over = "", True
    for line in lines:
        is_blank = not line.strip()
        if not blocks or (is_over and not is_blank):
            blocks.append([])
        if fence:
            fence = "" if _closes(line, fence) else fence
        elif found := _FENCE.match(line):
            fence = found[1]
        is_over = (is_blank or is_each) and not fence
        blocks[-1].append(line)
    return blocks


def are_apart(blocks: Sequence[Block]) -> list[bool]:
    """Which of the blocks have words, and are neither code nor a table, nor beside one: blank lines
    part the code of plain text, too.
    """
    fixed = [any(map(_is_of_code_or_table, block)) for block in blocks]
    around = zip([False, *fixed], fixed, [*fixed[1:], False], strict=False)
    return [
        not any(near) and any(map(_WORD.search, block))
        for block, near in zip(blocks, around, strict=True)
    ]


def _is_of_code_or_table(line: str) -> bool:
    if not line.strip():
        return False
    return line[0].isspace() or bool(_FENCE.match(line) or _ROW.match(line))


def _closes(line: str, fence: str) -> bool:
    bare = line.strip(" \t>")
    return bare.startswith(fence) and not bare.strip(fence[0])
