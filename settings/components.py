"""What the rooms of the house plug into Scrapy, by import path, all in one place."""

from __future__ import annotations

# None takes an extension out altogether, so that no later setting can switch it on by its flag.
EXTENSIONS: dict[str, int | None] = {
    "scrapy.extensions.telnet.TelnetConsole": None,
    "scrapy.extensions.remote_control.RemoteControl": None,
    # Documents leave as shards; an exporter beside them would hold every page once more.
    "scrapy.extensions.feedexport.FeedExporter": None,
}

# Answers are never taken from a cache, and no site is sent a password or a session.
DOWNLOADER_MIDDLEWARES: dict[str, int | None] = {
    "scrapy.downloadermiddlewares.httpauth.HttpAuthMiddleware": None,
    "scrapy.downloadermiddlewares.httpcache.HttpCacheMiddleware": None,
    # Failed URLs go back to the frontier, which counts tries over all workers and waits in between.
    "scrapy.downloadermiddlewares.retry.RetryMiddleware": None,
}

# None takes a scheme out: a link or redirect must not read local files or other services.
DOWNLOAD_HANDLERS: dict[str, str | None] = {"data": None, "file": None, "ftp": None, "s3": None}

# What is seen is known to the frontier; Scrapy's own filter would remember every URL in memory.
DUPEFILTER_CLASS = "scrapy.dupefilters.BaseDupeFilter"
