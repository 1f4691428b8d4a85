"""Templates of HTML and other text, by Jinja2: what they insert is escaped."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined


def templates_in(*folders: Path) -> Environment:
    """The templates of the folders, the first first. Values are escaped; a missing one is an error.

    Lines that hold only a tag of the template leave nothing behind.
    """
    return Environment(
        loader=FileSystemLoader(folders),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
