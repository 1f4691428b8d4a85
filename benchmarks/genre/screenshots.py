"""Images per second, loading time and memory of the genre network, beside ResNet101V2.

The input is JPEG files, the output is probabilities. The two networks take turns, batch by batch,
so that other load affects both: the ratio is reliable, the absolute figures depend on the load.
Loading time and memory are measured in a separate process.
"""

from __future__ import annotations

import argparse
import io
import multiprocessing
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np
from PIL import Image

from benchmarks.report import Cell, Report
from corpus_commons.process_tree import own_peak
from genre_model.network.classifier import GenreClassifier
from genre_model.screenshot import decode

SUMMARY = "compare images per second, loading time and memory of the genre network with ResNet101V2"

PEER = "keras.applications.ResNet101V2"
_PEER_SIDE = 224


class Cost(NamedTuple):
    """Seconds to load and for the first batch, and peak memory in MB."""

    load_seconds: float
    warm_seconds: float
    peak_mb: float


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--screenshots", type=Path, help="folder of JPEG files (default: synthetic ones)"
    )
    parser.add_argument(
        "--model",
        type=Path,
        help="your own network, without trees (default: the shipped one with its trees)",
    )
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=10, help="batches per network")


def run(arguments: argparse.Namespace, report: Report) -> int:
    images = _images(arguments.screenshots, arguments.batch * arguments.rounds)
    cost = _in_a_process(_cost, arguments.model, images[: 4 * arguments.batch])
    ours, peer = _seconds(arguments, images)
    rows = [
        _row(_name(arguments.model), ours, ours, peer, arguments.batch),
        _row(f"{PEER}, {_PEER_SIDE} px", peer, ours, peer, arguments.batch),
    ]
    columns = {"": "", "images/s": ".1f", "times ResNet101V2": ".1f", "ms per image": ".1f"}
    report.table("speed", columns, rows)
    columns = {
        "in a separate process": "",
        "load s": ".2f",
        "first batch s": ".2f",
        "peak MB": ".0f",
    }
    report.table("cost", columns, [(_name(arguments.model), *cost)])
    return 0


def _row(
    name: str, seconds: Sequence[float], ours: Sequence[float], peer: Sequence[float], batch: int
) -> tuple[Cell, ...]:
    # The ratio per turn, so that a slow moment affects both.
    ratio = median(b / a for a, b in zip(seconds, peer, strict=True))
    taken = median(seconds)
    return name, batch / taken, ratio, taken / batch * 1000


def _seconds(
    arguments: argparse.Namespace, images: Sequence[bytes]
) -> tuple[list[float], list[float]]:
    """Wall-clock seconds of every batch, including decoding."""
    classifier = _classifier(arguments.model)
    networks: tuple[Callable[[Sequence[bytes]], object], ...] = (classifier.predict, _peer())
    times: tuple[list[float], list[float]] = ([], [])
    for begin in range(-arguments.batch, len(images), arguments.batch):
        batch = images[max(0, begin) : max(0, begin) + arguments.batch]
        for network, taken in zip(networks, times, strict=True):
            start = time.perf_counter()
            network(batch)
            taken.append(time.perf_counter() - start)
    return times[0][1:], times[1][1:]  # the first batch includes setup


def _peer() -> Callable[[Sequence[bytes]], object]:
    import keras  # noqa: PLC0415 - after the classifier has set TensorFlow up

    network = keras.applications.ResNet101V2(weights=None)

    def predict(images: Sequence[bytes]) -> object:
        windows = [decode(image, _PEER_SIDE, _PEER_SIDE) for image in images]
        return network.predict_on_batch(np.stack(windows).astype(np.float32) / 127.5 - 1)

    return predict


def _classifier(model: Path | None) -> GenreClassifier:
    return GenreClassifier.shipped() if model is None else GenreClassifier(model)


def _name(model: Path | None) -> str:
    return "network and layout trees, as shipped" if model is None else model.name


def _cost(model: Path | None, images: Sequence[bytes]) -> Cost:
    start = time.perf_counter()
    classifier = _classifier(model)
    loaded = time.perf_counter()
    classifier.predict(images[:1])
    warm = time.perf_counter()
    classifier.predict(images)
    return Cost(loaded - start, warm - loaded, own_peak())


def _in_a_process(measure: Callable[..., Cost], *arguments: object) -> Cost:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as process:
        return process.submit(measure, *arguments).result()


def _images(folder: Path | None, count: int) -> list[bytes]:
    if folder is None:
        return [_made(seed) for seed in range(count)]
    paths = sorted(folder.glob("*.jpg"))
    return [paths[number % len(paths)].read_bytes() for number in range(count)]


def _made(seed: int) -> bytes:
    """Random colours, as large as the screenshot of a long page at a quarter of its size."""
    colours = np.random.default_rng(seed).integers(0, 255, (60, 20, 3), dtype=np.uint8)
    data = io.BytesIO()
    Image.fromarray(colours).resize((320, 960)).save(data, "JPEG", quality=85)
    return data.getvalue()
