"""A browser reads a page in the encoding in which the extractors read it as it was served."""

from __future__ import annotations

import pytest
from browser_pool import OPTIONS, Browsers, rendering
from scrapy.http import HtmlResponse

from corpus_commons.browser import has_browser
from corpus_commons.markup.encoding import decode
from crawler.rendering.pool import BrowserPool
from crawler.rendering.requests import SERVED, rendered_request

pytestmark = pytest.mark.skipif(not has_browser(), reason="no Chromium is installed: make browser")

RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю"
JAPANESE = "色は匂へど散りぬるを我が世誰ぞ常ならむ"

# Each page: its text, its Content-Type, its encoding, and what stands before the text.
PAGES = {
    "UTF-8, not declared": (JAPANESE, "text/html", "utf-8", ""),
    "UTF-8, without a media type": (JAPANESE, "", "utf-8", ""),
    "UTF-8, under a name that does not exist": (JAPANESE, "text/html; charset=none", "utf-8", ""),
    "windows-1251, not declared": (RUSSIAN, "text/html", "windows-1251", ""),
    "Shift_JIS, by <meta>": (JAPANESE, "text/html", "shift_jis", "<meta charset=shift_jis>"),
    "windows-1251, called UTF-8": (
        RUSSIAN,
        "text/html; charset=utf-8",
        "windows-1251",
        "<meta charset=utf-8>",
    ),
    "EUC-JP, by the header": (JAPANESE, "text/html; charset=euc-jp", "euc_jp", ""),
    "XML without a declaration": (JAPANESE, "application/xhtml+xml", "utf-8", ""),
}


@pytest.fixture(scope="module")
def read() -> dict[str, tuple[str, str]]:
    """By the names of ``PAGES``: what the browser reads, and what the extractors do."""
    texts: dict[str, tuple[str, str]] = {}

    async def work(pool: BrowserPool, _: Browsers) -> None:
        for name, (text, content_type, encoding, before) in PAGES.items():
            body = f'<html xmlns="http://www.w3.org/1999/xhtml">{before}<p>{text}</p></html>'
            response = HtmlResponse(
                "http://127.0.0.1:1/",
                headers={"Content-Type": content_type} if content_type else {},
                body=body.encode(encoding),
            )
            rendered = await pool.render(rendered_request(response).meta[SERVED])
            charset = content_type.partition("charset=")[2] or None
            texts[name] = rendered.html, decode(response.body, charset)

    rendering(work, OPTIONS)
    return texts


@pytest.mark.parametrize("name", PAGES)
def test_it_is_read_as_what_it_is_and_as_the_extractors_read_it(
    name: str, read: dict[str, tuple[str, str]]
) -> None:
    text = PAGES[name][0]
    rendered, extracted = read[name]
    assert f"<p>{text}</p>" in rendered
    assert f"<p>{text}</p>" in extracted
