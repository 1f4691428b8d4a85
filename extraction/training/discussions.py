"""Articles with made discussions below them.

Few labelled articles have more words in comments than in their text; a model that has seen none
takes the comments for the text. The comments are posts of other pages of the data, and the main
content is what it was.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Final

import lxml.html  # type: ignore[import-untyped]
from lxml.etree import LxmlError  # type: ignore[import-untyped]

from extraction.labelled import DataError, LabelledPage
from extraction.training.discussion_markup import DiscussionMarkup

_ARTICLE: Final = "article"
_FORUM: Final = "forum"
_WORD: Final = re.compile(r"\w+")
_UNSPACED: Final = re.compile(r"[぀-ヿ㐀-鿿]")
_XML_DECLARATION: Final = re.compile(r"^\s*<\?xml[^>]*\?>")
# Of a post and of an article, in characters.
_SHORTEST_POST: Final = 20
_LONGEST_POST: Final = 500
_SHORTEST_ARTICLE: Final = 250
_COMMENTS: Final = (4, 8, 15, 25, 40, 60, 100)
# The article's element has so much of its words.
_NEARLY_ALL: Final = 0.8
# Elements below which no discussion stands.
_INNER: Final = frozenset({"p", "span", "td", "tr", "tbody", "table"})


def discussed(pages: Iterable[LabelledPage], count: int, random: Random) -> Iterator[LabelledPage]:
    """So many of the articles, if there are, each with a discussion of posts of the forums.

    Their ids begin with ``discussed-``. Raises DataError if there are no articles or no posts.
    """
    pages = list(pages)
    if not count:
        return
    articles = [page for page in pages if page.genre == _ARTICLE and _is_long(page)]
    posts = _posts(page for page in pages if page.genre == _FORUM)
    if not articles or not posts:
        raise DataError("--discussed needs pages of the types article and forum")
    random.shuffle(articles)
    made = 0
    for page in articles:
        if made == count:
            return
        own = posts.get(_is_unspaced(page.gold_text))
        html = _with_discussion(page, own, random) if own else None
        if html:
            yield replace(page, id=f"discussed-{page.id}", html=html)
            made += 1


def _is_long(page: LabelledPage) -> bool:
    return len(page.gold_text) >= _SHORTEST_ARTICLE


def _posts(forums: Iterable[LabelledPage]) -> dict[bool, list[str]]:
    """Lines of posts, by whether their script is written without spaces."""
    posts: dict[bool, list[str]] = {}
    for page in forums:
        for line in page.gold_text.splitlines():
            if _SHORTEST_POST <= len(line) <= _LONGEST_POST:
                posts.setdefault(_is_unspaced(line), []).append(line.strip())
    return posts


def _is_unspaced(text: str) -> bool:
    return len(_UNSPACED.findall(text)) * 4 > len(text)


def _with_discussion(page: LabelledPage, posts: Sequence[str], random: Random) -> str | None:
    """The page's HTML with a discussion; None if it is not clear where its article ends."""
    try:
        tree = lxml.html.document_fromstring(_XML_DECLARATION.sub("", page.html))
    except (LxmlError, ValueError):
        return None
    article = _article(tree, Counter(_words(page.gold_text)))
    if article is None:
        return None
    markup = DiscussionMarkup.any(random)
    html = markup.discussion(posts, random.choice(_COMMENTS), random)
    discussion = lxml.html.fragment_fromstring(html, create_parent="div")
    parent = article.getparent()
    place = random.randrange(3)
    if place == 0 or article.tag == "body":
        article.append(discussion)
    elif place == 1 or parent.tag == "body":
        article.addnext(discussion)
    else:
        parent.addnext(discussion)
    whole: str = lxml.html.tostring(tree, encoding="unicode")
    return f"<!DOCTYPE html>{whole}"


def _article(tree: lxml.html.HtmlElement, gold: Counter[str]) -> lxml.html.HtmlElement | None:
    """The smallest element that holds nearly all of the article, and below which text may stand."""
    inner = tree.find("body")
    if inner is None or _share(inner, gold) < _NEARLY_ALL:
        return None
    while True:
        children = [child for child in inner if isinstance(child.tag, str)]
        best = max(children, key=lambda child: _share(child, gold), default=None)
        if best is None or _share(best, gold) < _NEARLY_ALL:
            break
        inner = best
    while inner.tag in _INNER:
        inner = inner.getparent()
    return inner


def _share(element: lxml.html.HtmlElement, gold: Counter[str]) -> float:
    return (Counter(_words(element.text_content())) & gold).total() / gold.total()


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
