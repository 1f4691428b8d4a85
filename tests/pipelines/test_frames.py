"""Frames: what of a broken shard is whole."""

from __future__ import annotations

import tracemalloc
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
from corpus_samples import document, plain_lines
from hypothesis import given
from hypothesis import strategies as st

from pipelines.corpus import frames
from pipelines.corpus.errors import ShardDamagedError
from pipelines.corpus.frames import frame, read_lines, survey
from tests.cpu_time import bounded_time

LINES = [document(number).to_json() for number in range(6)]
FRAMES = [frame(LINES[:2]), frame(LINES[2:3]), frame(LINES[3:])]


def lines(path: Path) -> list[bytes]:
    return list(read_lines(path, path.stat().st_size))


def test_zstd_reads_the_frames_as_one_file(tmp_path: Path) -> None:
    path = tmp_path / "shard"
    path.write_bytes(b"".join(FRAMES))
    assert plain_lines(path) == lines(path) == [line[:-1] for line in LINES]


def test_a_shard_cut_anywhere_is_whole_to_the_frame_before(tmp_path: Path) -> None:
    content = b"".join(FRAMES)
    ends = [0, len(FRAMES[0]), len(FRAMES[0] + FRAMES[1]), len(content)]
    path = tmp_path / "shard"
    for size in range(len(content) + 1):
        path.write_bytes(content[:size])
        found = survey(path)
        assert found.whole == max(end for end in ends if end <= size)
        assert found.documents == [0, 2, 3, 6][ends.index(found.whole)]


@pytest.mark.parametrize("tail", [b"\0" * 5000, b"\x28\xb5\x2f\xfd", b"junk", FRAMES[0][:-1]])
def test_what_a_power_cut_leaves_at_the_end_is_not_whole(tmp_path: Path, tail: bytes) -> None:
    path = tmp_path / "shard"
    path.write_bytes(b"".join(FRAMES) + tail)
    assert survey(path).documents == 6


def test_no_flipped_bit_changes_a_line(tmp_path: Path) -> None:
    path = tmp_path / "shard"
    content = b"".join(FRAMES)
    for place in range(len(content) - len(FRAMES[-1]), len(content)):
        broken = bytearray(content)
        broken[place] ^= 1 << place % 8
        path.write_bytes(broken)
        whole = survey(path)
        found = list(read_lines(path, whole.whole))
        assert found == [line[:-1] for line in LINES[: whole.documents]]
        assert whole.documents in (3, 6)


def test_damage_before_a_whole_frame_is_not_taken_for_a_crash(tmp_path: Path) -> None:
    path = tmp_path / "shard"
    broken = bytearray(b"".join(FRAMES))
    broken[len(FRAMES[0]) + 20] ^= 0xFF
    path.write_bytes(broken)
    with pytest.raises(ShardDamagedError, match="intact after it"):
        survey(path)


def test_a_survey_knows_the_times(tmp_path: Path) -> None:
    path = tmp_path / "shard"
    path.write_bytes(b"".join(reversed(FRAMES)))
    found = survey(path)
    assert (found.first_time, found.last_time) == (
        "2026-05-01T12:00:00.000Z",
        "2026-05-01T12:00:05.000Z",
    )


def test_reading_is_bounded_and_says_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "MAX_LINE", 10_000_000)
    path = tmp_path / "shard"
    path.write_bytes(frame([b"\0" * 20_000_000, b"\n"]))
    with pytest.raises(ShardDamagedError, match="a line of more than"):
        lines(path)
    path.write_bytes(b"not zstd")
    with pytest.raises(ShardDamagedError, match="does not decompress"):
        lines(path)
    path.write_bytes(frame([b"{}"]))
    with pytest.raises(ShardDamagedError, match="newline"):
        lines(path)


def test_no_line_is_longer_than_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "MAX_LINE", 100)
    path = tmp_path / "shard"
    path.write_bytes(frame([b"a" * 99 + b"\n"]))
    assert lines(path) == [b"a" * 99]
    path.write_bytes(frame([b"a" * 100 + b"\n"]))
    with pytest.raises(ShardDamagedError, match="a line of more than 100 bytes"):
        lines(path)


def test_a_long_line_takes_linear_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "_READ", 256)
    path = tmp_path / "shard"
    path.write_bytes(frame([b"a" * 20_000_000, b"\n"]))
    with bounded_time():
        (line,) = lines(path)
    assert len(line) == 20_000_000


def test_a_frame_is_surveyed_line_by_line_however_large_it_becomes(tmp_path: Path) -> None:
    path = tmp_path / "shard"
    line = b'{"text":"%s"}\n' % (b"a" * 1_000_000)
    path.write_bytes(frame([line] * 100))
    tracemalloc.start()
    found = survey(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (found.documents, found.whole) == (100, path.stat().st_size)
    assert peak < 20_000_000


@pytest.mark.parametrize("level", [-5, 1, 3, 19])
def test_the_end_of_a_frame_is_found_whatever_its_blocks_are(tmp_path: Path, level: int) -> None:
    noise = [b'"%s"\n' % Random(n).randbytes(500_000).hex().encode() for n in range(2)]
    flat = [b'"%s"\n' % (b" " * 500_000)]
    path = tmp_path / "shard"
    content = b"".join(frame(lines, level) for lines in (noise, flat, noise[:1] + flat, [b"1\n"]))
    path.write_bytes(content)
    found = survey(path)
    assert (found.documents, found.whole) == (6, len(content))
    assert found.sha256 == sha256(content).hexdigest()


@given(content=st.binary(max_size=300))
def test_any_bytes_can_be_surveyed(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any"
    path.write_bytes(content)
    assert survey(path).whole <= len(content)
