"""A static site in a folder: its pages, and the file that answers a request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

MAX_PAGE_BYTES = 3_000_000
_INDEX = "index.html"
# Folders in which generators leave a built site, the likeliest first.
_BUILT = ("", "docs", "public", "_site", "dist", "build", "site", "html", "www", "output")
# No pages, or other people's.
_SKIPPED = frozenset({"node_modules", "vendor", "bower_components", "plugins", "wp-json", "feed"})


@dataclass(frozen=True)
class StaticSite:
    """name: of the site, for folds. root: the folder that answers `/`, resolved."""

    name: str
    root: Path

    @classmethod
    def in_folder(cls, folder: Path) -> StaticSite:
        """The site in a folder, or in the subfolder where its generator left it."""
        folder = folder.resolve()
        places = (folder / built for built in _BUILT)
        return cls(folder.name, next((at for at in places if (at / _INDEX).is_file()), folder))

    def pages(self) -> Iterator[str]:
        """The paths of its pages, relative to the root, in order."""
        for path in sorted(self.root.rglob("*.html")):
            relative = path.relative_to(self.root)
            hidden = any(part.startswith((".", "_")) for part in relative.parts)
            if hidden or not _SKIPPED.isdisjoint(relative.parts):
                continue
            if not path.is_file() or not self._inside(path):  # a folder, or a link to nothing
                continue
            if path.stat().st_size > MAX_PAGE_BYTES:
                continue
            with suppress(UnicodeEncodeError):  # a name in another encoding is of no URL
                yield relative.as_posix().encode().decode()

    def read(self, page: str) -> str:
        return (self.root / page).read_text(encoding="utf-8", errors="replace")

    def answer(self, url: str) -> Path | None:
        """The file at the URL's path, whatever its host; None if there is none.

        Sites that are built for a subfolder of their host, `/project/style.css`, are found, too.
        """
        try:
            parts = PurePosixPath(unquote(urlsplit(url).path)).parts[1:]
        except ValueError:
            return None
        places = [parts, parts[1:]] if len(parts) > 1 else [parts]
        return next(filter(None, map(self._file, places)), None)

    def _file(self, parts: Sequence[str]) -> Path | None:
        file = self.root.joinpath(*parts)
        with suppress(OSError, RuntimeError, ValueError):  # for example, too long a name
            if not self._inside(file):
                return None
            if file.is_dir():
                return self._file((*parts, _INDEX))
            return file if file.is_file() else None
        return None

    def _inside(self, path: Path) -> bool:
        """Whether it is in the root, links followed; a site must not show other files."""
        return path.resolve().is_relative_to(self.root)
