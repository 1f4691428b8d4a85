"""``[seeds]``: where the crawl starts."""

from __future__ import annotations

from collections.abc import Iterator

from settings.addresses import host_of
from settings.seed_files import problems, url_lines
from settings.values import ExistingFile, Finding, Many, SeedUrl, Table


class Seeds(Table):
    """Where the crawl starts. At least one of the lists must not be empty."""

    urls: Many[SeedUrl] = ()
    """Pages to start from."""
    files: Many[ExistingFile] = ()
    """Files with one URL a line, `#` for comments; paths are relative to the job file's folder.
    Lines that are not URLs are skipped; `genre-crawler job check` and the log name them."""
    sitemaps: Many[SeedUrl] = ()
    """Sitemaps, sitemap indexes and text sitemaps, gzipped or not."""
    feeds: Many[SeedUrl] = ()
    """RSS and Atom feeds, whose entries are visited."""
    robots_sitemaps: bool = False
    """Also take the sitemaps that robots.txt of the seeds' hosts names, on any host; of these
    only the pages in scope are visited."""

    def contradictions(self) -> Iterator[Finding]:
        if not (self.files or self.all_urls()):
            yield (), 'has no seeds; add one, such as urls = ["https://example.com/"]'
        elif next(self.hosts(), None) is None:
            why = next(problems(self.files), f"write one URL per line into {self.files[0]}")
            yield ("files",), f"has no usable URL: {why}"

    def all_urls(self) -> tuple[tuple[str, int, str], ...]:
        """The key, index and URL of each seed in the job file itself."""
        lists = {"urls": self.urls, "sitemaps": self.sitemaps, "feeds": self.feeds}
        return tuple((key, at, url) for key, urls in lists.items() for at, url in enumerate(urls))

    def hosts(self) -> Iterator[tuple[str, str]]:
        """The place and host of each seed; those of files last, read lazily."""
        for key, at, url in self.all_urls():
            yield f"seeds.{key}[{at}]", host_of(url)
        for line in url_lines(self.files):
            yield line.place, host_of(line.text)
