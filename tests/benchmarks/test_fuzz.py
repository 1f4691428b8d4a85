"""The fuzzer finds what is wrong, keeps it small, and goes on after it; our readers bear it."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.fuzz.batch import HANGS, Batches, Tally
from benchmarks.fuzz.mutation import LONGEST, Mutator
from benchmarks.fuzz.progress import Progress, ProgressError
from benchmarks.fuzz.reader import Reader
from benchmarks.fuzz.readers import READERS
from benchmarks.fuzz.trial import SLOW, tried

CASES = Path(__file__).with_name("fuzz_cases")
# Loading the models takes longer than all other readers together.
QUICK = [reader for reader in READERS.values() if reader.name != "page"]


def reader_of(read: Callable[[bytes], object], **options: object) -> Reader:
    return Reader(
        name="planted",
        made=lambda: read,
        samples=lambda: [b"sound <a> input, of some length"],
        tokens=[b"<", b">"],
        **options,  # type: ignore[arg-type]
    )


def run(reader: Reader, inputs: int = 200) -> Tally:
    batches = Batches(reader, reader.made(), Mutator(reader.samples(), reader.tokens), seed=1)
    return batches.run(range(inputs))


def test_a_crash_is_found_and_made_small() -> None:
    def read(data: bytes) -> None:
        if b"<<" in data:
            raise KeyError(data)

    tally = run(reader_of(read))
    assert tally.inputs == 200
    (fault,) = tally.faults
    assert fault.startswith("KeyError tests/benchmarks/test_fuzz.py:")
    assert tally.faults[fault] > 1
    assert [finding.data for finding in tally.findings] == [b"<<"]


def test_a_documented_error_is_no_crash() -> None:
    def read(data: bytes) -> None:
        if b"<<" in data:
            raise KeyError(data)

    tally = run(reader_of(read, refusals=(KeyError,)))
    assert (tally.inputs, tally.faults.total()) == (200, 0)
    assert 0 < tally.refused < 200


def test_a_process_that_dies_costs_one_input() -> None:
    def read(data: bytes) -> None:
        if b"<<" in data:
            os.kill(os.getpid(), signal.SIGKILL)

    tally = run(reader_of(read), inputs=60)
    assert tally.inputs == 60
    assert set(tally.faults) == {"dies by SIGKILL"}
    assert all(b"<<" in finding.data for finding in tally.findings)


def test_what_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.fuzz.batch._PATIENCE", 0.3)

    def read(data: bytes) -> None:
        if b"<<" in data:
            time.sleep(60)

    tally = run(reader_of(read), inputs=30)
    assert tally.inputs == 30
    assert set(tally.faults) == {HANGS}


def test_what_takes_too_much_processor_time_is_found() -> None:
    def read(_: bytes) -> None:
        began = time.process_time()
        while time.process_time() - began < 0.02:
            pass

    reader = reader_of(read, seconds=0.01)
    assert tried(reader, read, b"a").fault == SLOW


def test_a_seed_always_makes_the_same_inputs() -> None:
    mutator = Mutator([b"sound <a> input"], [b"<", b">"])
    made = [mutator.input(f"1 a {number}") for number in range(500)]
    assert made == [mutator.input(f"1 a {number}") for number in range(500)]
    assert len(set(made)) > 400
    assert max(map(len, made)) <= LONGEST


def test_a_run_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    def read(data: bytes) -> None:
        if b"<<" in data:
            raise KeyError(data)

    tally = run(reader_of(read))
    Progress(tmp_path, seed=1).add("planted", tally)
    resumed = Progress(tmp_path, seed=1)
    assert resumed.count("planted").inputs == 200
    assert resumed.count("planted").faults == tally.faults
    assert [file.read_bytes() for file in tmp_path.glob("findings/*.bin")] == [b"<<"]
    with pytest.raises(ProgressError, match="--seed 1, not 2"):
        Progress(tmp_path, seed=2)


@pytest.mark.parametrize("reader", QUICK, ids=lambda reader: reader.name)
def test_samples_are_sound(reader: Reader) -> None:
    """Otherwise all inputs would be refused at the door."""
    read = reader.made()
    outcomes = [tried(reader, read, sample) for sample in reader.samples()]
    assert [outcome.detail for outcome in outcomes if outcome.fault] == []
    assert not all(outcome.is_refused for outcome in outcomes)


@pytest.mark.parametrize("reader", QUICK, ids=lambda reader: reader.name)
def test_readers_bear_what_chance_makes(reader: Reader) -> None:
    """A few inputs, always the same, as ``python -m benchmarks fuzz`` makes a million."""
    read, mutator = reader.made(), Mutator(reader.samples(), reader.tokens)
    for number in random.Random(reader.name).sample(range(10**9), 60):
        trial = tried(reader, read, mutator.input(f"test {number}"))
        assert not trial.fault, f"input {number}: {trial.detail}"


@pytest.mark.parametrize("case", sorted(CASES.glob("*.bin")), ids=lambda case: case.stem)
def test_what_was_found_once_is_mended(case: Path) -> None:
    reader = READERS[case.stem.rpartition("-")[0]]
    assert tried(reader, reader.made(), case.read_bytes()).fault == ""


@pytest.mark.parametrize("reader", QUICK, ids=lambda reader: reader.name)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_readers_bear_whatever_hypothesis_makes_of_their_formats(
    reader: Reader, data: st.DataObject
) -> None:
    """Unlike the fuzzer, it starts from nothing, and makes the smallest input that fails."""
    pieces = st.one_of(
        st.sampled_from(reader.tokens or reader.samples()),
        st.binary(max_size=50),
        st.text(max_size=50).map(lambda text: text.encode("utf-8", "surrogatepass")),
    )
    trial = tried(reader, reader.made(), data.draw(st.lists(pieces).map(b"".join))[:LONGEST])
    assert not trial.fault, trial.detail
