"""Lines of robots.txt that say how pages may be used: ``FIELD: [PATH] VALUE``.

``Content-Usage`` and ``Content-Signal`` have this form. Of a group's lines, those with the longest
matching path apply, as for Allow and Disallow; if there are several, all of them do.
"""

from __future__ import annotations

import re

from crawler.consent.path_patterns import matches, path_of


def values_for(field: str, group: str, url: str) -> list[str]:
    r"""The values of a field that apply to a URL.

    group: lines of a robots.txt, without comments.

    >>> group = "Content-Usage: train-ai=n\ncontent-usage : /ok/ train-ai=y"
    >>> values_for("Content-Usage", group, "http://example.com/ok/a")
    ['train-ai=y']
    """
    line = re.compile(rf"\s*{re.escape(field)}\s*:\s*(/\S*(?=\s))?(.*)", re.IGNORECASE)
    rules = [
        (found[1] or "", found[2].strip()) for found in map(line.match, group.splitlines()) if found
    ]
    path = path_of(url) if rules else ""
    applying = [(rule, value) for rule, value in rules if matches(rule, path)]
    longest = max((len(rule) for rule, _ in applying), default=0)
    return [value for rule, value in applying if len(rule) == longest]
