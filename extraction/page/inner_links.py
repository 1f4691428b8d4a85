"""Links to a place on the same page, which some name with the page's canonical address."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

import numpy as np

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import IntArray


class InnerLinks(NamedTuple):
    """origins: the links, ascending. targets: the element that each of them leads to."""

    origins: IntArray
    targets: IntArray


def inner_links(dom: Dom) -> InnerLinks:
    """The links to places that the page has."""
    canonical = dom.attribute("rel").where(lambda rel: rel == "canonical").tolist()
    own = {"", *(dom.attributes[node].get("href") for node in canonical)}
    origins = dom.attribute("href").where(
        lambda href: "#" in href and href.partition("#")[0] in own
    )
    hrefs = (dom.attributes[node]["href"] or "" for node in origins.tolist())
    names = [unquote(href.partition("#")[2]) for href in hrefs]
    wanted = set(names)
    places: dict[str, int] = {}
    for kind in ("id", "name") if wanted else ():
        attribute = dom.attribute(kind)
        for node in attribute.where(lambda value: unquote(value) in wanted).tolist():
            places.setdefault(unquote(dom.attributes[node][kind] or ""), node)
    targets = np.array([places.get(name, -1) for name in names], dtype=np.int32)
    return InnerLinks(origins[targets >= 0], targets[targets >= 0])
