"""Scrapy settings of every crawl: hardened, polite, bounded. A job's own values come on top.

Each line differs from Scrapy 2.19's default for the reason beside it, but for the last part.
``settings.overrides`` maps a job to settings; ``local`` and ``distributed`` are the two uses.
"""

from __future__ import annotations

from settings.components import *  # noqa: F403 - settings are what a module holds

BOT_NAME = "genre-crawler"  # shown in logs; a job puts its name here

# Nobody gets in, nothing leaks out
TELNETCONSOLE_ENABLED = False  # a Python shell for whoever reaches its port
REMOTE_CONTROL_ENABLED = False  # runs code for whoever holds its token
DOWNLOAD_VERIFY_CERTIFICATES = True  # a page from somebody in the middle is not the site's
DOWNLOAD_TLS_MIN_VERSION = "TLSv1.2"  # older ones can be read or changed on the way
COOKIES_ENABLED = False  # pages as any first visitor sees them; no jar that grows with hosts
# Scrapy's asks for English; a job adds its languages
DEFAULT_REQUEST_HEADERS = {
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
}

# Politeness; the frontier keeps the delay between visits, over all workers
USER_AGENT = "genre-crawler"  # not Scrapy's; a job adds its contact, without which none starts
ROBOTSTXT_OBEY = True  # off by default in Scrapy
DOWNLOAD_DELAY = 1.0  # a second guard, which paces robots.txt as well
DOWNLOAD_DELAY_JITTER = 0.0  # half of the delay would sometimes be less than was promised
CONCURRENT_REQUESTS_PER_DOMAIN = 1  # one visit at a time, unless the job says otherwise
CONCURRENT_REQUESTS = 32  # spread over many hosts, each of which is asked slowly

# Bounds: of one page, of memory, of what strangers can make the crawler do
DOWNLOAD_MAXSIZE = 10_000_000  # 1 GiB by default; also what a compressed page may grow to
DOWNLOAD_WARNSIZE = 10_000_000  # no line in the log for pages that are within the limit
DOWNLOAD_TIMEOUT = 30.0  # three minutes by default, for which a slot would stand still
TWISTED_DNS_RESOLVER = "scrapy.resolver.CachingHostnameResolver"  # the default one knows no IPv6
REACTOR_THREADPOOL_MAXSIZE = 20  # names are looked up in threads, for many hosts at once
SCRAPER_SLOT_MAX_ACTIVE_SIZE = 16_000_000  # 5 MB by default, which one large page fills alone
CONCURRENT_ITEMS = 1  # of one response, which is one page; 100 tasks a response by default
MEMUSAGE_LIMIT_MB = 4096  # closes the spider in order before the system kills it
MEMUSAGE_WARNING_MB = 3072  # says so in the log before that
METAREFRESH_MAXDELAY = 10  # pages that reload themselves after a minute are not redirects

# Logs: a line where something happened, not one a page
LOG_LEVEL = "INFO"  # at DEBUG every item is written out, HTML and all
DEFAULT_DROPITEM_LOG_LEVEL = "DEBUG"  # rejects are kept with their reasons
STATS_DUMP = False  # the summary and the report say it to people; it would come after them

# As Scrapy's defaults are, but the crawl rests on them
TWISTED_REACTOR = "twisted.internet.asyncioreactor.AsyncioSelectorReactor"  # Playwright needs it
REQUEST_FINGERPRINTER_CLASS = "scrapy.utils.request.RequestFingerprinter"
AUTOTHROTTLE_ENABLED = False  # the time of a render would pass for a slow host
HTTPCACHE_ENABLED = False  # a corpus says when it was fetched, and means it
COMPRESSION_ENABLED = True  # DOWNLOAD_MAXSIZE holds for what comes out of it
