"""What a page asks for that is not fetched: it does not change where things stand on the page.

The patterns are matched inside the browser, so a refused resource costs no round trip. Fonts are
refused by a switch (see ``browser``), before a request is made.
"""

from __future__ import annotations

from typing import Final

_FILES: Final = (
    *("mp4", "m4v", "webm", "ogv", "mov", "m3u8", "mpd", "ts", "mp3", "m4a", "ogg", "wav", "flac"),
    *("pdf", "zip", "woff", "woff2", "ttf", "otf", "eot"),
)

# Advertisements and statistics that many sites have. A host stands for its subdomains as well.
_HOSTS: Final = (
    *("doubleclick.net", "googlesyndication.com", "googletagmanager.com", "googletagservices.com"),
    *("google-analytics.com", "googleadservices.com", "amazon-adsystem.com"),
    *("adnxs.com", "adsrvr.org", "criteo.com", "criteo.net", "taboola.com", "outbrain.com"),
    *("rubiconproject.com", "pubmatic.com", "openx.net", "casalemedia.com", "indexww.com"),
    *("scorecardresearch.com", "quantserve.com", "chartbeat.com", "chartbeat.net", "parsely.com"),
    *("hotjar.com", "mouseflow.com", "fullstory.com", "clarity.ms", "segment.com", "segment.io"),
    *("mixpanel.com", "amplitude.com", "newrelic.com", "nr-data.net", "sentry.io", "bugsnag.com"),
    *("connect.facebook.net", "analytics.tiktok.com", "snap.licdn.com", "bat.bing.com"),
    *("moatads.com", "doubleverify.com", "adsafeprotected.com", "yieldmo.com", "teads.tv"),
    *("demdex.net", "omtrdc.net", "everesttech.net", "bluekai.com", "krxd.net", "mc.yandex.ru"),
    *("optimizely.com", "matomo.cloud", "plausible.io", "cloudflareinsights.com"),
)


def patterns() -> list[str]:
    """For CDP's ``Network.setBlockedURLs``: ``*`` stands for anything."""
    files = (form for name in _FILES for form in (f"*.{name}", f"*.{name}?*"))
    hosts = (form for host in _HOSTS for form in (f"*://{host}/*", f"*://*.{host}/*"))
    return [*files, *hosts]
