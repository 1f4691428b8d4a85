"""Errors of rendering."""

from __future__ import annotations


class RenderingError(Exception):
    """A page could not be rendered.

    reason: a short label, counted in the statistics:
        ``render-timeout`` the page exceeded its time limit;
        ``render-crashed`` the page's process crashed, usually out of memory;
        ``render-too-large`` the rendered HTML is larger than ``content_size``;
        ``render-failed`` the browser refused the page, or the page replaced its document;
        ``browser-lost`` two browsers in a row died while they rendered it.
    detail: for the user.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail

    @property
    def is_transient(self) -> bool:
        """Whether a later retry may succeed."""
        return self.reason != "render-too-large"

    @property
    def is_timeout(self) -> bool:
        """Whether the page exceeded its time limit."""
        return self.reason == "render-timeout"


class NoBrowserError(Exception):
    """No browser can be started, so no page can be rendered; the message says why."""
