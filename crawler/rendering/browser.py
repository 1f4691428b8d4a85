"""The launch options of the browser."""

from __future__ import annotations

import os
from typing import Any, Final

from corpus_commons.browser import system_browser
from crawler.rendering.unneeded import hosts

# Playwright adds more switches, which turn off Chromium's background activity.
_SWITCHES: Final = (
    "--hide-scrollbars",  # a scrollbar makes the page narrower than the viewport
    "--mute-audio",
    "--block-new-web-contents",  # no pop-up windows
    "--disable-gpu",  # servers have none: save its process
    # One process renders a page with all its frames. A process for each advertisement costs more
    # than it protects, because there are no logins to steal.
    "--disable-site-isolation-trials",
    # Do not fetch web fonts: with a system font, the text has nearly the same width.
    "--blink-settings=downloadableBinaryFontsEnabled=false",
    # V8's heap in MB; a page that exceeds it only crashes itself. For other memory see ``memory``.
    "--js-flags=--max-old-space-size=512",
    # No prefetches by speculation rules: allow zero at a time. This replaces Playwright's own
    # switch, so it begins with the two features of that.
    "--enable-features=CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies"
    ",PrefetchSchedulerTesting"
    ":kPrefetchSchedulerTestingActiveSetSizeLimitForBase/0"
    "/kPrefetchSchedulerTestingActiveSetSizeLimitForBurst/0",
    # Nothing bypasses the proxy, neither UDP nor DNS lookups.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


def launch_options(proxy: str) -> dict[str, Any]:
    """Arguments of Playwright's ``launch``; ``proxy`` is a URL such as ``socks5://127.0.0.1:9``.

    The sandbox is on unless the crawler runs as root, because Chromium has none then.
    """
    return {
        "executable_path": system_browser(),
        "args": list(_SWITCHES),
        # Chromium limits how often a page may change its URL, which Playwright turns off for tests.
        "ignore_default_args": ["--disable-ipc-flooding-protection"],
        "chromium_sandbox": hasattr(os, "geteuid") and os.geteuid() != 0,
        # Playwright also sends requests to loopback through the proxy.
        "proxy": {"server": proxy, "bypass": hosts()},
        # The crawler handles Ctrl-C and SIGTERM: it lets pages finish, then closes the browser.
        "handle_sigint": False,
        "handle_sigterm": False,
        "handle_sighup": False,
    }
