"""Why a page could not be drawn."""

from __future__ import annotations


class RenderingError(Exception):
    """A page that could not be drawn.

    reason: a short label that statistics count:
        ``render-timeout`` the page did not come to an end within its time;
        ``render-crashed`` the page took its process down, mostly by its memory;
        ``render-too-large`` the drawn HTML is larger than ``content_size``;
        ``render-failed`` the browser refused the page;
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
