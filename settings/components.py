"""The components that this project adds to Scrapy, and those that it disables, by import path."""

from __future__ import annotations

# None removes an extension, so that no later setting can enable it.
EXTENSIONS: dict[str, int | None] = {
    "scrapy.extensions.telnet.TelnetConsole": None,
    "scrapy.extensions.remote_control.RemoteControl": None,
    # Documents are written to shards; a feed export would store every page again.
    "scrapy.extensions.feedexport.FeedExporter": None,
    # The frontier and the pipelines count; these would count robots.txt downloads as pages.
    "scrapy.extensions.corestats.CoreStats": None,
    "scrapy.extensions.logstats.LogStats": None,
    # It would include the memory of the parent process.
    "scrapy.extensions.memusage.MemoryUsage": None,
    "crawler.fetching.resource_limits.MemoryGuard": 0,
    "crawler.fetching.sent_bytes.SentBytes": 0,
    "live.extension.LivePage": 0,
}

SPIDER_MODULES = ["crawler.spider.spider"]
SCHEDULER = "crawler.fetching.leased_requests.LeaseScheduler"

# No HTTP cache, and no passwords for sites.
DOWNLOADER_MIDDLEWARES: dict[str, int | None] = {
    "scrapy.downloadermiddlewares.httpauth.HttpAuthMiddleware": None,
    "scrapy.downloadermiddlewares.httpcache.HttpCacheMiddleware": None,
    # Failed URLs go back to the frontier, which counts tries across all workers and backs off.
    "scrapy.downloadermiddlewares.retry.RetryMiddleware": None,
    # Targets of redirects are candidates for the frontier, which enforces politeness.
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": None,
    # A proxy would connect to addresses that the crawler cannot check.
    "scrapy.downloadermiddlewares.httpproxy.HttpProxyMiddleware": None,
    # Scope is the job's, not the spider's.
    "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
    # Scrapy's allows any number of content encodings.
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": None,
    "crawler.fetching.resource_limits.BoundedCompressionMiddleware": 590,
    # Scrapy's allows everything if robots.txt cannot be fetched.
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    "crawler.fetching.robots_middleware.RobotsMiddleware": 100,
    # Before robots.txt, which must not be fetched in quiet hours either.
    "crawler.fetching.quiet_hours.QuietHoursMiddleware": 90,
    # After robots.txt, which may take so long that the lease is lost.
    "crawler.fetching.leased_requests.LeaseMiddleware": 900,
    # Of all responses, also those for robots.txt.
    "crawler.fetching.reach.ReachMiddleware": 950,
}

# The frontier tracks depth, the spider handles the status, and no referrer is sent.
SPIDER_MIDDLEWARES: dict[str, int | None] = {
    "scrapy.spidermiddlewares.httperror.HttpErrorMiddleware": None,
    "scrapy.spidermiddlewares.referer.RefererMiddleware": None,
    "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware": None,
    "scrapy.spidermiddlewares.depth.DepthMiddleware": None,
}

# None removes a scheme: links and redirects must not read local files or other services.
DOWNLOAD_HANDLERS: dict[str, str | None] = {
    "data": None,
    "file": None,
    "ftp": None,
    "s3": None,
    # Scrapy's own handlers do not limit response headers.
    "http": "crawler.fetching.resource_limits.BoundedHandler",
    "https": "crawler.fetching.resource_limits.BoundedHandler",
}

# The frontier knows which URLs were seen; Scrapy's filter would keep them all in memory.
DUPEFILTER_CLASS = "scrapy.dupefilters.BaseDupeFilter"

# A single pipeline, because Scrapy closes all pipelines at the same time.
ITEM_PIPELINES: dict[str, int | None] = {"pipelines.item_pipeline.CorpusPipeline": 500}

# ``scrapy crawl``, ``corpus``, ``extract``, ``frontier`` and ``schedule``.
COMMANDS_MODULE = "genre_crawler.scrapy_commands"
