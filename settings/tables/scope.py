"""``[scope]``: which of the links that are found belong to the job."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from settings.values import DepthLimit, Domain, Extension, Many, MediaType, Table, UrlPattern

# Extensions of files that are never pages.
_NO_PAGES: Final = tuple(
    """7z aac apk avi avif bin bmp bz2 css csv dmg doc docx eot epub exe flac flv gif gz ico img iso
    jar jpeg jpg js json m4a m4v mkv mov mp3 mp4 mpeg mpg msi odp ods odt ogg ogv otf pdf png ppt
    pptx psd rar rpm svg tar tgz tif tiff ttf wav webm webp wmv woff woff2 xls xlsx xz zip
    zst""".split()
)


class Scope(Table):
    """Which of the links found belong to the job."""

    stay_on: Literal["host", "domain", "any"] = "domain"
    """Where links may lead: only to the seeds' own hosts (`host`); to all hosts of the seeds'
    registered domains (`domain`: `www.example.com` leads to `docs.example.com`, but one site of a
    hosting service does not lead to its neighbour); or anywhere (`any`)."""
    domains: Many[Domain] = ()
    """Domains that may be visited, with all their subdomains. If there are any, they replace
    `stay_on`."""
    exclude_domains: Many[Domain] = ()
    """Domains that are never visited, with all their subdomains."""
    include: Many[UrlPattern] = ()
    """Regular expressions, at least one of which must be found in a URL; if there are none, all
    URLs may be visited. They are matched against the whole canonical URL, including scheme, host
    and query: `'/news/'` matches anywhere in it, `'^https://example\\.com/news/'` only at its
    start. A pattern with letters beyond ASCII, such as `'/новости/'`, is also matched against the
    URL as people write it. Seeds, and what they redirect to, are visited even if they do not
    match."""
    exclude: Many[UrlPattern] = ()
    """Regular expressions of URLs that are not visited, matched in the same way; they override
    `include`."""
    depth: DepthLimit = 20
    """The most links that lead from a seed to a page; 0 visits only the seeds."""
    content_types: Annotated[Many[MediaType], Field(min_length=1)] = (
        "text/html",
        "application/xhtml+xml",
    )
    """Media types that are kept; any other response is dropped once its headers are read."""
    skip_extensions: Many[Extension] = _NO_PAGES
    """Links whose path ends in one of these are not followed."""
