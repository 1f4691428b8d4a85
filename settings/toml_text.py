"""Writes a job as TOML, including defaults."""

from __future__ import annotations

import json
from collections.abc import Iterator

from settings.job import Job
from settings.lines import Path
from settings.shape import field_at, key_name, key_text, kind_of, tables


def to_toml(job: Job) -> str:
    """The whole job without secrets, readable by ``parse_job``.

    Keys that are not set become comments.
    """
    return "\n".join(_lines(job))


def _lines(job: Job) -> Iterator[str]:
    tables_left: dict[Path, dict[str, object]] = {(): job.model_dump(mode="json", by_alias=True)}
    for path in tables():
        if path:
            yield ""
            yield f"[{key_text(path)}]"
        for name, value in tables_left[path].items():
            key = (*path, name)
            if isinstance(value, dict):
                tables_left[key] = value
            elif value is None:
                yield f"# {key_name(name)} is not set"
            else:
                kind, text = kind_of(field_at(key)), _value(value)
                hide = kind.hide if kind else None
                yield f"{key_name(name)} = {hide(text) if hide else text}"
    yield ""


def _value(value: object) -> str:
    """A string, number, boolean or list of these. JSON syntax is valid TOML, except for DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
