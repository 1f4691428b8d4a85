"""A worker that holds and releases pages until it is killed: python killed_holder.py FOLDER LEDGER.

The ledger gets the number of each page once the frontier would have been told of it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from held_samples import row

from pipelines.corpus.held_pages import HeldPages, Settled


def work(file: Path, ledger: Path) -> None:
    descriptor = os.open(ledger, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    number = max(map(int, ledger.read_text().split()), default=-1) + 1
    held = HeldPages(file)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while True:
        # Every third page leaves at once, with the page after it.
        kept = Settled("kept", "https://example.com/")
        done = {row(number - 1).id: kept} if number % 3 == 1 else {}
        held.settle([row(number)], done)
        os.write(descriptor, f"{number}\n".encode())
        number += 1


if __name__ == "__main__":
    work(Path(sys.argv[1]), Path(sys.argv[2]))
