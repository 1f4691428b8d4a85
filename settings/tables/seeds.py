"""``[seeds]``: where the crawl starts."""

from __future__ import annotations

from settings.values import ExistingFile, Many, Table, WebUrl


class Seeds(Table):
    """Where the crawl starts. At least one of the lists holds something."""

    urls: Many[WebUrl] = ()
    """Pages to start from."""
    files: Many[ExistingFile] = ()
    """Files with a URL a line, `#` for comments; paths start at the job file's folder."""
    sitemaps: Many[WebUrl] = ()
    """Sitemaps, sitemap indexes and text sitemaps, gzipped or not."""
    feeds: Many[WebUrl] = ()
    """RSS and Atom feeds, whose entries are visited."""
    robots_sitemaps: bool = False
    """Take the sitemaps as well that robots.txt of the seeds' hosts names."""

    def is_empty(self) -> bool:
        return not (self.urls or self.files or self.sitemaps or self.feeds)

    def all_urls(self) -> tuple[tuple[str, int, str], ...]:
        """The key, index and URL of each seed that is written in the job file itself."""
        lists = {"urls": self.urls, "sitemaps": self.sitemaps, "feeds": self.feeds}
        return tuple((key, at, url) for key, urls in lists.items() for at, url in enumerate(urls))
