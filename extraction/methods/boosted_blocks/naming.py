"""The names of elements, and groups of them that tell of what a block is."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from markup.naming import MAX_NAME_CHARACTERS, NameGroups

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from markup.characters import Integers
    from markup.dom import Dom

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

# What is said for screen readers, tests and search engines stays where class names are scrambled.
_ATTRIBUTES = ("class", "id", "role", "itemprop", "itemtype", "aria-label", "data-testid", "rel")


@dataclass(frozen=True, eq=False)
class Naming:
    """What the elements of a page are called.

    elements: those that have a name, ascending.
    names: each once.
    uses: for every name of an element its number among these, element by element.
    firsts: for every element, where its uses begin.
    """

    elements: Integers
    names: Sequence[str]
    uses: Integers
    firsts: Integers

    def groups(self) -> npt.NDArray[np.int64]:
        """For every element, the groups that any of its names speaks of: a bit for each."""
        bits = np.array([NAMES.bits_of(name) for name in self.names], dtype=np.int64)
        return np.bitwise_or.reduceat(bits[self.uses], self.firsts)

    def sums(self, values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """For every element, the sum of its names' values: (names, any) to (elements, any)."""
        total: npt.NDArray[np.float32] = np.add.reduceat(values[self.uses], self.firsts)
        return total


def naming_of(dom: Dom) -> Naming:
    """The names of a page's elements. Custom tags are names, too."""
    nodes: list[Integers] = []
    used: list[str] = []
    for attribute in _ATTRIBUTES:
        some, values = dom.having(attribute)
        names = [value[:MAX_NAME_CHARACTERS].split() for value in values]
        nodes.append(np.repeat(np.array(some, dtype=np.int64), [*map(len, names)]))
        used.extend(chain.from_iterable(names))
    for tag in dom.tag_codes[0]:
        if "-" in tag:
            some_elements = dom.elements(tag).astype(np.int64)
            nodes.append(some_elements)
            used.extend([tag[:MAX_NAME_CHARACTERS]] * len(some_elements))
    number_of = {name: number for number, name in enumerate(dict.fromkeys(used))}
    uses = np.fromiter(map(number_of.__getitem__, used), np.int64, len(used))
    users = np.concatenate(nodes)
    order = np.argsort(users, kind="stable")
    elements, firsts = np.unique(users[order], return_index=True)
    return Naming(elements, [*number_of], uses[order], firsts)
