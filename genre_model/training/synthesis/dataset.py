"""Renders thousands of pages into a folder with the format of a labelled folder.

    OUT/labels.jsonl            one line per page: id, page_type, genre, lang, width, height, theme
    OUT/shots/ID.jpg            320 pixels wide (1280 CSS px / 4), at most 960 high
    OUT/layouts-NNNNN.npz       ids and layouts (pages, ROWS, COLUMNS, channels) of a chunk of pages
    OUT/pictures/               the pictures that the pages show

A chunk's labels are appended before its layout file is renamed into place, so a chunk is done once
its layout file exists; labels of unfinished chunks are dropped at the next start.
"""

from __future__ import annotations

import asyncio
import json
import math
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
from playwright.async_api import Error as BrowserError

from corpus_commons.counts import number_of
from corpus_commons.durable_files import replacing
from genre_model.training.synthesis.generator import Page, page
from genre_model.training.synthesis.layout import LAYOUT_FILE, pad_rows
from genre_model.training.synthesis.pictures import make_pictures
from genre_model.training.synthesis.rendering import Camera, Shot, open_browser

_CAMERAS: Final = 2

Report = Callable[[str], None]


@dataclass(frozen=True)
class Plan:
    """What to render. Page i depends only on `seed` and i (and on the packages' style sheets).

    pages: in all, rounded up to whole chunks, of ``chunk_size`` pages each.
    """

    out: Path
    pages: int
    seed: int
    packages: Path
    chunk_size: int = 100

    def chunk_file(self, chunk: int) -> Path:
        return self.out / LAYOUT_FILE.format(chunk)

    def chunks_to_do(self) -> list[int]:
        chunks = range(math.ceil(self.pages / self.chunk_size))
        return [chunk for chunk in chunks if not self.chunk_file(chunk).exists()]

    def numbers(self, chunk: int) -> range:
        """The pages of a chunk."""
        return range(chunk * self.chunk_size, (chunk + 1) * self.chunk_size)

    def page(self, number: int) -> Page:
        rng = Random(f"{self.seed}-{number}")  # noqa: S311 - reproducible, not secret
        return page(rng, packages=self.packages, pictures=self.out / "pictures")

    def page_id(self, number: int) -> str:
        return f"s{self.seed}-{number:06}"


def synthesise(plan: Plan, workers: int, report: Report) -> None:
    """Render the missing chunks in `workers` processes. Blocks until all are done."""
    (plan.out / "shots").mkdir(parents=True, exist_ok=True)
    make_pictures(plan.out / "pictures")
    _drop_unfinished(plan)
    chunks = plan.chunks_to_do()
    pages = number_of(len(chunks) * plan.chunk_size, "page")
    report(f"{pages} to render into {plan.out}")
    started, done = time.monotonic(), 0
    context = multiprocessing.get_context("spawn")
    with context.Pool(workers, maxtasksperchild=5) as pool:
        for rendered in pool.imap_unordered(_render_chunk, ((plan, chunk) for chunk in chunks)):
            done += rendered
            speed = done / (time.monotonic() - started)
            report(f"{number_of(done, 'page')} rendered, {speed:.2f} pages/s")


def _render_chunk(job: tuple[Plan, int]) -> int:
    return asyncio.run(_chunk(*job))


async def _chunk(plan: Plan, chunk: int) -> int:
    numbers = iter(plan.numbers(chunk))
    shots: dict[int, tuple[Page, Shot]] = {}
    async with open_browser() as browser:
        files = [plan.out / f".page-{os.getpid()}-{index}.html" for index in range(_CAMERAS)]
        try:
            await asyncio.gather(
                *(_shoot(plan, Camera(browser, file), numbers, shots) for file in files)
            )
        finally:
            for file in files:
                file.unlink(missing_ok=True)
    _save(plan, chunk, shots)
    return len(shots)


async def _shoot(
    plan: Plan, camera: Camera, numbers: Iterator[int], shots: dict[int, tuple[Page, Shot]]
) -> None:
    for number in numbers:
        made = plan.page(number)
        try:
            shots[number] = made, await camera.shoot(made.html)
        except BrowserError:
            # A page that takes too long is skipped; the next one gets a new context.
            await camera.restart()
    await camera.close()


def _save(plan: Plan, chunk: int, shots: dict[int, tuple[Page, Shot]]) -> None:
    lines, ids, maps = [], [], []
    for number, (made, shot) in sorted(shots.items()):
        name = plan.page_id(number)
        (plan.out / "shots" / f"{name}.jpg").write_bytes(shot.jpeg)
        ids.append(name)
        maps.append(pad_rows(shot.layout))
        lines.append(json.dumps(_label(name, chunk, made, shot)) + "\n")
    descriptor = os.open(plan.out / "labels.jsonl", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    with os.fdopen(descriptor, "wb", buffering=0) as labels:
        labels.write("".join(lines).encode())  # one write: processes append side by side
    with replacing(plan.chunk_file(chunk)) as file:
        np.savez_compressed(file, ids=np.array(ids), layouts=np.stack(maps))


def _label(name: str, chunk: int, made: Page, shot: Shot) -> dict[str, object]:
    return {
        "id": name,
        "page_type": made.page_type,
        "genre": made.genre,
        "lang": made.lang,
        "theme": made.style,
        "width": shot.width,
        "height": shot.height,
        "chunk": chunk,
    }


def _drop_unfinished(plan: Plan) -> None:
    """Remove the labels of chunks without a layout file."""
    labels = plan.out / "labels.jsonl"
    if not labels.exists():
        return
    lines = labels.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if plan.chunk_file(json.loads(line)["chunk"]).exists()]
    if len(kept) < len(lines):
        with replacing(labels) as file:
            file.write("".join(kept).encode())
