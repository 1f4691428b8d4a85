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
from typing import Any, Final, NamedTuple

import numpy as np

from corpus_commons.terminal.forks import check_not_forked
from genre_model.calibration import FloatArray, softmax
from genre_model.fusion import LAYOUT, NETWORK, SHIPPED_SCREENSHOT, Fusion
from genre_model.network.tensorflow_runtime import for_prediction, tensorflow
from genre_model.prediction import Prediction
from genre_model.screenshot import Pixels, ScreenshotError, decode, decode_top
from genre_model.trees import Vector

SHIPPED: Final = Path(__file__).parents[1] / "shipped" / "screenshot.npz"

MAX_BATCH: Final = 16
_DECODERS: Final = 2


class _Page(NamedTuple):
    """A decoded screenshot: the network's window and, if needed, the layout measures."""

    window: Pixels
    measures: Vector | None


_Decoded = _Page | ScreenshotError


class Layout:
    """Trees over layout measures, ``genre_model.layout``, pooled with the network.

    trees: the file of the trees; None for the shipped ones. fusion: of ``network`` and ``layout``.
    """

    def __init__(self, trees: Path | None, fusion: Fusion) -> None:
        # Imported only when needed, because SciPy loads slowly.
        classifier = import_module("genre_model.layout.classifier").LayoutClassifier
        measures = import_module("genre_model.layout.measures")
        self.fusion = fusion
        self._trees = classifier.shipped() if trees is None else classifier.from_file(trees)
        self._measure = measures.measure
        self._height, self._width = measures.SIZE

    @classmethod
    def shipped(cls) -> Layout:
        """The shipped trees and fusion; the fusion was fitted for the shipped network."""
        return cls(None, Fusion.load(SHIPPED_SCREENSHOT))

    def measure(self, data: bytes) -> Vector:
        """The layout measures of a JPEG or PNG. Raises ScreenshotError."""
        found: Vector = self._measure(decode_top(data, self._width, self._height))
        return found

    def pooled(
        self, by_network: Sequence[Prediction], measures: Sequence[Vector | None], threshold: float
    ) -> list[Prediction]:
        """The network's predictions, combined with those of the trees."""
        return [
            self.fusion.fuse({NETWORK: network, LAYOUT: layout}, threshold)
            for network, layout in zip(by_network, self._trees.predict(measures), strict=True)
        ]


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
        for_prediction(tensorflow_module)
        model, self.config = import_module("genre_model.network.model").load_network(path)
        self.threshold = self.config.threshold if threshold is None else threshold
        self._layout = layout
        if layout is not None:
            layout.fusion.check_labels(self.config.genres, self.config.page_types)
        self._constant = tensorflow_module.constant
        self._outputs = _compiled(tensorflow_module, model, self.config.window)
        self._running = threading.Lock()
        self._decoders = ThreadPoolExecutor(_DECODERS, thread_name_prefix="screenshot")

    @classmethod
    def shipped(cls, *, threads: int | None = None) -> GenreClassifier:
        """The shipped network, and the shipped trees over layout measures."""
        return cls(SHIPPED, Layout.shipped(), threads=threads)

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
        config = self.config
        genre, page_type = self._run(np.stack([page.window for page in pages]))
        by_network = Prediction.of_rows(
            config.genres,
            softmax(genre, config.genre_temperature),
            config.page_types,
            softmax(page_type, config.page_type_temperature),
            self.threshold,
        )
        if self._layout is None:
            return by_network
        return self._layout.pooled(by_network, [page.measures for page in pages], self.threshold)

    def _run(self, batch: Pixels) -> tuple[FloatArray, FloatArray]:
        check_not_forked()
        # One batch at a time: two would halve each other's speed and double the memory.
        with self._running:
            outputs = self._outputs(self._constant(batch))
        return np.asarray(outputs["genre"], float), np.asarray(outputs["page_type"], float)


def _compiled(tensorflow_module: Any, model: Any, window: tuple[int, int]) -> Any:
    """The network as one graph for batches of any size, traced once."""
    pixels = tensorflow_module.TensorSpec((None, *window, 3), tensorflow_module.uint8)

    def outputs(batch: Any) -> Any:
        return model(tensorflow_module.cast(batch, tensorflow_module.float32), training=False)

    return tensorflow_module.function(outputs, autograph=False).get_concrete_function(pixels)
