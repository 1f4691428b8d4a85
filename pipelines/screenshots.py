"""The screenshots of pages in work, classified in batches beside the reactor.

A network reads sixteen pictures in little more time than a few: pages that arrive together are
answered together. One thread runs it, and while it does the next batch gathers.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import zip_longest
from typing import Protocol, Self

from genre_model.classifier import MAX_BATCH, GenreClassifier
from genre_model.prediction import Prediction
from genre_model.screenshot import ScreenshotError

# How long the first picture of a batch waits for others: little beside the seconds of a render.
WAIT_SECONDS = 0.1
# A picture takes one core some hundredths of a second. The other cores belong to the browsers that
# draw them; where cores are short, TensorFlow's threads spend much of theirs waiting.
THREADS = 1
# More pictures than this wait for the network at no time: those who bring more wait themselves.
MOST_WAITING = 4 * MAX_BATCH

_Waiting = tuple[bytes, "asyncio.Future[Prediction | None]"]

_log = logging.getLogger(__name__)


class Classifier(Protocol):
    """What is asked of a network; ``GenreClassifier`` is one."""

    def predict(self, images: Sequence[bytes]) -> list[Prediction | ScreenshotError]: ...

    def close(self) -> None: ...


def shipped() -> Classifier:
    """The network that comes with the package, ready to run."""
    classifier = GenreClassifier.shipped(threads=THREADS)
    classifier.warm()
    return classifier


class ScreenshotBatches:
    """Gathers pictures into batches. Use it as an async context manager, in one loop.

    load: makes the classifier, in the thread that will run it.
    size: pictures of a batch. wait: seconds that the first of them waits for the others.
    failed: pictures to which the classifier had no answer, so far.
    """

    def __init__(
        self,
        load: Callable[[], Classifier] = shipped,
        *,
        size: int = MAX_BATCH,
        wait: float = WAIT_SECONDS,
    ) -> None:
        self._load = load
        self.failed = 0
        self._size = size
        self._wait = wait
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="screenshots")
        self._waiting: asyncio.Queue[_Waiting] = asyncio.Queue(MOST_WAITING)
        self._classifier: Classifier

    async def __aenter__(self) -> Self:
        loop = asyncio.get_running_loop()
        self._classifier = await loop.run_in_executor(self._thread, self._load)
        self._task = asyncio.create_task(self._work(), name="screenshots")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def predict(self, screenshot: bytes) -> Prediction | None:
        """What the network says; None where the picture cannot be read."""
        answer: asyncio.Future[Prediction | None] = asyncio.get_running_loop().create_future()
        await self._waiting.put((screenshot, answer))
        return await answer

    async def close(self) -> None:
        """Stop; pictures that still wait are answered with None."""
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        while not self._waiting.empty():
            _settle(self._waiting.get_nowait()[1], None)
            # Whoever waited for room in the queue takes it now.
            await asyncio.sleep(0)
        self._classifier.close()
        await asyncio.to_thread(self._thread.shutdown)

    async def _work(self) -> None:
        while True:
            batch: list[_Waiting] = []
            answers: list[Prediction | None] = []
            try:
                await self._gather(batch)
                pictures = [picture for picture, _ in batch]
                answers = await asyncio.get_running_loop().run_in_executor(
                    self._thread, self._answers, pictures
                )
                self.failed += answers.count(None)
            except Exception:
                self.failed += len(batch)
                # The HTML still tells the genre: no page is lost for its picture.
                _log.exception("%d screenshots could not be classified", len(batch))
            finally:
                for (_, future), answer in zip_longest(batch, answers):
                    _settle(future, answer)

    async def _gather(self, batch: list[_Waiting]) -> None:
        """Fill the next batch, until its first picture has waited long enough."""
        batch.append(await self._waiting.get())
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._wait):
                while len(batch) < self._size:
                    batch.append(await self._waiting.get())

    def _answers(self, pictures: list[bytes]) -> list[Prediction | None]:
        found: list[Prediction | None] = []
        for answer in self._classifier.predict(pictures):
            if isinstance(answer, ScreenshotError):
                _log.warning("a screenshot was passed over: %s", answer)
                found.append(None)
            else:
                found.append(answer)
        return found


def _settle(future: asyncio.Future[Prediction | None], answer: Prediction | None) -> None:
    if not future.done():
        future.set_result(answer)
