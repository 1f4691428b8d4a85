"""The subcommands of ``python -m evaluation``. A new one is a module and a line here."""

from __future__ import annotations

from evaluation.commands import blocks, extraction, genre, victor
from evaluation.commands.command import Command

COMMANDS: dict[str, Command] = {
    "blocks": blocks,
    "extraction": extraction,
    "genre": genre,
    "victor": victor,
}
