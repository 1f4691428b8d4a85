"""Under which licence a page says it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from urllib.parse import urljoin

_LONGEST = 500
_CREATIVE_COMMONS = re.compile(
    r"(?:https?:)?//(?:www\.)?creativecommons\.org/"
    r"(licenses/[a-z-]{2,20}/\d\.\d|publicdomain/(?:zero|mark)/1\.0)(?:/([a-z]{2})(?=/|$))?",
    re.I,
)
_WEB = re.compile(r"https?://[^\s<>\"]+", re.I)


def licence(declared: Iterable[str], links: Sequence[str], url: str) -> str | None:
    """URL of the licence; those of Creative Commons in their canonical form.

    declared: targets that are said to be the page's licence; the first sound one is taken.
    links: other links to Creative Commons; taken only if all are the same licence, for a page
        that links to several is about licences or lists the works of others.
    url: of the page, to resolve relative targets.

    >>> licence([], ["//creativecommons.org/licenses/by-SA/4.0/deed.de"], "https://example.com/")
    'https://creativecommons.org/licenses/by-sa/4.0/'
    """
    for target in declared:
        found = canonical_licence(target, url)
        if found is not None:
            return found
    linked = {
        found
        for target in links
        if (found := canonical_licence(target, url)) is not None and _CREATIVE_COMMONS.match(found)
    }
    return linked.pop() if len(linked) == 1 else None


def canonical_licence(target: str, url: str) -> str | None:
    """An absolute http or https URL of the licence; None for anything else."""
    found = _CREATIVE_COMMONS.search(target)
    if found:
        country = f"{found[2].lower()}/" if found[2] else ""
        return f"https://creativecommons.org/{found[1].lower()}/{country}"
    try:
        absolute = urljoin(url, target.strip())
    except ValueError:
        return None
    return absolute if len(absolute) <= _LONGEST and _WEB.fullmatch(absolute) else None
