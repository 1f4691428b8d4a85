"""The input of the format writers: the kept blocks, and the same as passages on request."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from extraction.formats.passages import Code, Heading, Paragraph, Picture, Run
from extraction.formats.reading import read

if TYPE_CHECKING:
    from collections.abc import Mapping

    from extraction.formats.passages import Passage
    from extraction.page.blocks import Block
    from extraction.page.selection import Selection


@dataclass(frozen=True, eq=False)
class Content:
    """Kept content.

    blocks: in reading order.
    selection: the nodes they were made from; None for a library's text, which has no structure but
        its blocks.
    base: the URL that links are resolved against; None if links are not wanted.
    pictures: the images to write, keyed by node, ascending.
    """

    blocks: tuple[Block, ...]
    selection: Selection | None = None
    base: str | None = None
    pictures: Mapping[int, Picture] = field(default_factory=dict)

    def passages(self, *, superscripts: bool = False) -> list[Passage]:
        """The content as passages, for formats with structure.

        superscripts: whether the format can show them.
        """
        if self.selection is None:
            return [_passage(block) for block in self.blocks]
        return read(
            self.selection, base=self.base, pictures=self.pictures, superscripts=superscripts
        )


def _passage(block: Block) -> Passage:
    runs = (Run(block.text),)
    if block.kind == "heading":
        return Heading((), runs, 2)
    return Code((), block.text) if block.kind == "code" else Paragraph((), runs)
