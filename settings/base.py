"""Scrapy settings of every crawl: secure, polite, bounded. A job's values override them.

Each line differs from the default of Scrapy 2.19, except in the last part; comments say why.
``settings.overrides`` maps a job to settings; ``local`` and ``distributed`` are the two variants.
"""

from __future__ import annotations

from settings.components import *  # noqa: F403 - settings are what a module holds

BOT_NAME = "genre-crawler"  # shown in logs; a job sets its name

# Security
TELNETCONSOLE_ENABLED = False  # a Python shell for anybody who can connect
REMOTE_CONTROL_ENABLED = False  # runs code for anybody who has its token
DOWNLOAD_VERIFY_CERTIFICATES = True  # no pages from a man in the middle
DOWNLOAD_TLS_MIN_VERSION = "TLSv1.2"  # older versions are insecure
COOKIES_ENABLED = False  # pages as a first visitor sees them; a cookie jar would grow with hosts
# Scrapy's default asks for English; a job adds its languages
DEFAULT_REQUEST_HEADERS = {
    "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
}

# Politeness; the frontier enforces the delay between visits across all workers
USER_AGENT = "genre-crawler"  # a job adds its contact
ROBOTSTXT_OBEY = True  # off by default in Scrapy
DOWNLOAD_DELAY = 1.0  # in addition to the frontier's delay; also paces robots.txt
DOWNLOAD_DELAY_JITTER = 0.0  # by default, the delay may be halved
CONCURRENT_REQUESTS_PER_DOMAIN = 1  # one visit at a time, unless the job says otherwise
CONCURRENT_REQUESTS = 32  # spread over many hosts

# Bounds
DOWNLOAD_MAXSIZE = 10_000_000  # 1 GiB by default; also holds after decompression
DOWNLOAD_WARNSIZE = 10_000_000  # no warnings for pages within the limit
DOWNLOAD_FAIL_ON_DATALOSS = False  # our handlers do, if the body is read
DOWNLOAD_TIMEOUT = 30.0  # three minutes by default, which would block a slot
TWISTED_DNS_RESOLVER = "scrapy.resolver.CachingHostnameResolver"  # the default lacks IPv6
REACTOR_THREADPOOL_MAXSIZE = 20  # for DNS lookups of many hosts in parallel
SCRAPER_SLOT_MAX_ACTIVE_SIZE = 16_000_000  # 5 MB by default, less than one large page
CONCURRENT_ITEMS = 1  # per response, which is one page; the default starts 100 tasks for each
MEMUSAGE_LIMIT_MB = 4096  # shut down cleanly before the system kills the process
MEMUSAGE_WARNING_MB = 3072  # warn before that
METAREFRESH_MAXDELAY = 10  # slower refreshes only reload a page

# Logs
LOG_LEVEL = "INFO"  # DEBUG logs every item, including its HTML
DEFAULT_DROPITEM_LOG_LEVEL = "DEBUG"  # rejects are written to the corpus, with their reasons
STATS_DUMP = False  # the summary and the report have the statistics

# Same as Scrapy's defaults, but the crawl depends on them
TWISTED_REACTOR = "twisted.internet.asyncioreactor.AsyncioSelectorReactor"  # Playwright needs it
REQUEST_FINGERPRINTER_CLASS = "scrapy.utils.request.RequestFingerprinter"
AUTOTHROTTLE_ENABLED = False  # it would take rendering time for a slow host
HTTPCACHE_ENABLED = False  # a corpus records when pages were really fetched
COMPRESSION_ENABLED = True  # DOWNLOAD_MAXSIZE applies to the decompressed size
