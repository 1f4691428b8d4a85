"""What rendering has brought so far, by kind of page, host and template.

The expected gain of a page is the mean of a beta distribution: of gains, each a success in part,
with the mean of the level above as prior. The levels are all pages of its kind; those of its host;
those of its template there; and the page itself, if it was rendered at an earlier visit.

A page that is not rendered leaves its expected gain as a debt of its template. Once the debt is
worth a rendering, the next page is rendered to see whether anything has changed; each time that
nothing has, it takes twice the debt. So what is known well is tried seldom, what is doubtful soon.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final, NamedTuple

# How many observations the level above counts as.
_OF_ALL: Final = 100.0
_OF_HOST: Final = 2.0
_OF_TEMPLATE: Final = 2.0
_OF_PAGE: Final = 0.25
# Older observations fade, so that a site may change.
_MOST_OBSERVATIONS: Final = 24.0
# A page that gains no more gains nothing: words of a menu that opens, the time of day.
_NOTHING: Final = 0.02
# Doublings of the debt.
_MOST_PATIENCE: Final = 5
_MOST_OF_HOST: Final = 2
_CAPACITY: Final = 50_000


@dataclass(slots=True)
class _Cell:
    """observations, and the sum of their gains. pending: pages that are being rendered now.

    debt: the expected gains of pages since the last one that was rendered. patience: how many
    pages in a row have gained nothing.
    """

    observations: float = 0.0
    gains: float = 0.0
    pending: int = 0
    debt: float = 0.0
    patience: int = 0

    def mean(self, prior: float, strength: float) -> float:
        """With pending pages as observations without gain, so that doubtful pages are tried one by
        one.
        """
        return (strength * prior + self.gains) / (strength + self.observations + self.pending)

    def add(self, gain: float) -> None:
        self.observations += 1
        self.gains += gain
        self.patience = 0 if gain > _NOTHING else min(self.patience + 1, _MOST_PATIENCE)
        if self.observations > _MOST_OBSERVATIONS:
            self.observations /= 2
            self.gains /= 2


class Place(NamedTuple):
    """Where a page belongs. kind: of page, one of few. prior: of its gain, before any was seen.

    needs_browser: whether pages of that kind hold nothing without one. last: the gain of this very
    page when it was last rendered; None if it never was.
    """

    kind: str
    prior: float
    host: str
    template: str
    needs_browser: bool = False
    last: float | None = None

    @property
    def is_awaited(self) -> bool:
        """Whether others wait for what rendering brings to a page there. Not if they would be lost
        meanwhile, and not if it is known.
        """
        return not self.needs_browser and self.last is None


class GainMemory:
    """Of the ``capacity`` places that were used last."""

    def __init__(self, capacity: int = _CAPACITY) -> None:
        self._capacity = capacity
        self._cells: OrderedDict[Hashable, _Cell] = OrderedDict()
        self._kinds: dict[str, _Cell] = {}

    def __len__(self) -> int:
        return len(self._cells)

    def expected(self, place: Place) -> float:
        """The expected gain of a page there."""
        of_all = self._kinds.get(place.kind, _Cell()).mean(place.prior, _OF_ALL)
        of_host = self._cell(place.host, place.kind).mean(of_all, _OF_HOST)
        of_template = self._template(place).mean(of_host, _OF_TEMPLATE)
        if place.last is None:
            return of_template
        return (_OF_PAGE * of_template + place.last) / (_OF_PAGE + 1)

    def debt(self, place: Place) -> float:
        """What pages there may have lost since the last one that was rendered, in units that grow
        with patience.
        """
        host, template = self._known(place)
        # What one template of a host has shown makes the others a little less urgent.
        patience = max(template.patience, min(host.patience, _MOST_OF_HOST))
        return template.debt / (1 << patience)

    def pass_over(self, place: Place, expected: float) -> None:
        """A page there is not rendered."""
        self._template(place).debt += expected

    def recall(self, place: Place) -> None:
        """A page there comes again: what rendering has brought to it counts in this run, too."""
        if place.last is not None:
            self._add(place, place.last)

    def begin(self, place: Place) -> None:
        """A page there is being rendered; ``end`` must follow."""
        self._template(place).debt = 0.0
        if place.is_awaited:
            for cell in self._known(place):
                cell.pending += 1

    def end(self, place: Place, gain: float | None) -> None:
        """gain: of the page; None if it could not be rendered, which says nothing of it."""
        if place.is_awaited:
            for cell in self._known(place):
                cell.pending = max(0, cell.pending - 1)
        if gain is not None:
            self._add(place, gain)

    def _add(self, place: Place, gain: float) -> None:
        # A large host must not speak for all the others.
        if not self._cell(place.host, place.kind).observations:
            self._kinds.setdefault(place.kind, _Cell()).add(gain)
        for cell in self._known(place):
            cell.add(gain)

    def _known(self, place: Place) -> tuple[_Cell, _Cell]:
        return self._cell(place.host, place.kind), self._template(place)

    def _template(self, place: Place) -> _Cell:
        return self._cell(place.host, place.kind, place.template)

    def _cell(self, *key: str) -> _Cell:
        cell = self._cells.get(key)
        if cell is None:
            cell = self._cells[key] = _Cell()
            if len(self._cells) > self._capacity:
                self._cells.popitem(last=False)
        else:
            self._cells.move_to_end(key)
        return cell
