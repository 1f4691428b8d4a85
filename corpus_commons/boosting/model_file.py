"""Model files: JSON, compressed with zstd."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import orjson
from backports import zstd

if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_BYTES: Final = 64_000_000
_LEVEL: Final = 19

Model = TypeVar("Model")


def load(file: Path | str, what: str, model_of: Callable[[Any], Model]) -> Model:
    """The model that ``model_of`` makes from the contents that ``save`` wrote.

    what: the kind of model, for the error message. Raises ValueError, naming the file, for any
        other file, and if ``model_of`` raises KeyError, TypeError or ValueError.
    """
    try:
        contents = zstd.ZstdDecompressor().decompress(Path(file).read_bytes(), _MAX_BYTES)
        return model_of(orjson.loads(contents))
    except (KeyError, TypeError, ValueError, EOFError, zstd.ZstdError) as error:
        why = f"there is no {error}" if isinstance(error, KeyError) else error
        raise ValueError(f"{file} does not contain {what}: {why}") from error


def save(file: Path, contents: object) -> None:
    """Write a model file. contents: anything that JSON can represent."""
    file.write_bytes(zstd.compress(orjson.dumps(contents), _LEVEL))
