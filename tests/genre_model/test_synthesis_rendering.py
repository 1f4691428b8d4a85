"""Pages rendered in a real browser: sizes, layout maps, folders that can be resumed."""

import asyncio
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from corpus_commons.browser import has_browser
from genre_model.samples import read_samples, shot_path
from genre_model.training.synthesis import dataset
from genre_model.training.synthesis.layout import CHANNELS, COLUMNS, ROWS, read_layouts
from genre_model.training.synthesis.rendering import Camera, Shot, open_browser

pytestmark = pytest.mark.skipif(not has_browser(), reason="no Chromium is installed: make browser")

PAGE = """<!DOCTYPE html><body style="margin:0;font:16px/32px sans-serif">
<nav data-boiler style="height:64px"><a href="#">Home</a></nav>
<div data-main data-item style="height:320px"><p style="margin:0">Words to be read.</p>
<svg width="320" height="256" style="display:block"></svg></div>
<pre style="margin:0">code</pre><button style="height:32px">Go</button>
<div style="height:HEIGHTpx"></div></body>"""


def shoot(html: str, folder: Path) -> Shot:
    async def one() -> Shot:
        async with open_browser() as browser:
            camera = Camera(browser, folder / "page.html")
            shot = await camera.shoot(html)
            await camera.close()
            return shot

    return asyncio.run(one())


def test_the_layout_of_a_page_is_read_from_its_elements(tmp_path: Path):
    shot = shoot(PAGE.replace("HEIGHT", "10"), tmp_path)
    assert (shot.width, shot.height) == (1280, 1024)
    maps = {name: shot.layout[:, :, index] for index, name in enumerate(CHANNELS)}
    assert maps["boilerplate"][:2].min() == 255
    assert not maps["boilerplate"][2:].any()
    assert maps["link"][0, 0] > 0
    assert maps["text"][2, 0] > 0
    assert not maps["text"][4:].any()
    assert maps["main"][2, 0] >= maps["text"][2, 0]
    assert maps["item"][2:12].min() == 255
    assert maps["picture"][3:11, :10].min() == 255
    assert maps["code"][12].any()
    assert maps["control"][13].any()
    with Image.open(io.BytesIO(shot.jpeg)) as picture:
        assert picture.size == (320, 256)


def test_a_long_page_is_cut(tmp_path: Path):
    shot = shoot(PAGE.replace("HEIGHT", "9000"), tmp_path)
    assert shot.height == 3840
    assert shot.layout.shape == (ROWS, COLUMNS, len(CHANNELS))
    with Image.open(io.BytesIO(shot.jpeg)) as picture:
        assert picture.size == (320, 960)


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dataset.Plan:
    monkeypatch.setattr(dataset, "make_pictures", lambda folder: folder.mkdir(exist_ok=True))
    return dataset.Plan(tmp_path, 2, seed=5, packages=tmp_path, chunk_size=2)


def test_a_chunk_reads_like_a_folder_of_real_screenshots(plan: dataset.Plan):
    assert plan.chunks_to_do() == [0]
    dataset.synthesise(plan, 1, print)
    samples = read_samples(plan.out)
    assert [sample.id for sample in samples] == ["s5-000000", "s5-000001"]
    assert all(sample.page_type for sample in samples)
    assert all(shot_path(plan.out, sample.id).stat().st_size for sample in samples)
    assert set(read_layouts(plan.out)) == {sample.id for sample in samples}
    assert plan.chunks_to_do() == []


def test_chunks_are_whole(plan: dataset.Plan):
    """So that a later run for more pages leaves none out."""
    dataset.synthesise(replace(plan, pages=1), 1, print)
    assert len(read_samples(plan.out)) == 2
    assert plan.chunks_to_do() == []


def test_labels_of_an_unfinished_chunk_are_dropped(plan: dataset.Plan):
    labels = plan.out / "labels.jsonl"
    done, unfinished = ({"id": f"p{chunk}", "chunk": chunk} for chunk in (0, 1))
    labels.write_text(f"{json.dumps(done)}\n{json.dumps(unfinished)}\n")
    plan.chunk_file(0).touch()
    dataset.synthesise(plan, 1, print)
    assert [json.loads(line) for line in labels.read_text().splitlines()] == [done]
