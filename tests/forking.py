"""What becomes of work in a fork of this process."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing import get_context

# Much longer than any such work takes; whatever takes it waits for ever.
_SECONDS = 30


def error_in_a_fork(work: Callable[[], object]) -> str:
    """What ``work`` raises there; empty if nothing. Raises TimeoutError where it hangs."""
    context = get_context("fork")
    answers, answer = context.Pipe(duplex=False)

    def run() -> None:
        try:
            work()
            answer.send("")
        except Exception as error:
            answer.send(f"{type(error).__name__}: {error}")

    process = context.Process(target=run)
    process.start()
    try:
        if not answers.poll(_SECONDS):
            raise TimeoutError("no answer from the fork")
        text: str = answers.recv()
        return text
    finally:
        process.kill()
        process.join()
