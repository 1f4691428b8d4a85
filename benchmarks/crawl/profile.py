"""``python -m crawler`` with a sampling profiler: CPU time by process role and step.

Each sample adds the CPU time of a thread since the last sample to the step that the thread is in;
the sampler's own time is excluded. A worker process imports this module as its main module, which
starts its sampler.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

FOLDER = "CRAWL_PROFILE_FOLDER"
_PERIOD = 0.005
_SAVED_EVERY = 100
_ROOT = str(Path(__file__).resolve().parents[2]) + os.sep

REST = "Scrapy, Twisted, asyncio"
START = "start: imports, models"
UNSEEN = "threads too short-lived to be sampled"
_START = {"<module>", "warm"}

# The innermost matching frame decides. Parsing is what page_reader does by itself.
STEPS: tuple[tuple[str, str], ...] = (
    ("pipelines/metadata/language", "language"),
    ("pipelines/metadata/", "metadata"),
    ("pipelines/filters/", "filters"),
    ("pipelines/reading/page_reader", "parse"),
    ("pipelines/reading/batches", "pages to workers and back"),
    ("pipelines/reading/worker", "pages to workers and back"),
    ("pipelines/corpus", "writing"),
    ("pipelines/", "documents, progress, report"),
    ("extraction/", "extraction"),
    ("genre_model/", "genre"),
    ("crawler/frontier/", "frontier"),
    ("crawler/discovery/", "links"),
    ("crawler/commands/", REST),
    ("crawler/__main__", REST),
    ("crawler/", "spider"),
)


class Sampler(threading.Thread):
    """Samples all threads of this process but itself; ``save`` writes the result."""

    def __init__(self, file: Path) -> None:
        super().__init__(name="sampler", daemon=True)
        self._file = file
        self._counted: defaultdict[str, float] = defaultdict(float)
        self._clocks: dict[int, float] = {}

    def run(self) -> None:
        number = 0
        while True:
            time.sleep(_PERIOD)
            self._sample()
            number += 1
            if number % _SAVED_EVERY == 0:
                self.save()

    def save(self) -> None:
        temporary = self._file.with_suffix(".tmp")
        seen = sum(self._counted.values()) + time.thread_time()
        unseen = time.process_time() - seen
        temporary.write_text(json.dumps(self._counted | {UNSEEN: max(0.0, unseen)}))
        temporary.replace(self._file)

    def _sample(self) -> None:
        for thread, frame in sys._current_frames().items():
            if thread == self.ident:
                continue
            try:
                clock = time.clock_gettime(time.pthread_getcpuclockid(thread))
            except OSError:  # It has ended.
                continue
            before = self._clocks.get(thread, 0.0)
            self._clocks[thread] = clock
            # A reused thread id belongs to a new thread, whose clock starts at 0.
            spent = clock - before if clock >= before else clock
            if spent > 0:
                self._counted[_step(frame)] += spent


def _step(frame: FrameType) -> str:
    stack = list(_project_frames(frame))
    if any(name in _START for _, name in stack):
        return START
    for path, _ in stack:
        for prefix, step in STEPS:
            if path.startswith(prefix):
                return step
    return REST


def _project_frames(frame: FrameType | None) -> Iterator[tuple[str, str]]:
    """Files of this project on the stack, with their functions, innermost first."""
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(_ROOT) and file != __file__:
            yield file.removeprefix(_ROOT), frame.f_code.co_name
        frame = frame.f_back


def _sampler(role: str) -> Sampler:
    return Sampler(Path(os.environ[FOLDER]) / f"{role}-{os.getpid()}.json")


if __name__ == "__mp_main__" and FOLDER in os.environ:
    _sampler("worker").start()

if __name__ == "__main__":
    from crawler.commands.command_line import main

    sampler = _sampler("crawler")
    sampler.start()
    code = main(sys.argv[1:])
    sampler.save()
    sys.exit(code)
