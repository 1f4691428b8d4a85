"""JSON of what strangers wrote: a lone surrogate, which orjson refuses, becomes U+FFFD."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final

import orjson

# As deep as orjson goes.
_DEEPEST: Final = 254

Default = Callable[[Any], Any]


def dumps(value: Any, *, default: Default | None = None, option: int = 0) -> bytes:
    r"""As ``orjson.dumps``, with its options. Raises TypeError for what JSON has no form of.

    >>> dumps({"a": ["x\ud800", 1]}).decode()
    '{"a":["x�",1]}'
    """
    try:
        return orjson.dumps(value, default, option)
    except TypeError:  # Of a surrogate, or of what is refused again.
        sound_default = None if default is None else lambda other: _sound(default(other))
        return orjson.dumps(_sound(value), sound_default, option)


def _sound(value: Any, depth: int = 0) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if depth > _DEEPEST:
        return value
    if isinstance(value, Mapping):
        return {_sound(key): _sound(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_sound(item, depth + 1) for item in value]
    if is_dataclass(value):
        return {item.name: _sound(getattr(value, item.name), depth + 1) for item in fields(value)}
    return value
