"""What a page says of itself: its title, ``<meta>`` and ``<link>``, and the class of its body."""

from __future__ import annotations

from dataclasses import dataclass, field

from corpus_commons.markup.dom import Dom
from corpus_commons.markup.forest import Forest


@dataclass(slots=True)
class Head:
    """Of one page.

    title: the text of ``<title>``. description: the content of ``<meta name="description">``.
    statements: the values of ``<meta>`` by name, and a dot for every ``<link>`` by ``rel:`` and
        link type; all in lower case.
    body: the class of ``<body>``, in lower case.
    """

    title: str = ""
    description: str = ""
    statements: dict[str, str] = field(default_factory=dict)
    body: str = ""


def heads_of(tree: Forest) -> list[Head]:
    """The head of every page."""
    heads = [Head() for _ in tree.pages]
    # The first element of a page is the last one here.
    for head, page, node in _elements(tree, heads, "title")[::-1]:
        head.title = " ".join(page.texts[node : page.ends[node]])
    for head, page, node in _elements(tree, heads, "body")[::-1]:
        head.body = (page.attributes[node].get("class") or "").lower()
    for head, page, node in _elements(tree, heads, "meta")[::-1]:
        attributes = page.attributes[node]
        content = attributes.get("content") or ""
        if (attributes.get("name") or "").lower() == "description":
            head.description = content
        if name := attributes.get("property") or attributes.get("name"):
            head.statements[name.lower()] = content.lower()
    for head, page, node in _elements(tree, heads, "link"):
        attributes = page.attributes[node]
        if relation := attributes.get("rel"):
            name = f"rel:{relation.lower()}"
            if name != "rel:alternate" or "xml" in (attributes.get("type") or ""):
                head.statements[name] = head.statements.get(name, "") + "."
    return heads


def _elements(tree: Forest, heads: list[Head], tag: str) -> list[tuple[Head, Dom, int]]:
    """For every element of a tag, the head of its page, the page, and its index there."""
    nodes = tree.elements(tag)
    page_of = tree.page_of[nodes]
    places = zip(page_of.tolist(), (nodes - tree.roots[page_of]).tolist(), strict=True)
    return [(heads[page], tree.pages[page], node) for page, node in places]
