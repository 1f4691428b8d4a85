"""Files of models: JSON, packed by zstd."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import orjson
import zstandard

if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_BYTES: Final = 64_000_000
_LEVEL: Final = 19

Model = TypeVar("Model")


def load(file: Path | str, what: str, model_of: Callable[[Any], Model]) -> Model:
    """What ``model_of`` makes of the contents that ``save`` wrote.

    what: the kind of model, for the message. Raises ValueError, naming the file, for another file,
    and where ``model_of`` raises KeyError, TypeError or ValueError: the contents are not its own.
    """
    try:
        packed = zstandard.ZstdDecompressor().decompress(Path(file).read_bytes(), _MAX_BYTES)
        return model_of(orjson.loads(packed))
    except (KeyError, TypeError, ValueError, zstandard.ZstdError) as error:
        raise ValueError(f"{file} does not hold {what}: {error!r}") from error


def save(file: Path, contents: object) -> None:
    """contents: what JSON can hold."""
    packed = zstandard.ZstdCompressor(level=_LEVEL).compress(orjson.dumps(contents))
    file.write_bytes(packed)
