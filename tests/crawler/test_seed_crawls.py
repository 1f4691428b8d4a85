"""A crawl that begins with a file of URLs, as a user runs it."""

from __future__ import annotations

from pathlib import Path

import pytest
from crawling import Crawling
from small_web import PAGE, Web

pytestmark = pytest.mark.timeout(100)


def test_a_file_of_this_machines_urls_is_crawled_without_a_contact(
    web: Web, tmp_path: Path
) -> None:
    web.answers["/"] = (200, {}, PAGE)
    file = tmp_path / "urls.txt"
    file.write_text(f"{web.base}/\nexample.com\n", encoding="utf-8-sig")
    crawl = Crawling(tmp_path, '[seeds]\nfiles = ["urls.txt"]')
    code, said = crawl.run()
    assert code == 0
    assert [page["url"] for page in crawl.pages()] == [f"{web.base}/"]
    assert f'{file}:2: "example.com" must be a whole URL; write "https://example.com"' in said
