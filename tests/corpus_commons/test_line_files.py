"""Files of one record per line, compressed or not."""

from __future__ import annotations

from pathlib import Path

import pytest
import zstandard

from corpus_commons.line_files import read_records


def test_frames_are_read_one_after_the_other(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl.zst"
    path.write_bytes(zstandard.compress(b"1\n2\n") + zstandard.compress(b"3"))
    assert list(read_records(path, int)) == [1, 2, 3]


def test_a_record_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_bytes(b"1\nx\n")
    with pytest.raises(ValueError, match=r"records\.jsonl, line 2: invalid literal"):
        list(read_records(path, int))


def test_a_file_that_was_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl.zst"
    path.write_bytes(zstandard.compress(b"1\n" * 1000)[:-1])
    with pytest.raises(ValueError, match=r"records\.jsonl\.zst, line \d+: .* ended before"):
        list(read_records(path, int))
