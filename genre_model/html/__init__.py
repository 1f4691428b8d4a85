"""Genre and page type from HTML alone."""

from __future__ import annotations

from genre_model.html.classifier import HtmlClassifier

__all__ = ["HtmlClassifier"]
