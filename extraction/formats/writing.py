"""Applies the output options to what a method kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from extraction.formats import Content, write
from extraction.formats.passages import Picture
from extraction.page import comments
from extraction.page.addresses import UrlBudget, base_url, image_source
from extraction.page.blocks import Block, join
from extraction.page.images import image_at, image_nodes
from extraction.page.selection import Selection

if TYPE_CHECKING:
    from corpus_commons.markup.tree import BoolArray, IntArray
    from extraction.output import Comments, Output
    from extraction.page.comments import CommentBlocks
    from extraction.page.images import Image
    from extraction.result import Extraction

# Images with a smaller side are tracking pixels.
_SMALLEST_SIDE = 3


def written(
    found: Extraction,
    output: Output,
    *,
    url: str | None = None,
    genre: str | None = None,
    drops_comments: bool = False,
) -> Extraction:
    """The extraction in the form that ``output`` describes.

    drops_comments: whether the option ``drop`` removes comments that the method kept.
    """
    selection = found.selection
    if selection is None:
        return _without_tree(found, output)
    apart = None
    if output.comments != "drop":
        selection = selection.over_page()
    if drops_comments or output.comments != "drop":
        sections = comments.find(selection, genre=genre, page_types=found.page_type_scores)
        if sections is not None:
            found, selection, apart = _divided(found, selection, sections, output.comments)
    if output.format != "text":
        found = _formatted(found, selection, output, url)
    if apart is not None:
        base = _base(apart, url) if output.links else None
        found = replace(found, comments=write(Content(apart.blocks(), apart, base), output.format))
    return replace(found, selection=selection if output.selection else None)


def _without_tree(found: Extraction, output: Output) -> Extraction:
    """For the plain text of a library, of which only the paragraphs are known."""
    if output.format == "text" or not found.text:
        return found
    blocks = found.blocks or tuple(
        Block(text.strip()) for text in found.text.split("\n\n") if text.strip()
    )
    return replace(found, text=write(Content(blocks), output.format), blocks=blocks)


def _divided(
    found: Extraction, selection: Selection, sections: CommentBlocks, choice: Comments
) -> tuple[Extraction, Selection, Selection | None]:
    """The extraction with its comments as chosen, its selection, and that of separate comments."""
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
    # Nodes outside all blocks have the index -1, which is the appended entry.
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
    """The images to write, keyed by node, ascending; each URL once.

    judged: the images that the method kept; if it does not classify images, those among the kept
        blocks are taken.
    """
    dom = selection.segmentation.dom
    nodes = image_nodes(dom)
    by_url = {image.url: image for image in judged}
    chosen: dict[str, tuple[int, Image]] = {}
    budget = UrlBudget()
    for node in (nodes if judged else nodes[_among_kept(selection, nodes)]).tolist():
        image = image_at(dom, node, base)
        if image is None or not image_source(image.url) or _is_beacon(image):
            continue
        is_chosen = (not judged or image.url in by_url) and image.url not in chosen
        if is_chosen and budget.takes(image.url):
            chosen[image.url] = (node, by_url.get(image.url, image))
    return dict(chosen.values())


def _among_kept(selection: Selection, nodes: IntArray) -> BoolArray:
    """The nodes in a kept block or between two adjacent kept blocks.

    A caption that was dropped does not come between its picture and the text.
    """
    segmentation = selection.segmentation
    has_kept, firsts, lasts = selection.has_kept(), segmentation.firsts, segmentation.lasts
    captions = segmentation.dom.nearest(segmentation.dom.has_tag({"figcaption"}))
    counted = has_kept | (captions[firsts] < 0)
    # Padded with a dropped block at either end.
    kept = np.concatenate([[False], has_kept[counted], [False]])
    lasts = np.concatenate([[-1], lasts[counted]])
    before = np.searchsorted(firsts[counted], nodes)
    return kept[before] & (kept[before + 1] | (nodes < lasts[before]))


def _is_beacon(image: Image) -> bool:
    return any(side is not None and side < _SMALLEST_SIDE for side in (image.width, image.height))
