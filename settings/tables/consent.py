"""``[consent]``: which wishes of owners keep a page's text out of the corpus."""

from __future__ import annotations

from settings.values import AgentName, Many, Table
from settings.vocabulary import ConsentPreset, ConsentSignal


class Consent(Table):
    """Which wishes of owners keep a page's text out of the corpus. All are read and recorded in
    `metadata.consent`; [what they are](../explanation/consent.md).
    """

    preset: ConsentPreset = "training"
    """What the corpus is for. A page becomes a reject if a signal of [the
    preset](../explanation/consent.md#presets) says no."""
    honour: Many[ConsentSignal] | None = None
    """The signals that are obeyed, instead of those of the preset; an empty list obeys none."""
    agents: Many[AgentName] | None = None
    """Agents of AI trainers: a page that robots.txt disallows to one of them by name says no to
    training. If not set, those of [the list](../explanation/consent.md#agents); an empty list asks
    about none."""
