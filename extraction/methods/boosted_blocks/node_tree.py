"""A page as the parser's tree, of which parts are taken away or added to make another page."""

from __future__ import annotations

from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from corpus_commons.markup.dom import Dom, flat, tamed


class NodeTree(NamedTuple):
    """A parsed page. nodes: those of the tree, in the order of the nodes of ``dom``."""

    tree: LexborHTMLParser
    dom: Dom
    nodes: list[LexborNode]

    @property
    def html(self) -> str:
        """The page as it is now; ``dom`` stays as it was."""
        return self.tree.html or ""


def node_tree(html: str) -> NodeTree | None:
    """The page; None for one with a drawn formula, for which the Dom has a node more.

    Raises MarkupError.
    """
    tree = LexborHTMLParser(tamed(html))
    dom = flat(tree)
    nodes = [
        node
        for node in (tree.root.traverse(include_text=True) if tree.root else ())
        if node.is_text_node or node.is_element_node
    ]
    return NodeTree(tree, dom, nodes) if len(nodes) == len(dom) else None
