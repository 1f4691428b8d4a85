"""axe-core's judgement of a page: what keeps people from using it."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

_COUNTED = ("serious", "critical")


def open_page(browser: Browser, address: str, ready: str, *, dark: bool = False) -> Page:
    """The page once the element ``ready`` is there; close its context."""
    # Our pages let no script run but their own, and axe-core is none of these.
    scheme = "dark" if dark else "light"
    page = browser.new_context(bypass_csp=True, color_scheme=scheme).new_page()
    page.goto(address)
    page.wait_for_selector(ready)
    return page


def obstacles(page: Page) -> list[str]:
    """The serious violations of axe-core's rules."""
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {node['html']}"
        for one in found
        if one["impact"] in _COUNTED
        for node in one["nodes"]
    ]
