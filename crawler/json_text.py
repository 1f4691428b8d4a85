"""Makes values safe for JSON in UTF-8."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

# Deeper than anything that the log or the pipeline writes.
_MAX_DEPTH: Final = 20


def sound_json(value: Any, depth: int = 0) -> Any:
    r"""The value with U+FFFD for lone surrogates, which orjson refuses.

    >>> sound_json({"a": ["x\ud800", 1]}) == {"a": ["x\ufffd", 1]}
    True
    """
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if depth < _MAX_DEPTH and isinstance(value, Mapping):
        return {sound_json(key): sound_json(item, depth + 1) for key, item in value.items()}
    if depth < _MAX_DEPTH and isinstance(value, list | tuple):
        return [sound_json(item, depth + 1) for item in value]
    return value
