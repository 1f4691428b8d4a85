"""The manuals: packages of Debian that hold HTML, each made by a template of its own.

A manual's main container is the gold. The packages are downloaded when they are first asked for,
into a folder of the user's; they need no installation.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from selectolax.lexbor import LexborHTMLParser

from corpus_commons.terminal.commands import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from selectolax.lexbor import LexborNode

# A page with fewer words, or most of them in links, is an index of other pages.
_FEWEST_WORDS: Final = 50
_MOST_LINKED: Final = 0.5
_DEPENDENCY = re.compile(r"^\s*Depends: (\S+-doc\S*)$", re.M)
_SECONDS: Final = 300


class ManualError(UsageError):
    """A package cannot be had; the message tells the user why."""


@dataclass(frozen=True)
class Manual:
    """A manual, and where its template has the content.

    package: the package, or one without content that depends on it. pages: a pattern of files.
    main: CSS selector of the container; the first that fits. without: of navigation inside it.
    """

    package: str
    pages: str
    main: str
    without: str = ""


# The first three and Octave's are those that the rules were made with, the others are a check.
MANUALS: Final = {
    "python": Manual(
        "python3-doc",
        "usr/share/doc/python3*/html/**/*.html",
        "div.body[role=main]",
        "a.headerlink, div.contents, div.toctree-wrapper",
    ),
    "postgresql": Manual(
        "postgresql-doc",
        "usr/share/doc/postgresql-doc-*/html/*.html",
        "body",
        "div.navheader, div.navfooter, div.toc",
    ),
    "debian-handbook": Manual(
        "debian-handbook",
        "usr/share/doc/debian-handbook/html/en-US/*.html",
        "body",
        "#banner, #title, ul.docnav, div.toc",
    ),
    "git": Manual(
        "git-doc", "usr/share/doc/git-doc/*.html", "body", "#toc, #footer, #footnotes hr"
    ),
    "nodejs": Manual(
        "nodejs-doc",
        "usr/share/doc/nodejs/api/*.html",
        "#apicontent",
        "a.mark, span.type-only, button",
    ),
    "octave": Manual(
        "octave-doc",
        "usr/share/doc/octave/octave.html/*.html",
        "body",
        "div.header, a.copiable-anchor, table.menu, ul.section-toc",
    ),
    "apache": Manual(
        "apache2-doc",
        "usr/share/doc/apache2-doc/manual/en/**/*.html",
        "#page-content",
        "#quickview, .toplang, .bottomlang, .top, .permalink, #comments_section, button",
    ),
    "sqlite": Manual(
        "sqlite3-doc", "usr/share/doc/sqlite3/*.html", "div.fancy", "div.nosearch, svg, button"
    ),
}


@dataclass(frozen=True)
class ManualPage:
    """A page of a manual. main: its main container, without navigation."""

    name: str
    html: str
    main: LexborNode


def sample(manual: Manual, cache: Path, count: int, seed: int) -> list[ManualPage]:
    """At most ``count`` pages with content, chosen at random. Raises ManualError."""
    folder = _unpacked(manual.package, cache)
    files = sorted(path for path in folder.glob(manual.pages) if path.is_file())
    random.Random(seed).shuffle(files)
    pages: list[ManualPage] = []
    for file in files:
        page = _page(manual, file)
        if page is not None:
            pages.append(page)
        if len(pages) == count:
            break
    if not pages:
        raise ManualError(f"{folder}: no pages {manual.pages}")
    return pages


def _page(manual: Manual, file: Path) -> ManualPage | None:
    """The page; None if it has no content of its own."""
    html = file.read_text(encoding="utf-8", errors="replace")
    main = LexborHTMLParser(html).css_first(manual.main)
    if main is None:
        return None
    for node in main.css(f"script, style{', ' * bool(manual.without)}{manual.without}"):
        node.decompose()
    words = len(main.text(separator=" ").split())
    linked = sum(len(link.text(separator=" ").split()) for link in main.css("a[href]"))
    if words < _FEWEST_WORDS or linked > _MOST_LINKED * words:
        return None
    return ManualPage(file.name, html, main)


def _unpacked(package: str, cache: Path) -> Path:
    """The folder of the package's files."""
    folder = cache / package
    if folder.exists():
        return folder
    half = cache / f"{package}.part"
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir(parents=True)
    found = _DEPENDENCY.findall(_output("apt-cache", "depends", package, folder=half))
    for name in (package, *found):
        _output("apt-get", "download", name, folder=half)
    for archive in list(half.glob("*.deb")):
        _output("dpkg", "-x", archive.name, ".", folder=half)
        archive.unlink()
    half.rename(folder)
    return folder


def _output(*command: str, folder: Path) -> str:
    try:
        done = subprocess.run(  # noqa: S603
            command, cwd=folder, capture_output=True, text=True, timeout=_SECONDS, check=True
        )
    except FileNotFoundError:
        raise ManualError(f"{command[0]} is missing: the manuals are packages of Debian") from None
    except subprocess.TimeoutExpired:
        raise ManualError(f"{' '.join(command)}: no answer in {_SECONDS} s") from None
    except subprocess.CalledProcessError as error:
        lines = error.stderr.strip().splitlines() or [f"exit code {error.returncode}"]
        raise ManualError(
            f"{' '.join(command)}: {lines[-1]} (is the machine online, and `apt-get update` done?)"
        ) from None
    return done.stdout
