"""Tables as Markdown, which reads well on a terminal and can be pasted into the documentation."""

from __future__ import annotations

from collections.abc import Sequence


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The rows under their columns; the first column to the left, all others to the right.

    >>> print(table(("name", "ms"), [("lexbor", "1.2")]))
    | name | ms |
    | --- | ---: |
    | lexbor | 1.2 |
    """
    lines = [columns, ["---"] + ["---:"] * (len(columns) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
