"""How sites bring their content to the page: one template a technique, in ``views/``."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader

SCRIPTED: Final = (
    *("react", "vue", "vue-template", "preact", "mithril", "lit", "alpine", "knockout", "angular"),
    *("hyperapp", "svelte", "handlebars", "jquery-filled", "lazy-list"),
)
"""The content, or most of it, comes by scripts."""

SCROLLED: Final = "endless-list"
"""Most of the content comes by scripts, when the end of what is there is seen."""

COMPLETE: Final = (
    *("plain", "jquery-menu", "jquery-comments", "alpine-menu", "turbo", "htmx", "swiper"),
    *("overlay", "react-hydrated", "vue-hydrated"),
)
"""The content is in the static page; scripts do other things, or take it over as it is."""


def page_html(view: str, **values: Any) -> str:
    """A page in one of these techniques."""
    return _environment().get_template(f"{view}.html").render(values)


@cache
def _environment() -> Environment:
    # Other marks than Jinja's own, which the packages use themselves.
    return Environment(
        loader=FileSystemLoader(Path(__file__).parent / "views"),
        autoescape=True,
        block_start_string="[%",
        block_end_string="%]",
        variable_start_string="[[",
        variable_end_string="]]",
        comment_start_string="[#",
        comment_end_string="#]",
        trim_blocks=True,
    )
