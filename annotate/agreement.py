"""How far two people agree, beyond what chance would do: Cohen's kappa."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from annotate.labels import Label

SUBJECTS: Final = ("page type", "genre", "main content")


@dataclass(slots=True)
class Agreement:
    """Of two people on one subject: their answers, in the same order.

    pages: how many both have labelled. For main content there is an answer for every block.
    """

    people: tuple[str, str]
    subject: str
    pages: int = 0
    first: list[str] = field(default_factory=list)
    second: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The share of equal answers."""
        return sum(map(str.__eq__, self.first, self.second)) / len(self.first)

    @property
    def kappa(self) -> float | None:
        return kappa(self.first, self.second)


def kappa(first: Sequence[str], second: Sequence[str]) -> float | None:
    """Cohen's kappa; None if chance explains everything, as when both give one label only.

    Source: Cohen, A Coefficient of Agreement for Nominal Scales, Educational and Psychological
    Measurement 1960.

    Both agree on three of four, of which chance explains a half:

    >>> kappa(["a", "a", "b", "b"], ["a", "a", "b", "a"])
    0.5
    """
    count = len(first)
    ours, theirs = Counter(first), Counter(second)
    by_chance = sum(ours[label] * theirs[label] for label in ours) / count**2 if count else 1.0
    if by_chance == 1:
        return None
    observed = sum(map(str.__eq__, first, second)) / count
    return (observed - by_chance) / (1 - by_chance)


def agreements(pages: Sequence[Mapping[str, Label]]) -> list[Agreement]:
    """Of all pairs of people who have both labelled a page, on what both have labelled.

    pages: for every page, its labels by person.
    """
    found: dict[tuple[tuple[str, str], str], Agreement] = {}
    for labels in pages:
        done = sorted((label for label in labels.values() if label.done), key=lambda one: one.by)
        for first, second in combinations(done, 2):
            people = (first.by, second.by)
            for subject, ours, theirs in _answers(first, second):
                of = found.setdefault((people, subject), Agreement(people, subject))
                of.pages += 1
                of.first += ours
                of.second += theirs
    return [found[key] for key in sorted(found, key=lambda key: (key[0], SUBJECTS.index(key[1])))]


def _answers(first: Label, second: Label) -> Iterator[tuple[str, list[str], list[str]]]:
    kinds = (
        ("page type", first.page_type, second.page_type),
        ("genre", first.genre, second.genre),
    )
    for subject, ours, theirs in kinds:
        if ours is not None and theirs is not None:
            yield subject, [ours], [theirs]
    are_done = first.blocks_done and second.blocks_done
    if are_done and first.count and first.blocks == second.blocks:
        yield "main content", first.block_labels(), second.block_labels()
