"""Stands in for a crawl: ``noted_crawl.py JOB`` notes its begin and end beside the job file.

``JOB.seconds`` says how long it takes, ``JOB.code`` how it ends; SIGTERM ends it with 3. Without
imports that take time.
"""

import os
import signal
import sys
import time


def note(word: str) -> None:
    with open(f"{sys.argv[1]}.notes", "a") as notes:  # noqa: PTH123 - pathlib takes time
        notes.write(f"{word} {os.getpid()}\n")


def said(what: str, otherwise: str) -> str:
    try:
        with open(f"{sys.argv[1]}.{what}") as file:  # noqa: PTH123 - as above
            return file.read()
    except FileNotFoundError:
        return otherwise


def stop(*_: object) -> None:
    note("stopped")
    sys.exit(3)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, stop)
    # First: whoever has read that it has begun may say something else.
    seconds = float(said("seconds", "0"))
    note("begin")
    time.sleep(seconds)
    note("end")
    sys.exit(int(said("code", "0")))
