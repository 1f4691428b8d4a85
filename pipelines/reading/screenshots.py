"""Classifies screenshots in batches, in a thread of its own.

The network classifies sixteen screenshots in little more time than a few, so those that arrive
together form a batch. While the network runs, the next batch is collected.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Protocol, Self

from corpus_commons.extras import explanation_of
from corpus_commons.one_thread import OneThread
from genre_model.network.classifier import MAX_BATCH, GenreClassifier
from genre_model.prediction import Prediction
from genre_model.screenshot import ScreenshotError
from pipelines.reading.worker import MethodError

# How long the first screenshot of a batch waits for others; rendering takes seconds anyway.
WAIT_SECONDS = 0.1
# A screenshot takes one core some hundredths of a second. The browsers need the other cores; with
# few cores, additional TensorFlow threads mostly wait.
THREADS = 1
# The queue is bounded: when it is full, callers wait.
MOST_WAITING = 4 * MAX_BATCH

_Waiting = tuple[bytes, "asyncio.Future[Prediction | None]"]

_log = logging.getLogger(__name__)


class Classifier(Protocol):
    """The interface of the network; ``GenreClassifier`` implements it."""

    def predict(self, images: Sequence[bytes]) -> list[Prediction | ScreenshotError]: ...

    def close(self) -> None: ...


def shipped() -> Classifier:
    """The network that ships with the package, loaded and warmed up.

    Raises MethodError if its libraries are not installed.
    """
    try:
        classifier = GenreClassifier.shipped(threads=THREADS)
    except ModuleNotFoundError as error:
        why = explanation_of(error) or error
        raise MethodError(f"could not load the classifier of screenshots: {why}") from error
    classifier.warm()
    return classifier


class ScreenshotBatches:
    """Classifies screenshots in batches. Use as an async context manager, in one loop.

    load: makes the classifier, in the thread that will run it; by default the shipped one.
    size: screenshots per batch. wait: seconds that the first of them waits for others.
    failed: screenshots that could not be classified so far.
    """

    def __init__(
        self,
        load: Callable[[], Classifier] | None = None,
        *,
        size: int = MAX_BATCH,
        wait: float = WAIT_SECONDS,
    ) -> None:
        self._load = load or shipped
        self.failed = 0
        self._size = size
        self._wait = wait
        self._thread = OneThread("screenshots")
        self._waiting: asyncio.Queue[_Waiting] = asyncio.Queue(MOST_WAITING)
        self._classifier: Classifier

    async def __aenter__(self) -> Self:
        self._classifier = await self._thread.run(self._load)
        self._task = asyncio.create_task(self._work(), name="screenshots")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def predict(self, screenshot: bytes) -> Prediction | None:
        """The network's prediction; None if the screenshot could not be classified."""
        result: asyncio.Future[Prediction | None] = asyncio.get_running_loop().create_future()
        await self._waiting.put((screenshot, result))
        return await result

    async def close(self) -> None:
        """Stop; the result of screenshots that are still waiting is None."""
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        while not self._waiting.empty():
            _settle(self._waiting.get_nowait()[1], None)
            # Whoever waited for room in the queue takes it now.
            await asyncio.sleep(0)
        self._classifier.close()
        await self._thread.close()

    async def _work(self) -> None:
        while True:
            batch: list[_Waiting] = []
            predictions: list[Prediction | None] = []
            try:
                await self._collect(batch)
                screenshots = [screenshot for screenshot, _ in batch]
                predictions = await self._thread.run(self._predict, screenshots)
                self.failed += predictions.count(None)
            except Exception:
                self.failed += len(batch)
                # No page is lost: the HTML classifier still predicts its genre.
                _log.exception("could not classify %d screenshots", len(batch))
            finally:
                for (_, future), prediction in zip_longest(batch, predictions):
                    _settle(future, prediction)

    async def _collect(self, batch: list[_Waiting]) -> None:
        """Fill the batch, until it is full or its first screenshot has waited long enough."""
        batch.append(await self._waiting.get())
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._wait):
                while len(batch) < self._size:
                    batch.append(await self._waiting.get())

    def _predict(self, screenshots: list[bytes]) -> list[Prediction | None]:
        predictions: list[Prediction | None] = []
        for result in self._classifier.predict(screenshots):
            if isinstance(result, ScreenshotError):
                _log.warning("skipped a screenshot: %s", result)
                predictions.append(None)
            else:
                predictions.append(result)
        return predictions


def _settle(future: asyncio.Future[Prediction | None], prediction: Prediction | None) -> None:
    if not future.done():
        future.set_result(prediction)
