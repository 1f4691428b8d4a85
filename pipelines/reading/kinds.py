"""The kind of a page: by its HTML, and by its screenshot where the HTML leaves doubt.

Where the HTML is sure, the screenshot changes next to nothing (docs/results/genre.md), and to look
at it takes as long as to read the page.
"""

from __future__ import annotations

from genre_model.fusion import HTML, SCREENSHOT, SHIPPED, SURE, Fusion
from genre_model.prediction import Prediction
from settings.tables.genres import Genres


class Kinds:
    """genres: the job's thresholds, below which it names no kind."""

    def __init__(self, genres: Genres) -> None:
        self._genres = genres
        self._fusion = Fusion.load(SHIPPED)

    def judged(self, by_html: Prediction, by_screenshot: Prediction | None) -> Prediction:
        """The answer from both, with the job's thresholds."""
        fused = self._fusion.fuse({SCREENSHOT: by_screenshot, HTML: by_html})
        genre = fused.with_threshold(self._genres.genre_threshold)
        page_type = fused.with_threshold(self._genres.page_type_threshold)
        return Prediction(
            genre.genre, genre.genre_scores, page_type.page_type, page_type.page_type_scores
        )

    def leaves_doubt(self, by_html: Prediction) -> bool:
        """Whether the screenshot should be looked at. A job may ask for more than SURE."""
        asked = (
            (by_html.genre_scores, self._genres.genre_threshold),
            (by_html.page_type_scores, self._genres.page_type_threshold),
        )
        return any(max(scores.values()) < max(SURE, least) for scores, least in asked)
