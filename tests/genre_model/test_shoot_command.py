"""Pages of a static site, photographed by a real browser into a folder to train on."""

from __future__ import annotations

import io
import json
import logging
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from PIL import Image

from corpus_commons.browser import has_browser
from genre_model.commands import main
from genre_model.page_files import html_lines
from genre_model.samples import read_samples, shot_path
from genre_model.training.sites import camera
from genre_model.training.synthesis import pictures

pytestmark = pytest.mark.skipif(not has_browser(), reason="no Chromium is installed: make browser")

TEXT = "<p>" + "Words that can be read. " * 40 + "</p>"
HEAD = '<!DOCTYPE html><html lang="de"><link rel="stylesheet" href="/style.css"><body>'
RED = (200, 0, 0)


def page(*parts: str, head: str = HEAD) -> str:
    return "".join((head, *parts))


@pytest.fixture(scope="module", autouse=True)
def few_pictures() -> Iterator[None]:
    """One of each kind stands for those that a site lacks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "KINDS", dict.fromkeys(pictures.KINDS, 1))
        yield


def make_site(root: Path) -> Path:
    (root / "2024" / "05" / "01").mkdir(parents=True)
    (root / "style.css").write_text("body { margin: 0; background: rgb(200, 0, 0) }")
    lazy = "<script>document.body.append('Late ' + 'text')</script>"
    pages = {
        "index.html": page(TEXT),
        "2024/05/01/post.html": page("<img src=missing.jpg width=400 height=300>", TEXT, lazy),
        "contact.html": page(TEXT, head='<link rel="stylesheet" href="lost.css"><body>'),
        "about.html": page("<style>p { display: none }</style>", TEXT),
        "faq.html": page('<link rel="stylesheet" href="https://a.cdn/bootstrap.min.css">', TEXT),
        "team.html": page("<style>p { margin: 0 }</style>", TEXT, head="<!DOCTYPE html><body>"),
        "whatever.html": page(TEXT),
    }
    for path, html in pages.items():
        (root / path).write_text(html)
    return root


class Shots(NamedTuple):
    """said: in the log. Tests that write do so in copies of the folders."""

    site: Path
    out: Path
    said: str


@pytest.fixture(scope="module")
def shots(few_pictures: None, tmp_path_factory: pytest.TempPathFactory) -> Shots:
    """A site that was photographed."""
    folder = tmp_path_factory.mktemp("shots")
    site, out = make_site(folder / "site"), folder / "out"
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    logging.getLogger("genre_model").addHandler(handler)
    try:
        assert shoot(site, out=out) == 0
    finally:
        logging.getLogger("genre_model").removeHandler(handler)
    return Shots(site, out, log.getvalue())


def shoot(*folders: Path, out: Path) -> int:
    return main(["shoot", *map(str, folders), "--out", str(out)])


def test_a_site_becomes_labelled_shots_with_their_html(shots: Shots) -> None:
    out = shots.out
    samples = {str(sample.record["path"]): sample for sample in read_samples(out)}
    assert {path: its.page_type for path, its in samples.items()} == {
        "index.html": "service",
        "2024/05/01/post.html": "article",
        "team.html": "other",
    }
    post = samples["2024/05/01/post.html"]
    assert (post.genre, post.said("repo"), post.said("lang")) == ("article", "site", "de")
    with Image.open(io.BytesIO(shot_path(out, post.id).read_bytes())) as image:
        assert image.width == 320
        assert image.getpixel((310, 250)) == pytest.approx(RED, abs=3)
        # The missing picture is replaced by another one, without a frame or a broken icon.
        colours = image.crop((5, 5, 95, 70)).getcolors(10_000)
    assert len(colours) > 10
    html = dict(html_lines(out / "html.jsonl.zst"))
    assert "Late text" in html[post.id]
    assert "<script" not in html[post.id]
    assert "2 without style sheet" in shots.said
    assert "1 with too few words" in shots.said
    assert "1 without a label" in shots.said


def test_a_site_is_done_once(shots: Shots, tmp_path: Path) -> None:
    other, out = tmp_path / "other", tmp_path / "out"
    shutil.copytree(shots.out, out)
    shutil.copytree(shots.site, other)
    before = (out / "labels.jsonl").read_text()
    assert shoot(other, out=out) == 0
    after = (out / "labels.jsonl").read_text()
    assert after.startswith(before)
    assert {json.loads(line)["repo"] for line in after.splitlines()} == {"site", "other"}
    assert shoot(other, out=out) == 0
    assert (out / "labels.jsonl").read_text() == after


def test_what_an_interrupted_run_left_is_replaced(shots: Shots, tmp_path: Path) -> None:
    """A run that ended before the site's labels were written has left shots and HTML."""
    out = tmp_path / "out"
    shutil.copytree(shots.out, out)
    before = (out / "labels.jsonl").read_bytes()
    (out / "labels.jsonl").unlink()
    assert shoot(shots.site, out=out) == 0
    assert (out / "labels.jsonl").read_bytes() == before
    names = [name for name, _ in html_lines(out / "html.jsonl.zst")]
    assert sorted(names) == sorted(sample.id for sample in read_samples(out))


def test_pages_are_added_to_those_of_other_tools(shots: Shots, tmp_path: Path) -> None:
    """Their pages may be of no site, and their last line without its end."""
    (tmp_path / "labels.jsonl").write_text('{"id":"mine","page_type":"forum"}')
    assert shoot(shots.site, out=tmp_path) == 0
    ids = [sample.id for sample in read_samples(tmp_path)]
    assert ids == ["mine", *(sample.id for sample in read_samples(shots.out))]


@pytest.mark.parametrize("name", ["labels.jsonl", "html.jsonl.zst"])
def test_a_folder_that_cannot_be_added_to_is_refused(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text("broken\n")
    assert shoot(make_site(tmp_path / "site"), out=tmp_path) == 2
    assert f"{name}" in capsys.readouterr().err


def test_sites_without_a_page_to_label_are_told_by_the_exit_code(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "whatever.html").write_text(page(TEXT))
    assert shoot(tmp_path / "site", out=tmp_path / "out") == 3
    assert not (tmp_path / "out" / "pictures").exists(), "drawing them takes long"


def test_sites_of_one_name_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The second would be taken for the first, which is done already."""
    sites = [make_site(tmp_path / parent / "public") for parent in ("a", "b")]
    assert shoot(*sites, out=tmp_path / "out") == 2
    assert "b/public have the same name, public" in capsys.readouterr().err


def test_a_page_whose_script_never_ends_holds_up_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(camera, "TIMEOUT_MS", 4_000)
    site = tmp_path / "site"
    site.mkdir()
    endless = "<script>addEventListener('load', () => setTimeout(() => { for (;;); }, 20))</script>"
    (site / "contact.html").write_text(page("<style></style>", TEXT, endless, head="<body>"))
    (site / "index.html").write_text(page("<style></style>", TEXT, head="<body>"))
    with caplog.at_level(logging.INFO, "genre_model"):
        assert shoot(site, out=tmp_path / "out") == 0
    assert "1 page; not kept: 1 not rendered" in caplog.text


def test_a_page_of_text_that_utf_8_cannot_write_is_kept(tmp_path: Path) -> None:
    script = r"<script>document.title = document.documentElement.lang = 'x\ud800y'</script>"
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text(
        page("<style></style>", TEXT, script, head="<body>")
    )
    assert shoot(tmp_path / "site", out=tmp_path / "out") == 0
    [sample] = read_samples(tmp_path / "out")
    [(_, html)] = html_lines(tmp_path / "out" / "html.jsonl.zst")
    assert sample.record["lang"] == "x\ufffdy"
    assert "<title>x\ufffdy</title>" in html


def test_no_page_reaches_the_network(tmp_path: Path) -> None:
    """Whatever it tries: requests, sockets, frames, workers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.5)
        host = f"127.0.0.1:{server.getsockname()[1]}"
        script = f"""<script>
            fetch('http://{host}/').catch(() => 0);
            new WebSocket('ws://{host}/');
            new Worker(URL.createObjectURL(new Blob(["fetch('http://{host}/')"])));
        </script><iframe src="http://{host}/"></iframe><img src="http://{host}/a.png">"""
        (tmp_path / "site").mkdir()
        (tmp_path / "site" / "index.html").write_text(
            page("<style></style>", TEXT, script, head="<body>")
        )
        assert shoot(tmp_path / "site", out=tmp_path / "out") == 0
        with pytest.raises(TimeoutError):
            server.accept()


def test_a_folder_that_does_not_exist_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert shoot(tmp_path / "nowhere", out=tmp_path / "out") == 2
    assert "nowhere is not a folder" in capsys.readouterr().err
