"""Resources that are not fetched, because they do not affect the layout of a page.

Fonts are blocked by a switch (see ``provider``). Hosts are blocked in the browser: it bypasses the
proxy for them, and cannot resolve names without it. Other files are paused and refused by the
``request_interceptor``: CDP's ``Network`` domain could block them too, but would report every
resource that is fetched.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

_FILES: Final = (
    *("mp4", "m4v", "webm", "ogv", "mov", "m3u8", "mpd", "ts", "mp3", "m4a", "ogg", "wav", "flac"),
    *("pdf", "zip", "woff", "woff2", "ttf", "otf", "eot"),
)

_ENDINGS: Final = tuple(f".{name}" for name in _FILES)

# Widespread hosts of advertisements and statistics; each includes its subdomains.
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


def hosts() -> str:
    """The hosts and their subdomains, for ``--proxy-bypass-list``."""
    return ",".join(form for host in _HOSTS for form in (host, f"*.{host}"))


def patterns() -> list[dict[str, str]]:
    """For CDP's ``Fetch.enable``; in a ``urlPattern``, ``*`` and ``?`` are wildcards."""
    files = (form for name in _FILES for form in (f"*.{name}", rf"*.{name}\?*"))
    return [{"resourceType": "Media"}, *({"urlPattern": form} for form in files)]


def is_unneeded_file(url: str) -> bool:
    """Whether the URL is of a file that is not needed."""
    return urlsplit(url).path.lower().endswith(_ENDINGS)
