"""Mutated and invented inputs for all readers: does one crash, hang, or take too long?"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
from math import ceil
from pathlib import Path
from typing import Final

from benchmarks.fuzz.batch import Batches
from benchmarks.fuzz.mutation import Mutator
from benchmarks.fuzz.progress import Progress
from benchmarks.fuzz.reader import Reader
from benchmarks.fuzz.readers import READERS
from benchmarks.fuzz.trial import SLOW
from benchmarks.report import Report
from corpus_commons.terminal.arguments import positive

SUMMARY: Final = "give mutated inputs to all that reads what strangers wrote; count what goes wrong"
# Inputs of a reader at a time, for a weight of 1.
_BATCH: Final = 500


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--inputs", type=positive, default=20_000, help="in all, over the readers (%(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the inputs (%(default)s)")
    parser.add_argument(
        "--only", nargs="+", choices=READERS, default=list(READERS), help="only these readers"
    )
    parser.add_argument(
        "--folder",
        type=Path,
        help="keep the progress and the findings here: stopped and started again, the run goes on",
    )


def run(arguments: argparse.Namespace, report: Report) -> int:
    """0 if nothing went wrong, 1 otherwise. Raises ProgressError."""
    readers = [READERS[name] for name in arguments.only]
    began = time.monotonic()
    # Ended as by Ctrl-C: what was done is kept.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        folder = arguments.folder or Path(name)
        progress = Progress(folder, arguments.seed)
        try:
            _fuzz(readers, arguments.inputs, arguments.seed, progress)
        except KeyboardInterrupt:
            report.say("stopped; the same command goes on" if arguments.folder else "stopped")
    faults = _tabulate(readers, progress, report)
    seconds = time.monotonic() - began
    report.say(f"seed {arguments.seed}; {seconds:.0f} s")
    for fault in faults:
        report.say(fault)
    return 1 if faults else 0


def _fuzz(readers: list[Reader], inputs: int, seed: int, progress: Progress) -> None:
    """Give every reader its share of the inputs, in turns of a batch."""
    weights = sum(reader.weight for reader in readers)
    wanted = {reader.name: ceil(inputs * reader.weight / weights) for reader in readers}
    batches = {
        reader.name: Batches(reader, reader.made(), Mutator(reader.samples(), reader.tokens), seed)
        for reader in readers
        if progress.count(reader.name).inputs < wanted[reader.name]
    }
    while batches:
        for name, batch in list(batches.items()):
            done = progress.count(name).inputs
            end = min(wanted[name], done + max(1, round(_BATCH * batch.reader.weight)))
            if done < end:
                progress.add(name, batch.run(range(done, end)))
            else:
                del batches[name]
        total = sum(progress.count(reader.name).inputs for reader in readers)
        sys.stderr.write(f"{total:,} of {inputs:,} inputs\n")


def _tabulate(readers: list[Reader], progress: Progress, report: Report) -> list[str]:
    """Print the counts; returns a line for every kind of fault."""
    rows: list[tuple[str, int, int, int, int, float, float]] = []
    faults: list[str] = []
    for reader in readers:
        count = progress.count(reader.name)
        slow = count.faults[SLOW]
        crashes = count.faults.total() - slow
        limit, slowest = 1000 * reader.seconds, 1000 * count.slowest
        rows.append((reader.name, count.inputs, count.refused, crashes, slow, slowest, limit))
        faults += [f"{reader.name}: {number:,} × {fault}" for fault, number in count.faults.items()]
    counted = ("inputs", "refused", "crashes", "over the limit")
    columns = {"reader": "", **dict.fromkeys(counted, ",d")}
    columns |= dict.fromkeys(("slowest, CPU ms", "limit, CPU ms"), ",.0f")
    sums = [sum(int(row[place]) for row in rows) for place in range(1, 5)]
    report.table("fuzz", columns, [*rows, ("all", *sums, None, None)])
    return faults
