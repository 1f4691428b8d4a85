"""Discussions under articles, as many sites mark them up: made, of posts of other pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from random import Random
from typing import Final, Self

_CONTAINERS: Final = ("div", "div", "ul", "ol", "section", "table")
_ITEMS: Final = {"ul": "li", "ol": "li", "table": "tr"}
_FREE_ITEMS: Final = ("div", "div", "article", "p")
_AUTHORS: Final = ("a", "span", "strong", "b", "div", "cite", "h4")
_TEXTS: Final = ("p", "p", "div", "span", "")
# In the languages of some sites, abbreviated, or none. Names such as "list" or "item", which some
# discussions have, too, would say that what is called so elsewhere is no content.
_CONTAINER_NAMES: Final = (
    *("comments", "commentlist", "komentarze", "opinie", "reacties", "kommentare", "comentarios"),
    *("commentaires", "discussion", "responses", "feedback", "cmts", "x1", "", "", ""),
)
_ITEM_NAMES: Final = ("comment", "opinia", "komentarz", "reply", "response", "cmt", "c1", "", "")
_AUTHOR_NAMES: Final = ("author", "nick", "u", "", "")
_TITLES: Final = ("Comments", "Komentarze", "Opinie", "Комментарии", "评论", "Kommentare", "Σχόλια")
_REPLIES: Final = ("Reply", "Odpowiedz", "zgłoś", "Ответить", "回复", "", "", "")
_NAMES: Final = (
    *("anna", "Tom_87", "~baba", "gość", "user4412", "Maria K.", "Guest", "мария", "ειρήνη"),
    *("Hans", "grizz", "网友", "匿名用户", "PeterPan", "@joe", "sas"),
)
_DATES: Final = (
    *("2012-01-04 14:39", "3 days ago", "12.03.2014, 08:11", "[2012-01-04 09:29]", "вчера 12:01"),
    *("May 5, 2019 at 3:14 pm", "2小时前", "2016/05/04", ""),
)
_MOST_LINES: Final = (1, 1, 1, 1, 2, 3)
_MOST_VOTES: Final = 40


@dataclass(frozen=True, slots=True)
class DiscussionMarkup:
    """How one site writes its discussions; names of elements and classes, "" for none."""

    container: str
    item: str
    author: str
    text: str
    container_name: str
    item_name: str
    author_name: str
    title: str
    reply: str
    is_dated: bool
    is_voted_on: bool
    is_nested: bool
    author_is_first: bool

    @classmethod
    def any(cls, random: Random) -> Self:
        container = random.choice(_CONTAINERS)
        return cls(
            container,
            _ITEMS.get(container) or random.choice(_FREE_ITEMS),
            random.choice(_AUTHORS),
            random.choice(_TEXTS),
            random.choice(_CONTAINER_NAMES),
            random.choice(_ITEM_NAMES),
            random.choice(_AUTHOR_NAMES),
            random.choice((*_TITLES, "")),
            random.choice(_REPLIES),
            is_dated=random.random() < 0.75,
            is_voted_on=random.random() < 0.4,
            is_nested=random.random() < 0.3,
            author_is_first=random.random() < 0.8,
        )

    def discussion(self, posts: Sequence[str], count: int, random: Random) -> str:
        """HTML of so many comments, of randomly chosen posts."""
        title = f"<h3>{self.title} ({count})</h3>" if self.title else ""
        comments = (self._comment(posts, random) for _ in range(count))
        return title + _element(self.container, "".join(comments), self.container_name)

    def _comment(self, posts: Sequence[str], random: Random) -> str:
        by = _element(self.author, escape(random.choice(_NAMES)), self.author_name)
        by += _element("span", random.choice(_DATES)) if self.is_dated else ""
        lines = [escape(random.choice(posts)) for _ in range(random.choice(_MOST_LINES))]
        said = (
            "".join(_element(self.text, line) for line in lines)
            if self.text
            else "<br>".join(lines)
        )
        said += f'<a href="#">{self.reply}</a>' if self.reply else ""
        said += _element("span", str(random.randint(0, _MOST_VOTES))) if self.is_voted_on else ""
        if self.item == "tr":
            return _element("tr", f"<td>{by}</td><td>{said}</td>", self.item_name)
        parts = (by, said) if self.author_is_first else (said, by)
        answer = ""
        if self.is_nested and random.random() < 0.4:
            answer = _element("div", escape(random.choice(posts)), self.item_name)
        return _element(self.item, " ".join(parts) + answer, self.item_name)


def _element(tag: str, content: str, name: str = "") -> str:
    named = f' class="{name}"' if name else ""
    return f"<{tag}{named}>{content}</{tag}>"
