"""A worker to be killed: python killed_writer.py FOLDER LEDGER.

It writes the documents whose ids are not in the ledger, and notes each there when acknowledged.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from corpus_samples import document, unheard

from crawler.outcomes import Rejection
from pipelines.corpus.shards import Rotation
from pipelines.corpus.writer import CorpusWriter, FrameLimits


async def work(folder: Path, ledger: Path) -> None:
    descriptor = os.open(ledger, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    done = {int(number) for number in ledger.read_text().split()}

    async def acknowledge(numbers: Sequence[int]) -> None:
        os.write(descriptor, "".join(f"{number}\n" for number in numbers).encode())

    frames = FrameLimits(documents=7, seconds=0.05)
    async with CorpusWriter(
        folder,
        "killed",
        acknowledge,
        on_failure=unheard,
        frames=frames,
        rotation=Rotation(bytes=4000),
    ) as writer:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        number = 0
        while True:
            if number not in done:
                one = document(number, f"Document {number}. " * (number % 50))
                if number % 5:
                    await writer.add(one, ack=number)
                elif number % 10 == 0:
                    await writer.bury(one, "not-found", ack=number)
                else:
                    await writer.reject(one, Rejection("too-short"), ack=number)
            number += 1


if __name__ == "__main__":
    asyncio.run(work(Path(sys.argv[1]), Path(sys.argv[2])))
