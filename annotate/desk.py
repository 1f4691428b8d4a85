"""The desk: pages, labels and people together, without the web around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from annotate.agreement import Agreement, agreements
from annotate.dataset import write_dataset
from annotate.harmless import harmless
from annotate.journal import Journal
from annotate.labels import CONTENT, DROPPED, KEPT, Label, spans_of
from annotate.opinions import Machine, PageBlocks
from annotate.sources import SourcePage
from annotate.worklist import Work

_PAGES_AT_HAND = 8


@dataclass(frozen=True, slots=True)
class Choices:
    """task: see ``labels.TASKS``. victor: whether blocks have Victor's labels."""

    task: str = CONTENT
    victor: bool = False


class Desk:
    """Safe to share between threads.

    out: the data set that ``write`` makes.
    """

    def __init__(
        self, works: list[Work], machine: Machine, journal: Journal, out: Path, choices: Choices
    ) -> None:
        self.works = works
        self.out = out
        self.choices = choices
        self.journal = journal
        self._machine = machine
        self._by_id = {work.page.id: number for number, work in enumerate(works)}
        self._reading = Lock()
        self._latest = lru_cache(_PAGES_AT_HAND)(self._read)

    def frame(self, number: int) -> str:
        """A page as harmless HTML."""
        segmentation = self._at_hand(number).segmentation
        return harmless(segmentation.dom, segmentation.block_of)

    def blocks(self, number: int, person: str) -> dict[str, Any]:
        """What the browser needs to know of a page's blocks, as JSON."""
        found = self._at_hand(number)
        label = self.label(number, person)
        is_current = label is not None and label.blocks == found.fingerprint
        segmentation = found.segmentation
        return {
            "texts": found.texts,
            "kinds": segmentation.kinds,
            "hidden": (~segmentation.dom.visible[segmentation.firsts]).tolist(),
            "machine": spans_of(self._machine_labels(found)),
            "spans": label.spans if label is not None and is_current else None,
            "blocks": found.fingerprint,
            "done": self.is_done(number, person),
            "changed": self._has_changed(number, label),
        }

    def label(self, number: int, person: str) -> Label | None:
        return self.journal.of_page(self.works[number].page.id).get(person)

    def save(self, number: int, fields: Mapping[str, Any]) -> Label:
        """Save what a person says of a page; what is not said now is as that person said before.

        fields: ``done`` is whether the person is through with this task.
        Raises ValueError or OSError if it cannot be saved.
        """
        page = self.works[number].page.id
        before = self.journal.of_page(page).get(str(fields.get("by")))
        done = {*(before.done if before else ())} - {self.choices.task}
        if fields.get("done") is True:
            done.add(self.choices.task)
        said = {**(_said(before) if before else {}), **fields, "page": page, "done": list(done)}
        if fields.get("spans") is not None:
            found = self._at_hand(number)
            if fields.get("blocks") != found.fingerprint:
                raise ValueError("these are labels of other blocks: load the page again")
            said["count"] = len(found.texts)
        label = Label.from_fields({**said, "at": datetime.now(UTC).isoformat(timespec="seconds")})
        self.journal.save(label)
        return label

    def next(self, person: str, after: int = -1) -> int | None:
        """The next page that the person has not done, going round; None if all are done."""
        count = len(self.works)
        for step in range(1, count + 1):
            number = (after + step) % count
            if not self.is_done(number, person):
                return number
        return None

    def done_by(self, person: str) -> int:
        """How many pages the person has done."""
        return sum(self.is_done(number, person) for number in range(len(self.works)))

    def is_done(self, number: int, person: str) -> bool:
        """Whether the person is through with this task on the page, as it is now."""
        label = self.label(number, person)
        is_done = label is not None and self.choices.task in label.done
        return is_done and not self._has_changed(number, label)

    def _has_changed(self, number: int, label: Label | None) -> bool:
        """Whether the label is of other blocks; those that are saved now are not."""
        now, then = self.works[number].blocks, label.blocks if label is not None else None
        return None not in (now, then) and now != then

    def agreements(self) -> list[Agreement]:
        return agreements([self.journal.of_page(page) for page in self.journal.pages()])

    def write(self) -> int:
        """Write the data set; returns how many pages it has."""
        pages = (work.page for work in self.works)
        return write_dataset(self.out, pages, self.journal.of_page, self._blocks_of)

    def _machine_labels(self, found: PageBlocks) -> list[str]:
        names = {"heading": "header", "list-item": "list"}
        return [
            (names.get(kind, "paragraph") if self.choices.victor else KEPT) if kept else DROPPED
            for kept, kind in zip(found.kept.tolist(), found.segmentation.kinds, strict=True)
        ]

    def _blocks_of(self, page: SourcePage) -> PageBlocks:
        return self._at_hand(self._by_id[page.id])

    def _at_hand(self, number: int) -> PageBlocks:
        # A browser asks for the frame and the blocks of a page at once; they are read only once.
        with self._reading:
            return self._latest(number)

    def _read(self, number: int) -> PageBlocks:
        return self._machine.blocks(self.works[number].page)


def _said(label: Label) -> dict[str, Any]:
    """The fields of a label that may stand in the next one."""
    spans = None if label.spans is None else list(label.spans)
    kinds = {"page_type": label.page_type, "genre": label.genre}
    return {**kinds, "spans": spans, "blocks": label.blocks, "count": label.count}
