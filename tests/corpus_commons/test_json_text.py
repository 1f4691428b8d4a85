"""JSON of texts that strangers wrote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_commons import json_text

LONE = "a\ud800b"


@dataclass(frozen=True, slots=True)
class Named:
    name: str
    parts: tuple[Named, ...] = ()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (LONE, "a\ufffdb"),
        ({LONE: [LONE, (1, LONE)]}, {"a\ufffdb": ["a\ufffdb", [1, "a\ufffdb"]]}),
        ("\ud83d\ude00", "\N{GRINNING FACE}"),
        (
            [Named(LONE, (Named(LONE),))],
            [{"name": "a\ufffdb", "parts": [{"name": "a\ufffdb", "parts": []}]}],
        ),
        ({"set": {LONE}}, {"set": ["a\ufffdb"]}),
    ],
)
def test_lone_surrogates_become_replacement_characters(value: Any, expected: Any) -> None:
    assert orjson.loads(json_text.dumps(value, default=list)) == expected


def test_they_do_however_deep() -> None:
    value: Any = LONE
    for _ in range(200):
        value = [value]
    assert json_text.dumps(value) == b"[" * 200 + '"a\ufffdb"'.encode() + b"]" * 200


def test_what_json_has_no_form_of_is_refused() -> None:
    endless: list[Any] = [LONE]
    endless.append(endless)
    for value in (object(), {LONE: object()}, [1j], endless):
        with pytest.raises(TypeError):
            json_text.dumps(value)


@given(st.recursive(st.text() | st.integers(0, 9) | st.none(), st.lists))
def test_sound_values_are_as_orjson_writes_them(value: Any) -> None:
    option = orjson.OPT_APPEND_NEWLINE
    assert json_text.dumps(value, option=option) == orjson.dumps(value, option=option)
