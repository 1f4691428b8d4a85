"""What repeats on a page: entries of lists, cards of grids, posts of threads, paragraphs.

Elements of the same build (tag and class names) come from the same line of a template. They are
grouped in two ways: as siblings, and over the whole page, because cards of a grid may be in
separate rows. From each grouping, the groups are chosen that would be the list if the page were
one.
"""

from __future__ import annotations

import numpy as np

from corpus_commons.markup.characters import Integers
from corpus_commons.markup.forest import Forest
from corpus_commons.markup.tree import BoolArray
from genre_model.html.batch import Batch, Columns
from genre_model.html.characters import Floats
from genre_model.html.naming import builds_of
from genre_model.html.segments import Segments, at, between, totals

_LEAST_MEMBERS = 3
_PARAGRAPHS = frozenset(("p", "blockquote", "pre"))
# Tags of parts of a line, which are not entries.
_PARTS = frozenset(("a", "span", "b", "strong", "em", "i", "br", "img", "svg", "path", "button",
                    "option", "label", "input", "small", "u", "use", "source"))  # fmt: skip
_ROW_TAGS = frozenset(("li", "tr", "dd", "dt"))
_SHARES = ("headings", "dates", "links")


def repetition_features(batch: Batch) -> Columns:
    """Features of siblings by build, and of all elements by their and their parent's build."""
    tree = batch.tree
    # Neither a root nor its children.
    is_inside = tree.parents > tree.roots[tree.page_of]
    nodes = np.flatnonzero(~tree.is_text & is_inside & ~tree.has_tag(_PARTS))
    inked = (batch.words_inside(nodes) > 0) | (batch.pictures.count_inside(nodes) > 0)
    nodes = nodes[inked]
    builds, parents = _builds(tree), tree.parents[nodes].astype(np.int64)
    # In fewer numbers, because the keys are products.
    of_parents = np.unique(builds[parents], return_inverse=True)[1]
    own, kinds = builds[nodes], builds.max() + 1
    facts = _facts(batch, nodes)
    return {
        **_of_view(batch, "siblings", nodes, parents * kinds + own, facts),
        **_of_view(batch, "build", nodes, of_parents * kinds + own, facts),
    }


def _builds(tree: Forest) -> Integers:
    """For every node, a number that elements of a page with the same tag and classes share.

    They ascend from page to page, and on a page by the first element with these classes, then by
    the first one with this tag.
    """
    classes = tree.attribute("class")
    number_of = {"": 0}
    numbers = [number_of.setdefault(its, len(number_of)) for its in builds_of(classes.values)]
    build = np.array(numbers, dtype=np.int64)[classes.codes]
    keys = tree.page_of[classes.nodes].astype(np.int64) * len(number_of) + build
    _, first, key_of = np.unique(keys, return_index=True, return_inverse=True)
    # The build of elements without a class comes first.
    by_class = 2 * tree.roots[tree.page_of].astype(np.int64)
    named = build > 0
    by_class[classes.nodes[named]] = 2 * classes.nodes[first[key_of]][named] + 1
    by_tag = np.concatenate([page.tag_codes[1] for page in tree.pages])
    builds: Integers = by_class * (by_tag.max() + 1) + by_tag
    return builds


def _facts(batch: Batch, nodes: Integers) -> Columns:
    """Counts over the subtree of every node."""
    inside = batch.blocks.inside(nodes)
    of_blocks: Columns = {
        "words": batch.block_words,
        "linked": batch.block_linked,
        "prose": batch.block_prose,
        "dates": batch.is_date,
        "prices": batch.has_price,
    }
    return {
        **{name: between(values, *inside) for name, values in of_blocks.items()},
        "blocks": inside[1] - inside[0],
        "links": batch.links.count_inside(nodes) + (batch.tree.links[nodes] >= 0),
        "headings": batch.headings.count_inside(nodes),
    }


class _Groups(Segments):
    """Groups of elements; the arrays have one entry per group.

    sizes: the number of members. totals: the sum of every fact over the members; having: the number
        of members with any of it. squares: the sum of the members' squared word counts.
    """

    def __init__(self, batch: Batch, nodes: Integers, keys: Integers, facts: Columns) -> None:
        _, first, group_of, sizes = np.unique(
            keys, return_index=True, return_inverse=True, return_counts=True
        )
        tree, examples, n = batch.tree, nodes[first], len(sizes)
        super().__init__(tree.page_of[examples], len(tree.pages))
        self.sizes = sizes
        self.totals = {name: totals(group_of, values, n) for name, values in facts.items()}
        self.having = {name: totals(group_of, values > 0, n) for name, values in facts.items()}
        self.squares = totals(group_of, facts["words"] ** 2, n)
        in_clutter = totals(group_of, batch.in_clutter[nodes], n)
        self.is_eligible: BoolArray = (sizes >= _LEAST_MEMBERS) & (in_clutter <= sizes / 2)
        self.is_paragraph = tree.has_tag(_PARAGRAPHS)[examples]
        self.is_row = tree.has_tag(_ROW_TAGS)[examples]


def _of_view(batch: Batch, view: str, nodes: Integers, keys: Integers, facts: Columns) -> Columns:
    groups = _Groups(batch, nodes, keys, facts)
    sums, having, sizes = groups.totals, groups.having, groups.sizes
    entries = groups.is_eligible & ~groups.is_paragraph
    links = entries & (having["links"] >= sizes / 2)
    scores = {
        "entries": sums["words"] * links,
        "priced": having["prices"] * entries,
        "dated": having["dates"] * links,
        "posts": sums["prose"] * (entries & ~groups.is_row & (having["prose"] > sizes / 2)),
        "rows": sums["words"] * (entries & groups.is_row),
        "paragraphs": sums["prose"] * (groups.is_paragraph & (sizes > 1)),
    }
    features: Columns = {
        f"{view}.groups": groups.sums(groups.is_eligible),
        f"{view}.largest": groups.largest(sizes * groups.is_eligible),
    }
    for kind, score in scores.items():
        chosen = groups.first_largest(score)
        for name, values in _of_groups(groups, chosen, batch.total_words).items():
            features[f"{view}.{kind}.{name}"] = values
    return features


def _of_groups(groups: _Groups, chosen: Integers, total_words: Floats) -> Columns:
    """For every page, the features of its chosen group; 0 for the index -1."""
    members = at(groups.sizes, chosen)
    size = np.maximum(members, 1)
    words, linked, prose, blocks = (
        at(groups.totals[name], chosen) for name in ("words", "linked", "prose", "blocks")
    )
    mean, some_words = words / size, np.maximum(words, 1)
    variance = np.maximum(at(groups.squares, chosen) / size - mean**2, 0)
    return {
        "members": members,
        "share": words / total_words,
        "mean-words": mean,
        "spread": np.sqrt(variance) / np.maximum(mean, 1),
        "link-density": linked / some_words,
        "prose-density": prose / some_words,
        "mean-blocks": blocks / size,
        **{f"with-{name}": at(groups.having[name], chosen) / size for name in _SHARES},
    }
