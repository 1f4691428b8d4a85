"""The table of signals and presets, from ``signals.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Self


@dataclass(frozen=True, slots=True)
class Signal:
    """meaning, specification: for the documentation, in Markdown. presets: which honour it."""

    meaning: str
    specification: str
    presets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Signals:
    """rules: the version of the table, and of what is read as what.

    presets: what each is for. signals: by name, in the order in which they are judged.
    """

    rules: str
    presets: dict[str, str]
    signals: dict[str, Signal]

    @classmethod
    @cache
    def shipped(cls) -> Self:
        found = tomllib.loads((files(__package__) / "signals.toml").read_text(encoding="utf-8"))
        signals = {
            name: Signal(row["meaning"], row["specification"], tuple(row["presets"]))
            for name, row in found["signals"].items()
        }
        return cls(found["rules"], found["presets"], signals)

    def honoured_by(self, preset: str) -> tuple[str, ...]:
        """The names of the signals that a preset honours."""
        return tuple(name for name, one in self.signals.items() if preset in one.presets)
