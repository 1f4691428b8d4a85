"""How the browser is started."""

from __future__ import annotations

import os
from typing import Any, Final

from browser import system_browser
from crawler.rendering.unneeded import hosts

# Each switch with what it buys. Playwright adds those that keep a browser quiet in the background.
_SWITCHES: Final = (
    "--hide-scrollbars",  # a scrollbar makes the page narrower than the viewport
    "--mute-audio",
    "--block-new-web-contents",  # no windows, whose visits nobody would see
    "--disable-gpu",  # no process for a device that servers do not have
    # One process draws a page with all its frames. A process for each advertisement would cost
    # more than it protects: there is no login that a frame could steal.
    "--disable-site-isolation-trials",
    # Fonts of the page are not fetched: text is as wide in a font of the system, nearly.
    "--blink-settings=downloadableBinaryFontsEnabled=false",
    # MB; a page that wants more takes only itself down. What is not in this heap: see ``memory``.
    "--js-flags=--max-old-space-size=512",
    # Other pages are not fetched because this one's speculation rules say that a visitor may want
    # them: none at once. It replaces Playwright's own switch, whose two features stand first.
    "--enable-features=CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies"
    ",PrefetchSchedulerTesting"
    ":kPrefetchSchedulerTestingActiveSetSizeLimitForBase/0"
    "/kPrefetchSchedulerTestingActiveSetSizeLimitForBurst/0",
    # Nothing goes round the proxy, neither by UDP nor by a lookup of its own.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


def launch_options(proxy: str) -> dict[str, Any]:
    """What Playwright's ``launch`` is called with; ``proxy`` such as ``socks5://127.0.0.1:9``.

    The sandbox is on unless the crawler runs as root, under whom Chromium has none.
    """
    return {
        "executable_path": system_browser(),
        "args": list(_SWITCHES),
        # Chromium limits how often a page may change its URL, which Playwright turns off for tests.
        "ignore_default_args": ["--disable-ipc-flooding-protection"],
        "chromium_sandbox": hasattr(os, "geteuid") and os.geteuid() != 0,
        # Playwright sends loopback through it as well.
        "proxy": {"server": proxy, "bypass": hosts()},
        # Ctrl-C and SIGTERM are for the crawler, which lets pages finish and closes the browser.
        "handle_sigint": False,
        "handle_sigterm": False,
        "handle_sighup": False,
    }
