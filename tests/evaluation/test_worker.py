"""The worker process ends when its parent is killed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from process_state import is_alive

# Both methods are loaded for a harmless page. On the next page, the first one returns its process
# id as text, and the second one hangs.
PROGRAM = """
from evaluation.results import PageKey
from evaluation.runner import Runner
from evaluation.worker import Task

if __name__ == "__main__":
    methods = ("trick_methods:process", "trick_methods:hangs")
    with Runner(timeout=600) as runner:
        pages = (Task(PageKey("", ""), html, None, None, methods) for html in ("plain", "trigger"))
        for result in runner.run(pages):
            print(result.text, flush=True)
"""


def test_a_method_that_hangs_does_not_outlive_an_evaluation_that_is_killed() -> None:
    here = Path(__file__).parent
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONPATH": f"{here.parents[1]}{os.pathsep}{here}"},
        stdout=subprocess.PIPE,
        text=True,
    ) as evaluation:
        assert evaluation.stdout is not None
        worker = next(int(line) for line in evaluation.stdout if line.strip().isdigit())
        assert is_alive(worker)
        evaluation.kill()
    end = time.monotonic() + 30
    while is_alive(worker):
        assert time.monotonic() < end, "the worker lives on"
        time.sleep(0.02)
