"""The text of a block as runs: what is bold, what is a link, where the pictures are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.formulas import tex
from corpus_commons.markup.tags import SHAPERS, ZERO_WIDTH
from extraction.formats.passages import Mark, Picture, Run, Runs
from extraction.page.addresses import UrlBudget, link_target

if TYPE_CHECKING:
    from extraction.page.selection import Selection

# Ordered from the outermost to the innermost, as they are written.
_TAGS_OF_MARK: Final[dict[Mark, frozenset[str]]] = {
    "strong": frozenset(("b", "strong")),
    "em": frozenset(("i", "em", "dfn", "var")),
    "s": frozenset(("s", "strike", "del")),
    "sub": frozenset(("sub",)),
    "sup": frozenset(("sup",)),
    "code": frozenset(("code", "kbd", "samp", "tt")),
}
_MARKS: Final[tuple[Mark, ...]] = (*_TAGS_OF_MARK, "formula", "display")
_CODE: Final = 1 << _MARKS.index("code")
_UNDRAWN = str.maketrans("", "", ZERO_WIDTH + SHAPERS)
# A visible character, with those that shape it.
_DRAWN = re.compile(rf"[^\s{SHAPERS}][{SHAPERS}]*")


class _Look(NamedTuple):
    """How a text node is formatted.

    marks: bit ``i`` for ``_MARKS[i]``. link: its URL, may be empty. code: the code element around
    it, as two adjacent ones are two pieces of code; -1 if none.
    """

    marks: int
    link: str
    code: int = -1

    def run(self, text: str) -> Run:
        marks = tuple(mark for bit, mark in enumerate(_MARKS) if self.marks >> bit & 1)
        return Run(text, marks, self.link)

    def common(self, other: _Look) -> _Look:
        marks = self.marks & other.marks
        if self.code != other.code:
            marks &= ~_CODE
        return _Look(marks, self.link if self.link == other.link else "")


class Inline:
    """Reads the runs of blocks.

    base: the URL that links are resolved against; None if links are not wanted.
    pictures: those inside blocks, keyed by node, ascending.
    written: replacement texts of those text nodes that are not written verbatim.
    """

    def __init__(
        self,
        selection: Selection,
        base: str | None,
        pictures: Mapping[int, Picture],
        written: Mapping[int, str],
    ) -> None:
        segmentation = selection.segmentation
        self._dom = segmentation.dom
        self._base = base
        self._pictures = pictures
        self._written = written
        self._targets: dict[int, str] = {-1: ""}
        self._budget = UrlBudget()
        self._latest = ""
        self._marks = self._marks_of_nodes()
        self._codes = self._dom.nearest(self._dom.has_tag(_TAGS_OF_MARK["code"]))
        shown = (segmentation.block_of >= 0) & selection.kept & self._dom.has_text
        shown[list(pictures)] = True
        self._nodes = np.flatnonzero(shown)
        firsts = np.append(segmentation.firsts, len(self._dom))
        self._cuts = np.searchsorted(self._nodes, firsts).tolist()

    def runs(self, block: int, text: str) -> Runs:
        """The runs of a block with this text; their texts concatenate to it."""
        nodes = self._nodes[self._cuts[block] : self._cuts[block + 1]].tolist()
        self._latest = ""
        stretches = [
            (look, list(group)) for look, group in groupby(nodes, key=self._look_or_picture)
        ]
        if len(stretches) == 1 and isinstance(stretches[0][0], _Look):
            return (stretches[0][0].run(text),)
        return tuple(self._cut(text, stretches))

    def picture(self, node: int, picture: Picture) -> Run:
        """The run of a picture."""
        return Run("", (), self._link_of(node), picture)

    def _cut(self, text: str, stretches: list[tuple[_Look | int, list[int]]]) -> Iterator[Run]:
        """Divide the text among the stretches, by the number of visible characters in their nodes.

        White space between two stretches gets the format that both share.
        """
        drawn = [match.span() for match in _DRAWN.finditer(text)]
        at = used = 0
        before: _Look | None = None
        for look, nodes in stretches:
            if isinstance(look, int):
                picture = self.picture(look, self._pictures[look])
                place = _Look(0, picture.link)
                if text[at : at + 1].isspace():
                    yield (place if before is None else place.common(before)).run(" ")
                yield picture
                before = place
                continue
            count = sum(self._drawn(node) for node in nodes)
            if not count:
                continue
            start = drawn[used][0]
            if start > at:
                yield (look if before is None else look.common(before)).run(text[at:start])
            used += count
            at = drawn[used - 1][1]
            yield look.run(text[start:at])
            before = look

    def _look_or_picture(self, node: int) -> _Look | int:
        if node in self._pictures:
            return node
        marks = int(self._marks[node])
        code = int(self._codes[node]) if marks & _CODE else -1
        return _Look(marks, self._link_of(node), code)

    def _drawn(self, node: int) -> int:
        text = self._written.get(node, self._dom.texts[node])
        return len("".join(text.translate(_UNDRAWN).split()))

    def _link_of(self, node: int) -> str:
        """The URL of the link around a node; empty if the document's limit on URLs is reached."""
        target = self._target(int(self._dom.links[node]))
        if target != self._latest:
            self._latest = target if self._budget.takes(target) else ""
        return self._latest

    def _target(self, link: int) -> str:
        if self._base is None:
            return ""
        found = self._targets.get(link)
        if found is None:
            found = link_target(self._base, self._dom.attributes[link].get("href") or "")
            self._targets[link] = found
        return found

    def _marks_of_nodes(self) -> npt.NDArray[np.uint8]:
        """The bits of every node's marks; only elements inside its block-level element count."""
        dom = self._dom
        marks = np.zeros(len(dom), dtype=np.uint8)
        for bit, tags in enumerate(_TAGS_OF_MARK.values()):
            marked = dom.has_tag(tags)
            if marked.any():
                marks |= (dom.nearest(marked) > dom.containers).astype(np.uint8) << np.uint8(bit)
        for bit, is_marked in enumerate(tex(dom), len(_TAGS_OF_MARK)):
            marks |= is_marked.astype(np.uint8) << np.uint8(bit)
        return marks
