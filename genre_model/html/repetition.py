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
from genre_model.html.batch import Batch, Columns
from genre_model.html.characters import Floats
from genre_model.html.naming import builds_of
from genre_model.html.segments import Numbers, Segments, at, between

_LEAST_MEMBERS = 3
_PARAGRAPHS = frozenset(("p", "blockquote", "pre"))
# Tags of parts of a line, which are not entries.
_PARTS = frozenset(("a", "span", "b", "strong", "em", "i", "br", "img", "svg", "path", "button",
                    "option", "label", "input", "small", "u", "use", "source"))  # fmt: skip
_ROW_TAGS = frozenset(("li", "tr", "dd", "dt"))
# The facts about an element.
_WORDS, _LINKED, _PROSE, _DATES, _PRICES, _BLOCKS, _LINKS, _HEADINGS = range(8)


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


def _facts(batch: Batch, nodes: Integers) -> Floats:
    """(facts, nodes): counts over the subtree of every node."""
    inside = batch.blocks.inside(nodes)
    of_blocks = (
        batch.block_words, batch.block_linked, batch.block_prose, batch.is_date, batch.has_price
    )  # fmt: skip
    facts = (
        *(between(values, *inside) for values in of_blocks),
        inside[1] - inside[0],
        batch.links.count_inside(nodes) + (batch.tree.links[nodes] >= 0),
        batch.headings.count_inside(nodes),
    )
    return np.array(facts, dtype=np.float64)


class _Groups(Segments):
    """Groups of elements with equal keys; the arrays have one entry per group.

    sizes: the number of members. sums: (facts, groups), the sums over the members; having: the
        number of members with any of a fact. squares: the sum of the members' squared word counts.
    """

    def __init__(self, batch: Batch, nodes: Integers, keys: Integers, facts: Floats) -> None:
        order = np.argsort(keys, kind="stable")
        starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
        tree, examples, facts = batch.tree, nodes[order[starts]], facts[:, order]
        super().__init__(tree.page_of[examples], len(tree.pages))

        def total(values: Numbers) -> Floats:
            return np.add.reduceat(values, starts, axis=-1, dtype=np.float64)

        self.sizes: Integers = np.diff(starts, append=len(order))
        self.totals, self.having = total(facts), total(facts > 0)
        self.squares = total(facts[_WORDS] ** 2)
        in_clutter = total(batch.in_clutter[nodes[order]])
        self.is_eligible = (self.sizes >= _LEAST_MEMBERS) & (in_clutter <= self.sizes / 2)
        self.is_paragraph = tree.has_tag(_PARAGRAPHS)[examples]
        self.is_row = tree.has_tag(_ROW_TAGS)[examples]


def _of_view(batch: Batch, view: str, nodes: Integers, keys: Integers, facts: Floats) -> Columns:
    groups = _Groups(batch, nodes, keys, facts)
    sums, having, sizes = groups.totals, groups.having, groups.sizes
    entries = groups.is_eligible & ~groups.is_paragraph
    links = entries & (having[_LINKS] >= sizes / 2)
    posts = entries & ~groups.is_row & (having[_PROSE] > sizes / 2)
    scores = {
        "entries": sums[_WORDS] * links,
        "priced": having[_PRICES] * entries,
        "dated": having[_DATES] * links,
        "posts": sums[_PROSE] * posts,
        "rows": sums[_WORDS] * (entries & groups.is_row),
        "paragraphs": sums[_PROSE] * (groups.is_paragraph & (sizes > 1)),
    }
    # All scores at once, as if each were that of other pages.
    chosen = groups.repeated(len(scores)).first_largest(np.concatenate([*scores.values()]))
    places = np.where(chosen < 0, -1, chosen % max(len(groups), 1)).reshape(len(scores), -1)
    of_kinds = _of_groups(groups, places, batch.total_words)
    return {
        f"{view}.groups": groups.sums(groups.is_eligible),
        f"{view}.largest": groups.largest(sizes * groups.is_eligible),
        **{
            f"{view}.{kind}.{name}": values[place]
            for place, kind in enumerate(scores)
            for name, values in of_kinds.items()
        },
    }


def _of_groups(groups: _Groups, chosen: Integers, total_words: Floats) -> Columns:
    """The features of chosen groups, by kind and page; 0 for the index -1."""
    members = at(groups.sizes, chosen)
    size = np.maximum(members, 1)
    words, linked, prose, blocks = (
        at(groups.totals[fact], chosen) for fact in (_WORDS, _LINKED, _PROSE, _BLOCKS)
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
        "with-headings": at(groups.having[_HEADINGS], chosen) / size,
        "with-dates": at(groups.having[_DATES], chosen) / size,
        "with-links": at(groups.having[_LINKS], chosen) / size,
    }
