"""``[genres]``: the model's thresholds, and the extraction methods."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from settings.values import Table
from settings.vocabulary import Method


class Extractors(Table):
    """The extraction method for each genre or page type.

    The page type is looked up first, since it is finer, then the genre, then `default`.
    """

    default: Method = "default"
    """For all pages without a method of their own; `"default"` is the method we recommend."""
    article: Method | None = None
    """For articles, as genre and as page type."""
    list_view: Annotated[Method | None, Field(alias="list-view")] = None
    """For the genre of pages that list things."""
    documentation: Method | None = None
    """For manuals, references and tutorials."""
    product: Method | None = None
    """For one thing for sale."""
    service: Method | None = None
    """For home and landing pages."""
    forum: Method | None = None
    """For threads, lists of threads, questions and answers."""
    collection: Method | None = None
    """For shops and catalogues."""
    listing: Method | None = None
    """For blog fronts, archives and search results."""
    media: Method | None = None
    """For galleries and video pages."""
    other: Method | None = None
    """For contact pages, legal notices, forms and errors."""

    def method_for(self, *, genre: str | None, page_type: str | None) -> str:
        """The name of the method for a page. genre, page_type: None if the model was unsure.

        >>> chosen = Extractors(forum="justext", article="goce-article")
        >>> chosen.method_for(genre="article", page_type="forum")
        'justext'
        >>> chosen.method_for(genre="article", page_type="media")
        'goce-article'
        >>> chosen.method_for(genre=None, page_type=None)
        'default'
        """
        for label in (page_type, genre):
            method: str | None = getattr(self, label.replace("-", "_"), None) if label else None
            if method is not None:
                return method
        return self.default

    def methods(self) -> tuple[str, ...]:
        """All chosen methods, without repeats.

        >>> Extractors(forum="justext", article="justext").methods()
        ('default', 'justext')
        """
        chosen = (getattr(self, name) for name in type(self).model_fields)
        return tuple(dict.fromkeys(method for method in chosen if method is not None))


class Genres(Table):
    """How sure the model must be of a page's kind, and which method extracts what."""

    genre_threshold: Annotated[float, Field(ge=0, le=1)] = 0.6
    """Below this probability a page's genre is unsure, and none is named."""
    page_type_threshold: Annotated[float, Field(ge=0, le=1)] = 0.4
    """The same for its page type. The default is lower because nine types share the probability,
    against two genres; raise it where a wrong type costs more than none. Every document has all
    scores."""
    extractors: Extractors = Extractors()
    """The extraction method for each kind of page."""
