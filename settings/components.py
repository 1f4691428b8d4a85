"""What the rooms of the house plug into Scrapy, by import path, all in one place."""

from __future__ import annotations

# None takes an extension out altogether, so that no later setting can switch it on by its flag.
EXTENSIONS: dict[str, int | None] = {
    "scrapy.extensions.telnet.TelnetConsole": None,
    "scrapy.extensions.remote_control.RemoteControl": None,
    # Documents leave as shards; an exporter beside them would hold every page once more.
    "scrapy.extensions.feedexport.FeedExporter": None,
    # Numbers are the frontier's and the pipelines'; these count downloads of robots.txt as pages.
    "scrapy.extensions.corestats.CoreStats": None,
    "scrapy.extensions.logstats.LogStats": None,
    # Counts what the program held that started the crawl.
    "scrapy.extensions.memusage.MemoryUsage": None,
    "crawler.memory_guard.MemoryGuard": 0,
}

# Where `scrapy crawl` finds the spider, and who gives the downloader its requests.
SPIDER_MODULES = ["crawler.spider"]
SCHEDULER = "crawler.scheduling.LeaseScheduler"

# Answers are never taken from a cache, and no site is sent a password or a session.
DOWNLOADER_MIDDLEWARES: dict[str, int | None] = {
    "scrapy.downloadermiddlewares.httpauth.HttpAuthMiddleware": None,
    "scrapy.downloadermiddlewares.httpcache.HttpCacheMiddleware": None,
    # Failed URLs go back to the frontier, which counts tries over all workers and waits in between.
    "scrapy.downloadermiddlewares.retry.RetryMiddleware": None,
    # Where they lead is a candidate for the frontier, which knows the host's turn.
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": None,
    # A proxy would dial addresses that the crawler cannot see.
    "scrapy.downloadermiddlewares.httpproxy.HttpProxyMiddleware": None,
    # Scope is the job's, not the spider's.
    "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
    # Scrapy's unpacks as often as a header says.
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": None,
    "crawler.codings.BoundedCompressionMiddleware": 590,
    # Scrapy's takes an error of the server for leave to fetch everything.
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    "crawler.robots.RobotsMiddleware": 100,
    # After it: a robots.txt may be long in coming.
    "crawler.visits.LeaseMiddleware": 900,
}

# The frontier counts depth, the spider reads the status, and requests come from nowhere.
SPIDER_MIDDLEWARES: dict[str, int | None] = {
    "scrapy.spidermiddlewares.httperror.HttpErrorMiddleware": None,
    "scrapy.spidermiddlewares.referer.RefererMiddleware": None,
    "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware": None,
    "scrapy.spidermiddlewares.depth.DepthMiddleware": None,
}

# None takes a scheme out: a link or redirect must not read local files or other services.
DOWNLOAD_HANDLERS: dict[str, str | None] = {
    "data": None,
    "file": None,
    "ftp": None,
    "s3": None,
    # Scrapy's own read headers without an end.
    "http": "crawler.response_heads.BoundedHandler",
    "https": "crawler.response_heads.BoundedHandler",
}

# What is seen is known to the frontier; Scrapy's own filter would remember every URL in memory.
DUPEFILTER_CLASS = "scrapy.dupefilters.BaseDupeFilter"

# From a page to an acknowledged line of a shard; one, because Scrapy closes pipelines all at once.
ITEM_PIPELINES: dict[str, int | None] = {"pipelines.item_pipeline.CorpusPipeline": 500}

# ``scrapy crawl``, ``scrapy corpus``, ``scrapy frontier``, ``scrapy extract``.
COMMANDS_MODULE = "pipelines.commands"
