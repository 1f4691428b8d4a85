"""The steps of recipes, one module a topic. A new one is a class here and a line in ``STEPS``."""

from __future__ import annotations

from typing import Final

from refinery.steps.bad_words import BadWords
from refinery.steps.base import Step
from refinery.steps.contamination import Decontaminate
from refinery.steps.copies import ExactDuplicates, RepeatedPages
from refinery.steps.near_copies import NearDuplicates
from refinery.steps.personal_data import MaskPersonalData
from refinery.steps.quality import C4Quality, FineWebQuality, GopherQuality, GopherRepetition
from refinery.steps.repeated_lines import RepeatedLines
from refinery.steps.sampling import Sample
from refinery.steps.selection import Select
from refinery.steps.tokens import CountTokens

STEPS: Final[dict[str, type[Step]]] = {
    step.name(): step
    for step in (
        Select,
        RepeatedPages,
        ExactDuplicates,
        NearDuplicates,
        RepeatedLines,
        GopherQuality,
        GopherRepetition,
        C4Quality,
        FineWebQuality,
        BadWords,
        MaskPersonalData,
        Sample,
        Decontaminate,
        CountTokens,
    )
}
"""By the names that recipes use."""
