"""What several modules of tests have in common."""

from __future__ import annotations

import pytest
from document_crawl import OwnProcess

from pipelines.reading import crawl_reader


@pytest.fixture
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crawl_reader, "WorkerPool", OwnProcess)
