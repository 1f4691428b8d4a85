"""What repeats on a page: entries of lists, cards of grids, posts of threads, paragraphs.

Elements of the same build (tag and class names) come from the same line of a template. They are
grouped in two ways: as siblings, and over the whole page, because cards of a grid may be in
separate rows. From each grouping, the groups are chosen that would be the list if the page were
one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.characters import Integers
from genre_model.html.characters import Floats
from genre_model.html.page import Page

_LEAST_MEMBERS = 3
_PARAGRAPHS = frozenset(("p", "blockquote", "pre"))
# Tags of parts of a line, which are not entries.
_PARTS = frozenset(("a", "span", "b", "strong", "em", "i", "br", "img", "svg", "path", "button",
                    "option", "label", "input", "small", "u", "use", "source"))  # fmt: skip
_ROW_TAGS = frozenset(("li", "tr", "dd", "dt"))


def repetition_features(page: Page) -> dict[str, float]:
    """Features of siblings by build, and of all elements by their and their parent's build."""
    dom = page.dom
    builds = page.builds
    parents = np.maximum(dom.parents, 0)
    inked = (page.words > 0) | (page.count_in_subtrees(page.is_picture) > 0)
    nodes = np.flatnonzero(page.is_element & inked & ~dom.has_tag(_PARTS) & (dom.parents > 0))
    facts = _facts(page, nodes)
    by_parent = dom.parents[nodes].astype(np.int64) * (builds.max() + 1) + builds[nodes]
    by_build = builds[parents[nodes]] * (builds.max() + 1) + builds[nodes]
    return {
        **_of_view(page, "siblings", nodes, by_parent, facts),
        **_of_view(page, "build", nodes, by_build, facts),
    }


def _facts(page: Page, nodes: Integers) -> dict[str, Floats]:
    """Counts over the subtree of every node."""
    counts = page.count_in_subtrees
    facts = {
        "words": page.words,
        "linked": page.linked,
        "prose": page.prose,
        "blocks": page.blocks,
        "links": counts(page.is_link) + (page.link_of >= 0),
        "headings": counts(page.is_heading),
        "dates": page.over_subtrees(page.is_date.astype(np.float64)),
        "prices": page.over_subtrees(page.has_price.astype(np.float64)),
    }
    return {name: values[nodes] for name, values in facts.items()}


@dataclass(frozen=True, eq=False)
class _Groups:
    """Groups of elements; the arrays have one entry per group.

    sums: the sum of every fact over the members; having: the number of members with any of it.
    squares: the sum of the members' squared word counts.
    """

    sizes: Floats
    sums: dict[str, Floats]
    having: dict[str, Floats]
    squares: Floats
    is_eligible: npt.NDArray[np.bool_]
    is_paragraph: npt.NDArray[np.bool_]
    is_row: npt.NDArray[np.bool_]


def _groups(page: Page, nodes: Integers, keys: Integers, facts: dict[str, Floats]) -> _Groups:
    _, first, group_of, sizes = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
    )
    n = len(sizes)
    paragraph = page.dom.has_tag(_PARAGRAPHS)[nodes][first]
    row = page.dom.has_tag(_ROW_TAGS)[nodes][first]
    clutter = np.bincount(group_of, page.in_clutter[nodes], n) > sizes / 2

    def total(values: Floats | npt.NDArray[np.bool_]) -> Floats:
        return np.bincount(group_of, values, n).astype(np.float64)

    return _Groups(
        sizes=sizes.astype(np.float64),
        sums={name: total(values) for name, values in facts.items()},
        having={name: total(values > 0) for name, values in facts.items()},
        squares=total(facts["words"] ** 2),
        is_eligible=(sizes >= _LEAST_MEMBERS) & ~clutter,
        is_paragraph=paragraph,
        is_row=row,
    )


def _of_view(
    page: Page, view: str, nodes: Integers, keys: Integers, facts: dict[str, Floats]
) -> dict[str, float]:
    groups = _groups(page, nodes, keys, facts)
    sums, having, sizes = groups.sums, groups.having, groups.sizes
    entries = ~groups.is_paragraph & groups.is_eligible
    linking = having["links"] >= sizes / 2
    scores = {
        "entries": np.where(entries & linking, sums["words"], 0),
        "priced": np.where(entries, having["prices"], 0),
        "dated": np.where(entries & linking, having["dates"], 0),
        "posts": np.where(
            entries & ~groups.is_row, sums["prose"] * (having["prose"] > sizes / 2), 0
        ),
        "rows": np.where(entries & groups.is_row, sums["words"], 0),
        "paragraphs": np.where(groups.is_paragraph & (sizes > 1), sums["prose"], 0),
    }
    features = {
        f"{view}.groups": float(groups.is_eligible.sum()),
        f"{view}.largest": float((sizes * groups.is_eligible).max(initial=0)),
    }
    for kind, score in scores.items():
        chosen = int(np.argmax(score)) if len(score) and score.max() > 0 else -1
        for name, value in _of_group(groups, chosen, page.total_words).items():
            features[f"{view}.{kind}.{name}"] = value
    return features


_SHARES = ("headings", "dates", "links")
_GROUP_FEATURES = ("members", "share", "mean-words", "spread", "link-density", "prose-density",
                   "mean-blocks", *(f"with-{name}" for name in _SHARES))  # fmt: skip


def _of_group(groups: _Groups, chosen: int, total_words: float) -> dict[str, float]:
    if chosen < 0:
        return dict.fromkeys(_GROUP_FEATURES, 0.0)
    size = groups.sizes[chosen]
    words = groups.sums["words"][chosen]
    mean = words / size
    variance = max(groups.squares[chosen] / size - mean**2, 0.0)
    values = (
        size,
        words / total_words,
        mean,
        variance**0.5 / max(mean, 1.0),
        groups.sums["linked"][chosen] / max(words, 1.0),
        groups.sums["prose"][chosen] / max(words, 1.0),
        groups.sums["blocks"][chosen] / size,
        *(groups.having[name][chosen] / size for name in _SHARES),
    )
    return {name: float(value) for name, value in zip(_GROUP_FEATURES, values, strict=True)}
