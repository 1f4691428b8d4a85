"""The scripts of a page that hold JSON-LD."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom

_TYPE: Final = "application/ld+json"


def json_ld_scripts(dom: Dom) -> Iterator[int]:
    """The nodes of the scripts, whatever the parameters of their type.

    >>> from corpus_commons.markup.dom import parse
    >>> page = '<script type="Application/LD+JSON; charset=utf-8">{}</script><script>a()</script>'
    >>> len(list(json_ld_scripts(parse(page))))
    1
    """
    for node in dom.elements("script").tolist():
        media_type = (dom.attributes[node].get("type") or "").partition(";")[0]
        if media_type.strip().lower() == _TYPE:
            yield node
