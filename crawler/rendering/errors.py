"""Why a page could not be drawn, or none can be."""

from __future__ import annotations


class RenderingError(Exception):
    """A page that could not be drawn.

    reason: a short label that statistics count:
        ``render-timeout`` the page did not come to an end within its time;
        ``render-crashed`` the page took its process down, mostly by its memory;
        ``render-too-large`` the drawn HTML is larger than ``content_size``;
        ``render-failed`` the browser refused the page, or it put another document in its place;
        ``browser-lost`` the browser died under it, and the next one as well.
    detail: the case at hand, in words for a person.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail

    @property
    def is_passing(self) -> bool:
        """Whether another try, later, may go better."""
        return self.reason != "render-too-large"

    @property
    def is_timeout(self) -> bool:
        """Whether the page took too long."""
        return self.reason == "render-timeout"


class NoBrowserError(Exception):
    """No browser can be started, so that no page can be drawn any more; the message says why."""
