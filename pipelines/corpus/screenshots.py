"""Screenshots of rendered pages, one file each."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from corpus_commons.durable_files import make_folder, replace_file
from crawler.items import Page
from pipelines.corpus.errors import CorpusError
from pipelines.corpus.layout import SCREENSHOTS, Layout
from pipelines.corpus.page_output import PageOutput
from settings.tables.outputs import Outputs


class Screenshots(PageOutput):
    """Writes screenshots to ``screenshots/`` in the corpus."""

    def __init__(self, corpus: Path) -> None:
        self._corpus = corpus

    @classmethod
    def of_job(cls, outputs: Outputs, layout: Layout) -> Self | None:
        return cls(layout.folder) if outputs.screenshots else None

    def write(self, page: Page, version: int = 1) -> dict[str, str]:
        if page.screenshot is None:
            return {}
        # Spread over 256 folders, so that none grows too large.
        number = f"-{version}" if version > 1 else ""
        name = f"{SCREENSHOTS}/{page.id[:2]}/{page.id}{number}.jpg"
        path = self._corpus / name
        try:
            make_folder(path.parent)
            replace_file(path, page.screenshot)
        except OSError as error:
            raise CorpusError(
                f"cannot write {path}: {error}; free some disk space and start again"
            ) from error
        return {"screenshot": name}
