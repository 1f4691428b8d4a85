"""From what a method kept to the Extraction that its user asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from extraction import comments
from extraction.addresses import Room, base_url, image_source
from extraction.blocks import join
from extraction.formats import Content, write
from extraction.formats.passages import Picture
from extraction.images import image_at, image_nodes
from extraction.result import Block
from extraction.selection import Selection

if TYPE_CHECKING:
    from extraction.comments import CommentBlocks
    from extraction.output import Comments, Output
    from extraction.result import Extraction, Image
    from markup.dom import BoolArray, IntArray

# Smaller ones are there to be counted, not looked at.
_SMALLEST_SIDE = 3


def written(
    found: Extraction,
    output: Output,
    *,
    url: str | None = None,
    genre: str | None = None,
    drops_comments: bool = False,
) -> Extraction:
    """The extraction as ``output`` has it.

    drops_comments: whether ``drop`` takes out comments that the method kept.
    """
    selection = found.selection
    if selection is None:
        return _without_tree(found, output)
    apart = None
    if output.comments != "drop":
        selection = selection.over_page()
    if drops_comments or output.comments != "drop":
        sections = comments.find(selection, genre=genre)
        if sections is not None:
            found, selection, apart = _divided(found, selection, sections, output.comments)
    if output.format != "text":
        found = _formatted(found, selection, output, url)
    if apart is not None:
        base = _base(apart, url) if output.links else None
        found = replace(found, comments=write(Content(apart.blocks(), apart, base), output.format))
    return replace(found, selection=None)


def _without_tree(found: Extraction, output: Output) -> Extraction:
    """Of a library's text no more is known than its paragraphs."""
    if output.format == "text" or not found.text:
        return found
    blocks = found.blocks or tuple(
        Block(text.strip()) for text in found.text.split("\n\n") if text.strip()
    )
    return replace(found, text=write(Content(blocks), output.format), blocks=blocks)


def _divided(
    found: Extraction, selection: Selection, sections: CommentBlocks, choice: Comments
) -> tuple[Extraction, Selection, Selection | None]:
    """The extraction with its comments as chosen, its selection, and what is to be apart."""
    segmentation, probabilities = selection.segmentation, selection.probabilities
    spoken = _nodes_of(selection, sections.spoken)
    kept = selection.kept & ~_nodes_of(selection, sections.inside)
    if choice == "keep":
        kept |= spoken
    if not np.array_equal(kept, selection.kept) or choice == "keep":
        blocks = segmentation.kept_blocks(kept, probabilities, sections.inside.tolist())
        selection = Selection(segmentation, kept, probabilities)
        found = replace(found, text=join(blocks), blocks=blocks)
    apart = Selection(segmentation, spoken, probabilities) if choice == "separate" else None
    return found, selection, apart


def _nodes_of(selection: Selection, blocks: BoolArray) -> BoolArray:
    """The text nodes of the blocks."""
    # Nodes outside all blocks have the index -1, the entry added at the end.
    return np.append(blocks, False)[selection.segmentation.block_of]


def _formatted(
    found: Extraction, selection: Selection, output: Output, url: str | None
) -> Extraction:
    base = _base(selection, url) if output.links or output.images else ""
    images = _images(selection, base, found.images) if output.images else {}
    pictures = {node: Picture(image_source(image.url), image.alt) for node, image in images.items()}
    content = Content(found.blocks, selection, base if output.links else None, pictures)
    return replace(
        found,
        text=write(content, output.format),
        images=tuple(images.values()) if output.images else found.images,
    )


def _base(selection: Selection, url: str | None) -> str:
    return base_url(selection.segmentation.dom, url)


def _images(selection: Selection, base: str, judged: tuple[Image, ...]) -> dict[int, Image]:
    """The images to show, by their nodes, ascending; each address once.

    judged: those that the method keeps; where it judges none, it is their place that decides.
    """
    dom = selection.segmentation.dom
    nodes = image_nodes(dom)
    by_url = {image.url: image for image in judged}
    chosen: dict[str, tuple[int, Image]] = {}
    room = Room()
    for node in (nodes if judged else nodes[_among_kept(selection, nodes)]).tolist():
        image = image_at(dom, node, base)
        if image is None or not image_source(image.url) or _is_beacon(image):
            continue
        is_chosen = (not judged or image.url in by_url) and image.url not in chosen
        if is_chosen and room.takes(image.url):
            chosen[image.url] = (node, by_url.get(image.url, image))
    return dict(chosen.values())


def _among_kept(selection: Selection, nodes: IntArray) -> BoolArray:
    """The nodes inside a kept block, or right between two of them."""
    segmentation = selection.segmentation
    # A block before all others, and one after them, neither of them kept.
    kept = np.concatenate([[False], selection.has_kept(), [False]])
    lasts = np.concatenate([[-1], segmentation.lasts])
    before = np.searchsorted(segmentation.firsts, nodes)
    return kept[before] & (kept[before + 1] | (nodes < lasts[before]))


def _is_beacon(image: Image) -> bool:
    return any(side is not None and side < _SMALLEST_SIDE for side in (image.width, image.height))
