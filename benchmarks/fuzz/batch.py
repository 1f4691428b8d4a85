"""A batch of inputs, read in a process of its own, which may crash or hang."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import resource
import signal
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import Synchronized
from typing import Final

from benchmarks.fuzz.mutation import Mutator
from benchmarks.fuzz.reader import Reader
from benchmarks.fuzz.trial import minimised, tried
from corpus_commons.process_tree import cpu_seconds

HANGS: Final = "hangs"
DIES: Final = "dies"
# An input hangs after so many seconds of CPU time, or of real time, however busy the machine is.
_CPU_PATIENCE: Final = 30.0
_PATIENCE: Final = 900.0
_GLANCE: Final = 0.05
# Of data, on top of what the program and its models have.
_MEMORY: Final = 4 << 30


@dataclass(frozen=True, slots=True)
class Finding:
    """fault, detail: see ``Trial``. number: of the input. data: as small as it could be made."""

    fault: str
    detail: str
    number: int
    data: bytes = field(repr=False)


@dataclass(slots=True)
class Tally:
    """What became of some inputs. faults: how many there were of each. slowest: in CPU seconds."""

    inputs: int = 0
    refused: int = 0
    slowest: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Batches:
    """Reads the inputs of one reader; ``read`` is its function, and known in the child by fork."""

    reader: Reader
    read: Callable[[bytes], object]
    mutator: Mutator
    seed: int

    def input(self, number: int) -> bytes:
        return self.mutator.input(f"{self.seed} {self.reader.name} {number}")

    def run(self, numbers: Sequence[int]) -> Tally:
        """Read these inputs. One that kills its process, or hangs, is a finding like others."""
        tally = Tally()
        left = list(numbers)
        while left:
            done = self._until_death(left, tally)
            left = left[done:]
        return tally

    def _until_death(self, numbers: Sequence[int], tally: Tally) -> int:
        """Read inputs up to the end, or to one that is deadly; returns how many."""
        context = multiprocessing.get_context("fork")
        at: Synchronized[int] = context.Value("q", 0)
        ours, theirs = context.Pipe(duplex=False)
        child = context.Process(target=self._work, args=(numbers, at, theirs))
        child.start()
        theirs.close()
        fault = _watched(child, at, ours)
        found = _received(ours)
        child.join()
        if found is not None:
            _add(tally, found)
            return len(numbers)
        # What it had found before is lost with it, and found again without the deadly one.
        before = at.value
        if before:
            _add(tally, self.run(numbers[:before]))
        fault = fault or f"{DIES} by {signal.Signals(-(child.exitcode or -9)).name}"
        tally.inputs += 1
        tally.faults[fault] += 1
        deadly = numbers[before]
        tally.findings.append(Finding(fault, "", deadly, self.input(deadly)))
        return before + 1

    def _work(self, numbers: Sequence[int], at: Synchronized[int], out: Connection) -> None:
        resource.setrlimit(
            resource.RLIMIT_DATA, (_MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1])
        )
        gc.freeze()
        tally = Tally()
        for place, number in enumerate(numbers):
            at.value = place
            data = self.input(number)
            trial = tried(self.reader, self.read, data)
            tally.inputs += 1
            tally.refused += trial.is_refused
            tally.slowest = max(tally.slowest, trial.seconds)
            if trial.fault:
                if trial.fault not in tally.faults:
                    small = minimised(self.reader, self.read, data, trial.fault)
                    tally.findings.append(Finding(trial.fault, trial.detail, number, small))
                tally.faults[trial.fault] += 1
        out.send(tally)


def _watched(
    child: multiprocessing.process.BaseProcess, at: Synchronized[int], pipe: Connection
) -> str:
    """Wait until the child has an answer or has ended; one that hangs is killed, and named so."""
    place, since, used = -1, 0.0, 0.0
    while not pipe.poll(_GLANCE):
        cpu = cpu_seconds([child.pid or 0])
        if at.value != place:
            place, since, used = at.value, time.monotonic(), cpu
        if time.monotonic() - since > _PATIENCE or cpu - used > _CPU_PATIENCE:
            child.kill()
            return HANGS
        if not child.is_alive() and not pipe.poll():
            break
    return ""


def _received(pipe: Connection) -> Tally | None:
    with contextlib.suppress(EOFError):
        if pipe.poll():
            found: Tally = pipe.recv()
            return found
    return None


def _add(tally: Tally, more: Tally) -> None:
    tally.inputs += more.inputs
    tally.refused += more.refused
    tally.slowest = max(tally.slowest, more.slowest)
    tally.faults += more.faults
    tally.findings += more.findings
