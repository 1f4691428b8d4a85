"""Classifies screenshots, with the network and with trees over layout measures.

    classifier = GenreClassifier.shipped()
    for result in classifier.predict([jpeg, another]):
        print(result)

Importing this module does not import TensorFlow; making a classifier does.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from corpus_commons.terminal.forks import check_not_forked
from genre_model.calibration import FloatArray, softmax
from genre_model.fusion import LAYOUT, NETWORK, SHIPPED_SCREENSHOT, Fusion
from genre_model.network.tensorflow_runtime import tensorflow
from genre_model.prediction import Prediction
from genre_model.screenshot import Pixels, ScreenshotError, decode, decode_top

if TYPE_CHECKING:
    from genre_model.layout.measures import Vector

SHIPPED: Final = Path(__file__).with_name("shipped") / "screenshot.npz"

MAX_BATCH: Final = 16
_DECODERS: Final = 2


class _Page(NamedTuple):
    """A decoded screenshot: the network's window and, if needed, the layout measures."""

    window: Pixels
    measures: Vector | None


class Layout(NamedTuple):
    """A second screenshot classifier, ``genre_model.layout``, and its fusion with the network.

    trees: the file of its trees; None for the shipped ones. fusion: of ``network`` and ``layout``.
    """

    trees: Path | None
    fusion: Fusion

    @classmethod
    def shipped(cls) -> Layout:
        """The shipped trees and fusion; the fusion was fitted for the shipped network."""
        return cls(None, Fusion.load(SHIPPED_SCREENSHOT))


_Decoded = _Page | ScreenshotError


class GenreClassifier:
    """Classifies pages by their screenshots. Safe to call from several threads.

    config: the network's labels, window and temperatures.
    """

    def __init__(
        self,
        path: Path,
        layout: Layout | None = None,
        *,
        threads: int | None = None,
        threshold: float | None = None,
    ) -> None:
        """Load a network.

        path: a file that ``network.save_network`` or ``python -m genre_model train`` wrote.
        layout: the second classifier; None to use only the network.
        threads: cores that TensorFlow may use, in the whole process; None for all of them.
        threshold: a prediction with a lower best score is unsure; None for the network's own.
        Raises FileNotFoundError; ValueError for a file that is not a network or trees, or if their
        labels are not those of the fusion; RuntimeError, as does every use, in a process that was
        forked from one that had loaded a network.
        """
        check_not_forked()
        tensorflow_module = tensorflow(threads)
        model, self.config = import_module("genre_model.network.model").load_network(path)
        self.threshold = self.config.threshold if threshold is None else threshold
        self._layout = None if layout is None else _LayoutEye(layout)
        if self._layout is not None:
            self._layout.fusion.check_labels(self.config.genres, self.config.page_types)
        self._constant = tensorflow_module.constant
        self._outputs = _compiled(tensorflow_module, model, self.config.window)
        self._running = threading.Lock()
        self._decoders = ThreadPoolExecutor(_DECODERS, thread_name_prefix="screenshot")

    @classmethod
    def shipped(
        cls, *, threads: int | None = None, threshold: float | None = None
    ) -> GenreClassifier:
        """The shipped network, and the shipped trees over layout measures."""
        return cls(SHIPPED, Layout.shipped(), threads=threads, threshold=threshold)

    def warm(self) -> None:
        """Run the network once, so that the first page is not delayed by its setup."""
        self._run(np.zeros((MAX_BATCH, *self.config.window, 3), np.uint8))

    def predict(self, images: Iterable[bytes]) -> list[Prediction | ScreenshotError]:
        """One entry per image, in order; see ``stream``."""
        return list(self.stream(images))

    def stream(self, images: Iterable[bytes]) -> Iterator[Prediction | ScreenshotError]:
        """Classify images one batch at a time, with only a few batches in memory.

        images: JPEG or PNG files.
        Yields a Prediction for each. For an unreadable image, the ScreenshotError is yielded rather
        than raised, so that the rest of the batch is classified. Scores depend on the batch by less
        than 1e-3.
        """
        check_not_forked()
        remaining = iter(images)
        waiting: deque[list[Future[_Decoded]]] = deque()
        # The next batch is decoded while the network runs on this one.
        while len(waiting) < 2 and (batch := self._submit(remaining)):
            waiting.append(batch)
        while waiting:
            decoded = [future.result() for future in waiting.popleft()]
            if batch := self._submit(remaining):
                waiting.append(batch)
            yield from self._answers(decoded)

    def close(self) -> None:
        """Stop the decoding threads; the classifier cannot be used afterwards."""
        self._decoders.shutdown()

    def _submit(self, images: Iterator[bytes]) -> list[Future[_Decoded]]:
        return [self._decoders.submit(self._decode, data) for data in islice(images, MAX_BATCH)]

    def _decode(self, data: bytes) -> _Decoded:
        height, width = self.config.window
        try:
            window = decode(data, width, height)
            return _Page(window, None if self._layout is None else self._layout.measure(data))
        except ScreenshotError as error:
            return error

    def _answers(self, decoded: Sequence[_Decoded]) -> list[Prediction | ScreenshotError]:
        pages = [item for item in decoded if not isinstance(item, ScreenshotError)]
        predictions = iter(self._predictions(pages) if pages else ())
        return [
            item if isinstance(item, ScreenshotError) else next(predictions) for item in decoded
        ]

    def _predictions(self, pages: Sequence[_Page]) -> list[Prediction]:
        by_network = self._by_network([page.window for page in pages])
        if self._layout is None:
            return by_network
        return self._layout.pooled(by_network, pages, self.threshold)

    def _by_network(self, windows: Sequence[Pixels]) -> list[Prediction]:
        genre, page_type = self._run(np.stack(windows))
        config = self.config
        genres = softmax(genre, config.genre_temperature).tolist()
        page_types = softmax(page_type, config.page_type_temperature).tolist()
        return [
            Prediction.of(
                dict(zip(config.genres, genres[i], strict=True)),
                dict(zip(config.page_types, page_types[i], strict=True)),
                self.threshold,
            )
            for i in range(len(windows))
        ]

    def _run(self, batch: Pixels) -> tuple[FloatArray, FloatArray]:
        check_not_forked()
        # One batch at a time: two would halve each other's speed and double the memory.
        with self._running:
            outputs = self._outputs(self._constant(batch))
        return np.asarray(outputs["genre"], float), np.asarray(outputs["page_type"], float)


class _LayoutEye:
    """Layout measures and their trees, imported only when needed, because SciPy loads slowly."""

    def __init__(self, layout: Layout) -> None:
        measures = import_module("genre_model.layout.measures")
        classifier = import_module("genre_model.layout.classifier").LayoutClassifier
        self.fusion = layout.fusion
        self._measure = measures.measure
        self._height, self._width = measures.SIZE
        self._trees = (
            classifier.shipped() if layout.trees is None else classifier.from_file(layout.trees)
        )

    def measure(self, data: bytes) -> Vector:
        found: Vector = self._measure(decode_top(data, self._width, self._height))
        return found

    def pooled(
        self, by_network: Sequence[Prediction], pages: Sequence[_Page], threshold: float
    ) -> list[Prediction]:
        by_layout = self._trees.predict([page.measures for page in pages])
        return [
            self.fusion.fuse({NETWORK: network, LAYOUT: layout}, threshold)
            for network, layout in zip(by_network, by_layout, strict=True)
        ]


def _compiled(tensorflow_module: Any, model: Any, window: tuple[int, int]) -> Any:
    """The network as one graph for batches of any size, traced once."""
    pixels = tensorflow_module.TensorSpec((None, *window, 3), tensorflow_module.uint8)

    def outputs(batch: Any) -> Any:
        return model(tensorflow_module.cast(batch, tensorflow_module.float32), training=False)

    return tensorflow_module.function(outputs, autograph=False).get_concrete_function(pixels)
