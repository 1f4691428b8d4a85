"""Tables in Markdown, readable on a terminal and ready for the documentation."""

from __future__ import annotations

from collections.abc import Sequence


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table with the first column left-aligned and all others right-aligned.

    >>> print(table(("name", "ms"), [("lexbor", "1.2")]))
    | name | ms |
    | --- | ---: |
    | lexbor | 1.2 |
    """
    lines = [columns, ["---"] + ["---:"] * (len(columns) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
