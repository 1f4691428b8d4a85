"""Model files: saving, loading, and errors that name the file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
import zstandard

from corpus_commons.boosting.model_file import load, save


def names_of(contents: dict[str, Any]) -> tuple[str, ...]:
    return tuple(contents["names"])


def packed(contents: object) -> bytes:
    return zstandard.compress(orjson.dumps(contents))


def test_what_was_saved_is_what_the_model_is_made_of(tmp_path: Path) -> None:
    file = tmp_path / "model.zst"
    save(file, {"names": ("one", "two")})
    assert load(file, "names", names_of) == ("one", "two")
    assert load(str(file), "names", names_of) == ("one", "two")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", ""),
        (b"no model", "Unable to decompress"),
        (zstandard.compress(b"no JSON"), ""),
        (packed({"names": list("abc")})[:-1], ""),
        (packed({"other": []}), "there is no 'names'"),
        (packed({"names": None}), ""),
        (packed([]), ""),
    ],
)
def test_the_error_names_the_file_the_expected_model_and_the_reason(
    tmp_path: Path, content: bytes, why: str
) -> None:
    file = tmp_path / "other.zst"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=rf"other\.zst does not contain names: {why}"):
        load(file, "names", names_of)


def test_a_missing_file_is_another_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.zst", "names", names_of)
