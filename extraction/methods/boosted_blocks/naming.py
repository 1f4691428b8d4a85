"""The names of elements, and groups of names that indicate what a block is."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from corpus_commons.markup.naming import MAX_NAME_CHARACTERS, NameGroups

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from corpus_commons.markup.attribute import Attribute
    from corpus_commons.markup.characters import Integers
    from corpus_commons.markup.dom import Dom, IntArray

GROUPS = {
    "comment": "comment disqus discuss respond reply replies",
    "nav": "nav menu dropdown",
    "header": "header masthead topbar banner hero",
    "footer": "foot copyright colophon legal disclaim",
    "sidebar": "sidebar aside rail secondary sidenav",
    "related": "relat recommend similar popular trending latest recent also more upsell next prev",
    "share": "share sharing social follow twitter facebook addthis",
    "crumb": "crumb",
    "byline": "byline author writer date time posted publish meta",
    "tags": "tag categor topic label",
    "ad": "^ad$ ^ads$ advert sponsor promo affiliate dfp outbrain taboola",
    "popup": "cookie consent gdpr privacy popup modal overlay alert notice",
    "sign-up": "newsletter subscri signup login register paywall account",
    "content": "content article entry story text body copy markdown prose wysiwyg rich",
    "main": "main primary page",
    "post": "post blog news",
    "title": "title headline heading",
    "media": "caption figure credit image img photo gallery media slide carousel swiper video",
    "product": "product sku variant offer shop woo",
    "price": "price cart buy stock quantity qty checkout currency",
    "detail": "desc detail spec feature summary overview about excerpt intro lead teaser",
    "tabs": "tab accordion faq question answer toggle collaps expand",
    "review": "review rating star testimonial quote",
    "list": "list grid card tile result feed collection archive item",
    "forum": "thread message forum member signature avatar profile reputation vote badge user",
    "widget": "widget block module component panel box",
    "section": "section container wrap inner ^row$ ^rows$ ^col$ ^cols$ column",
    "search": "search filter sort paginat pager facet",
    "form": "form input field button btn cta select option",
    "code": "code highlight syntax",
    "toc": "^toc$ contents anchor",
    "hidden": "hidden ^sr$ visually screen skip invisible noprint hide",
    "reference": "reference footnote citation infobox navbox reflist hatnote",
}
NAMES = NameGroups(GROUPS)

# Attributes for screen readers, tests and search engines keep their meaning on pages whose class
# names are scrambled.
_ATTRIBUTES = ("class", "id", "role", "itemprop", "itemtype", "aria-label", "data-testid", "rel")


@dataclass(frozen=True, eq=False)
class Naming:
    """The names of a page's elements, in compressed sparse row form.

    elements: the elements that have a name, ascending.
    names: the distinct names.
    uses: for every name of an element its index in ``names``, element by element.
    firsts: for every element, where its uses begin.
    """

    elements: Integers
    names: Sequence[str]
    uses: Integers
    firsts: Integers

    def groups(self) -> npt.NDArray[np.int64]:
        """For every element, the groups that any of its names belongs to, as bits."""
        bits = np.array([NAMES.bits_of(name) for name in self.names], dtype=np.int64)
        return np.bitwise_or.reduceat(bits[self.uses], self.firsts)

    def sums(self, values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """For every element, the sum of its names' values: (names, n) to (elements, n)."""
        total: npt.NDArray[np.float32] = np.add.reduceat(values[self.uses], self.firsts)
        return total


def naming_of(dom: Dom) -> Naming:
    """The names of a page's elements; the tags of custom elements are names, too."""
    number_of: dict[str, int] = {}
    found = [_uses(dom.attribute(attribute), number_of) for attribute in _ATTRIBUTES]
    for tag in dom.tag_codes[0]:
        if "-" in tag:
            tagged = dom.elements(tag)
            number = number_of.setdefault(tag[:MAX_NAME_CHARACTERS], len(number_of))
            found.append((tagged, np.full(len(tagged), number)))
    users, uses = (np.concatenate(parts).astype(np.int64) for parts in zip(*found, strict=True))
    order = np.argsort(users, kind="stable")
    elements, firsts = np.unique(users[order], return_index=True)
    return Naming(elements, [*number_of], uses[order], firsts)


def _uses(attribute: Attribute, number_of: dict[str, int]) -> tuple[IntArray, Integers]:
    """Every use of a name by an element: the element, and the index of the name.

    number_of: the index of every name so far; new names are added.
    """
    names = [value[:MAX_NAME_CHARACTERS].split() for value in attribute.values]
    numbers = np.array(
        [number_of.setdefault(name, len(number_of)) for name in chain.from_iterable(names)],
        dtype=np.int64,
    )
    counts = np.array([*map(len, names)], dtype=np.int64)
    firsts = np.cumsum(counts) - counts
    # An element has all the names of its attribute's value, which are adjacent.
    own = counts[attribute.codes]
    skipped = firsts[attribute.codes] - (np.cumsum(own) - own)
    return np.repeat(attribute.nodes, own), numbers[np.repeat(skipped, own) + np.arange(own.sum())]
