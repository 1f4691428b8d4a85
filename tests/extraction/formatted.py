"""All text of a page, in the formats."""

from __future__ import annotations

from extraction import extract

URL = "https://example.org/a/b.html"


def markdown(body: str, **options: bool) -> str:
    return extract(f"<body>{body}", method="all-text", url=URL, format="markdown", **options).text


def fragment(body: str, **options: bool) -> str:
    return extract(f"<body>{body}", method="all-text", url=URL, format="html", **options).text
