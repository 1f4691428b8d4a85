"""What a build did, as a table for a terminal."""

from __future__ import annotations

from rich.table import Table

from refinery.dataset.account import Built


def funnel(built: Built) -> Table:
    """The steps, with what came to them and what they dropped."""
    table = Table(title="recipe", box=None, title_justify="left", header_style="")
    table.add_column("step")
    for name in ("documents", "dropped"):
        table.add_column(name, justify="right")
    table.add_column("for")
    for step in built.steps:
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in step.dropped.items())
        dropped = step.documents - step.kept
        table.add_row(f"{step.number}. {step.name}", f"{step.documents:,}", f"{dropped:,}", reasons)
    return table
