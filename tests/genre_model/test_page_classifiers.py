"""Classification by screenshot, HTML or both, and unreadable files."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import orjson
import pytest
import zstandard

from genre_model.fusion import Fusion, HeadFusion
from genre_model.page_classifiers import (
    Answer,
    PageClassifier,
    all_ids,
    answers,
    of_html_files,
    of_html_lines,
    of_screenshots,
)
from genre_model.page_files import PageError, files_by_stem, html_lines, read_bounded
from genre_model.prediction import Prediction
from genre_model.screenshot import ScreenshotError

LABELS = ("article", "list-view")
HEAD = HeadFusion.product_of(("screenshot", "html"), LABELS)
FUSION = Fusion(HEAD, HEAD)


def said(article: float) -> Prediction:
    scores = {"article": article, "list-view": 1 - article}
    return Prediction.of(scores, scores)


class ByContent:
    """A classifier that reads the probability of an article from the file's content."""

    def stream(self, images: Iterable[bytes]) -> Iterator[Prediction | ScreenshotError]:
        for image in images:
            yield said(float(image)) if image != b"bad" else ScreenshotError("no picture")

    def predict(
        self, pages: Sequence[str | bytes], urls: Sequence[str | None] = ()
    ) -> list[Prediction]:
        if any(page in ("bad", b"bad") for page in pages):
            raise ValueError("no page")
        return [said(float(page)) for page in pages]


def screenshots(folder: Path, **contents: str) -> PageClassifier:
    files = {name: folder / f"{name}.jpg" for name in contents}
    for name, content in contents.items():
        files[name].write_text(content)
    return of_screenshots(ByContent(), files)


def html(folder: Path, **contents: str) -> PageClassifier:
    files = {name: folder / f"{name}.html" for name in contents}
    for name, content in contents.items():
        files[name].write_text(content)
    return of_html_files(ByContent(), files)


class TestAnswers:
    def test_both_are_fused_and_one_alone_is_used_where_the_other_is_missing(
        self, tmp_path: Path
    ) -> None:
        both = [
            screenshots(tmp_path, a="0.8", b="0.7"),
            html(tmp_path, a="0.8", c="0.2"),
        ]
        assert all_ids(both) == ["a", "b", "c"]
        fused, by_screenshot, by_html = answers(both, all_ids(both), threshold=0.6, fusion=FUSION)
        assert (fused.by, by_screenshot.by, by_html.by) == ("both", "screenshot", "html")
        assert fused.prediction is not None
        assert fused.prediction.genre_scores["article"] > 0.9
        assert by_html.prediction is not None
        assert by_html.prediction.genre == "list-view"

    def test_the_other_one_answers_for_a_broken_file_and_says_so(self, tmp_path: Path) -> None:
        both = [screenshots(tmp_path, a="bad"), html(tmp_path, a="0.9")]
        (answer,) = answers(both, ["a"], threshold=0.6, fusion=FUSION)
        assert answer.by == "html"
        fields = orjson.loads(answer.to_line())
        assert fields["genre"] == "article"
        assert fields["problem"] == "screenshot: no picture"

    def test_a_page_that_nothing_can_read_gives_a_line_with_the_reasons(
        self, tmp_path: Path
    ) -> None:
        both = [screenshots(tmp_path, a="bad"), html(tmp_path, a="bad")]
        (answer,) = answers(both, ["a"], threshold=0.6, fusion=FUSION)
        assert orjson.loads(answer.to_line()) == {
            "id": "a",
            "error": "screenshot: no picture; html: no page",
        }

    def test_a_deleted_file_counts_as_unreadable(self, tmp_path: Path) -> None:
        classifier = screenshots(tmp_path, a="0.5", b="0.9")
        (tmp_path / "a.jpg").unlink()
        gone, there = answers([classifier], ["a", "b"], threshold=0.6)
        assert gone.prediction is None
        assert "No such file" in gone.problems[0]
        assert there.problems == ()

    def test_the_requested_threshold_applies(self, tmp_path: Path) -> None:
        (answer,) = answers([html(tmp_path, a="0.8")], ["a"], threshold=0.9)
        assert answer.prediction is not None
        assert answer.prediction.genre is None

    def test_many_pages_come_in_the_order_of_their_ids(self, tmp_path: Path) -> None:
        classifier = screenshots(tmp_path, **{f"p{i:03}": "0.5" for i in range(100)})
        found = list(answers([classifier], all_ids([classifier]), threshold=0.6))
        assert [answer.id for answer in found] == [f"p{i:03}" for i in range(100)]

    def test_an_unknown_page_is_an_error(self) -> None:
        assert list(answers([], ["a"], threshold=0.6)) == [
            Answer("a", None, None, ("no file found for this page",))
        ]


class TestHtmlLines:
    def test_lines_come_in_any_order_and_may_be_broken(self, tmp_path: Path) -> None:
        classifier = of_html_lines(
            ByContent(), [{"id": "b", "html": "0.9"}, {"id": "a", "html": "bad"}]
        )
        broken, fine = answers([classifier], all_ids([classifier]), threshold=0.6)
        assert broken.problems == ("html: no page",)
        assert fine.by == "html"

    @pytest.mark.parametrize("name", ["pages.jsonl", "pages.jsonl.zst"])
    def test_reads_plain_and_compressed_files(self, tmp_path: Path, name: str) -> None:
        content = b'{"id": "a", "html": "<p>1"}\n{"id": "b", "html": "<p>2"}\n'
        path = tmp_path / name
        path.write_bytes(zstandard.compress(content) if name.endswith("zst") else content)
        assert list(html_lines(path)) == [("a", "<p>1"), ("b", "<p>2")]

    @pytest.mark.parametrize(
        "line",
        [
            b"{",
            b"[]",
            b'{"id": "b"}',
            b'{"id": 1, "html": ""}',
            b'{"id": "a", "html": ""}',
            b'{"id": "b", "html": "", "url": 1}',
        ],
    )
    def test_another_line_is_refused_by_its_number(self, tmp_path: Path, line: bytes) -> None:
        path = tmp_path / "pages.jsonl"
        path.write_bytes(b'{"id": "a", "html": ""}\n' + line)
        with pytest.raises(ValueError, match="line 2"):
            list(html_lines(path))

    def test_a_torn_file_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "pages.jsonl.zst"
        path.write_bytes(b"nothing compressed")
        with pytest.raises(ValueError, match="line 1"):
            list(html_lines(path))


class TestFiles:
    def test_are_found_by_stem(self, tmp_path: Path) -> None:
        for name in ("a.jpg", "b.PNG", "c.jpeg", "d.txt", ".jpg", "e.f.jpg"):
            (tmp_path / name).touch()
        assert sorted(files_by_stem(tmp_path, (".jpg", ".jpeg", ".png"))) == ["a", "b", "c", "e.f"]

    def test_have_text_as_their_name_also_where_it_is_not_utf8(self, tmp_path: Path) -> None:
        name = os.fsdecode(b"caf\xe9")
        for path in (tmp_path / f"{name}.jpg", tmp_path / name[:2] / f"{name}s.jpg"):
            path.parent.mkdir(exist_ok=True)
            path.touch()
        assert sorted(files_by_stem(tmp_path, (".jpg",))) == ["caf\\xe9", "caf\\xe9s"]

    def test_are_found_where_a_corpus_has_them(self, tmp_path: Path) -> None:
        for name in ("abc.jpg", "ab/abd.jpg", "ab/other.jpg", "ab/ab/abe.jpg", "abc/abcd.jpg"):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).touch()
        assert sorted(files_by_stem(tmp_path, (".jpg",))) == ["abc", "abd"]

    def test_two_of_one_stem_are_refused(self, tmp_path: Path) -> None:
        (tmp_path / "a.html").touch()
        (tmp_path / "a.html.gz").touch()
        with pytest.raises(ValueError, match="both"):
            files_by_stem(tmp_path, (".html", ".html.gz"))

    def test_a_single_one_may_be_named(self, tmp_path: Path) -> None:
        page = tmp_path / "a.HTML"
        page.touch()
        assert files_by_stem(page, (".html", ".html.gz")) == {"a": page}
        with pytest.raises(ValueError, match=r"not a folder, nor a file that ends in \.jpg"):
            files_by_stem(page, (".jpg", ".png"))

    def test_no_folder_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match="not a folder"):
            files_by_stem(tmp_path / "none", (".html",))

    def test_gzip_is_unpacked(self, tmp_path: Path) -> None:
        path = tmp_path / "a.html.gz"
        path.write_bytes(gzip.compress(b"<p>Hello"))
        assert read_bounded(path, 100) == b"<p>Hello"

    def test_a_gzip_bomb_is_decompressed_only_up_to_the_limit(self, tmp_path: Path) -> None:
        path = tmp_path / "a.html.gz"
        path.write_bytes(gzip.compress(bytes(50_000_000)))
        with pytest.raises(PageError, match="more than 1,000 bytes"):
            read_bounded(path, 1000)

    @pytest.mark.parametrize(
        "content",
        [b"no gzip", gzip.compress(b"<p>Hello", mtime=0)[:-6]],
        ids=["no-gzip", "torn"],
    )
    def test_torn_gzip_is_a_broken_page(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "a.html.gz"
        path.write_bytes(content)
        with pytest.raises(PageError, match=r"a\.html\.gz"):
            read_bounded(path, 100)
