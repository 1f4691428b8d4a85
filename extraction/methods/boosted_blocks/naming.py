"""Groups of names that indicate what a block is."""

from __future__ import annotations

from corpus_commons.markup.naming import NameGroups

_GROUPS = {
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
NAMES = NameGroups(_GROUPS)
