"""A typical crawler trap: the page of each month links to the next month, without end."""

from __future__ import annotations

import calendar
import datetime
import re
from typing import Final

from crawler.demo.pages import Page

_PATH: Final = re.compile(r"/calendar/([1-9]\d{3})/(0[1-9]|1[0-2])")


def is_calendar(path: str) -> bool:
    return _PATH.fullmatch(path) is not None


def calendar_page(path: str) -> Page:
    """The page of a month, for a path that ``is_calendar`` accepts."""
    match = _PATH.fullmatch(path)
    if not match:
        raise ValueError(f"{path!r} must be the path of a month, such as '/calendar/2026/05'")
    year, month = int(match[1]), int(match[2])
    name = f"{calendar.month_name[month]} {year}"
    rows = "".join(
        "<tr>" + "".join(f"<td>{day or ''}</td>" for day in week) + "</tr>"
        for week in calendar.monthcalendar(year, month)
    )
    heads = "".join(f"<th>{day}</th>" for day in calendar.day_abbr)
    links = "".join(
        f'<a href="/calendar/{at:%Y/%m}">{text}</a> '
        for at, text in (
            (_shift(year, month, -1), "Previous month"),
            (_shift(year, month, 1), "Next month"),
            (_shift(year, month, 12), "Next year"),
        )
    )
    return Page(
        path=path,
        layout="plain",
        title=f"Harbour calendar: {name}",
        summary=f"What happens at the quay in {name}.",
        unlisted=True,
        html=f'<p>{links}</p><table class="month"><tr>{heads}</tr>{rows}</table>',
    )


def _shift(year: int, month: int, months: int) -> datetime.date:
    """The first of the month ``months`` later; wraps around within four-digit years."""
    count = (year - 1000) * 12 + month - 1 + months
    return datetime.date(1000 + count // 12 % 9000, count % 12 + 1, 1)
