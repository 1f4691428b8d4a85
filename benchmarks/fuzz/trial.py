"""One input given to a reader, and what is wrong with how it was taken."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.fuzz.reader import Reader

ROOT: Final = Path(__file__).resolve().parents[2]
_HERE: Final = str(Path(__file__).parent)
SLOW: Final = "slow"
# How often an input is made smaller.
_TRIES: Final = 400


@dataclass(frozen=True, slots=True)
class Trial:
    """fault: what went wrong, and where, by which findings are told apart; empty if nothing did.

    detail: for people. seconds: of CPU time.
    """

    fault: str
    detail: str
    seconds: float
    is_refused: bool = False


def tried(reader: Reader, read: Callable[[bytes], object], data: bytes) -> Trial:
    """Read an input. Does not return if the process dies or hangs."""
    began = time.process_time()
    fault = detail = ""
    is_refused = False
    try:
        read(data)
    except reader.refusals:
        is_refused = True
    except Exception as error:
        fault = f"{type(error).__name__} {_place(error)}"
        detail = "".join(traceback.format_exception(error)[-12:])
    seconds = time.process_time() - began
    if not fault and seconds > reader.seconds:
        fault, detail = SLOW, f"{seconds:.2f} s of CPU time, more than {reader.seconds:g}"
    return Trial(fault, detail, seconds, is_refused)


def minimised(reader: Reader, read: Callable[[bytes], object], data: bytes, fault: str) -> bytes:
    """A smaller input with the same fault: parts are left out, smaller and smaller ones."""
    tries, size = _TRIES if fault != SLOW else _TRIES // 20, max(1, len(data) // 2)
    while tries > 0:
        at = 0
        while at < len(data) and tries > 0:
            less = data[:at] + data[at + size :]
            tries -= 1
            if tried(reader, read, less).fault == fault:
                data = less
            else:
                at += size
        if size == 1:
            break
        size //= 2
    return data


def _place(error: Exception) -> str:
    """The last of our own lines that it passed, as file and line."""
    ours = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.startswith(str(ROOT))
        and not frame.filename.startswith(_HERE)
        and "site-packages" not in frame.filename
    ]
    if not ours:
        return "elsewhere"
    return f"{Path(ours[-1].filename).relative_to(ROOT)}:{ours[-1].lineno}"
