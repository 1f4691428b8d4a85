"""The benchmark ``structures`` counts what is whole, and says what it cannot have."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from benchmarks.structures.manuals import Manual, ManualError, sample
from benchmarks.structures.reading import Structures, structures
from extraction import parse
from extraction.formats import Content, write
from extraction.page.segmentation import segment
from extraction.page.selection import Selection

PAGE = """
<h1>Units</h1><table><thead><tr><th>Unit<th>Bytes<tbody><tr><td>kB<td>1000</table>
<table><tr><td>one row<td>is no table</table><pre>
a
  b
</pre>
<dl><dt>A<dt><b>B</b><dd><p>first<p>second<dl><dt>C<dd><ul><li>inner<li>more</ul></dl><dt>D</dl>
"""


def _structures(html: str, *, from_markdown: bool = False) -> Structures:
    body = LexborHTMLParser(html).body
    assert body is not None
    return structures(body, from_markdown=from_markdown)


def test_structures_are_read() -> None:
    found = _structures(PAGE)
    assert set(found.headings) == {"Units"}
    assert set(found.tables) == {(("Unit", "Bytes"), ("kB", "1000"))}
    assert set(found.listings) == {("a", "  b")}
    assert set(found.definitions) == {("AB", "firstsecond"), ("C", "innermore")}


@pytest.mark.parametrize("form", ["html", "markdown"])
def test_what_our_formats_write_of_them_is_whole(form) -> None:
    segmentation = segment(parse(PAGE))
    selection = Selection(segmentation, segmentation.block_of >= 0)
    written = write(Content(selection.blocks(), selection), form)
    if form == "markdown":
        written = MarkdownIt("commonmark").enable("table").render(written)
    assert _structures(PAGE) == _structures(written, from_markdown=form == "markdown")


MANUAL = Manual("some-doc", "html/*.html", "#main", ".toc")


def test_a_sample_has_pages_with_content_without_their_navigation(tmp_path: Path) -> None:
    folder = tmp_path / "some-doc" / "html"
    folder.mkdir(parents=True)
    text = "<p>" + "word " * 60
    (folder / "page.html").write_text(f"<div id=main><div class=toc>here</div>{text}</div>")
    (folder / "index.html").write_text(f"<div id=main><a href=x>{text}</a></div>")
    (folder / "other.html").write_text(text)
    (page,) = sample(MANUAL, tmp_path, 10, 0)
    assert page.name == "page.html"
    assert "here" not in page.main.text()
    assert "here" in page.html


def test_a_package_that_cannot_be_downloaded_is_named(tmp_path: Path, monkeypatch) -> None:
    def fail(command, **_options):
        raise subprocess.CalledProcessError(100, command, "", "E: Could not resolve\n")

    monkeypatch.setattr(subprocess, "run", fail)
    with pytest.raises(
        ManualError, match=r"some-doc: E: Could not resolve \(is the machine online"
    ):
        sample(MANUAL, tmp_path, 10, 0)
    assert not (tmp_path / "some-doc").exists()
