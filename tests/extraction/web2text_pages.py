"""A story and a menu, from which the pages for Web2Text's tests are made."""

from __future__ import annotations

SENTENCES = (
    "The committee met on Tuesday to discuss the new bridge over the river, and it heard from "
    "engineers that the old one would not last another winter. They were quite sure of that, and "
    "said so."
)
STORY = f"<div>{6 * f'<p>{SENTENCES}</p>'.replace('quite', '<b>quite</b>')}</div>"
MENU = "<ul>" + "".join(f'<li><a href="/{i}">Section {i}</a></li>' for i in range(12)) + "</ul>"
