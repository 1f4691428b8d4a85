"""The configuration of a trained network, stored as JSON in its weights file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from corpus_commons.kinds import GENRES, PAGE_TYPES
from genre_model.prediction import THRESHOLD

STRIDE: Final = 32
"""Pixels of the window per cell of the last feature map, along each side; of all backbones."""


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """The architecture of a network, its input and its output.

    variant: the backbone's name, one of ``backbones.BACKBONES``.
    window: the input size (height, width) in pixels; pages are scaled to the width.
    genres, page_types: its labels, in the order of its outputs.
    genre_temperature, page_type_temperature: divide the logits; fitted on held-out pages.
    threshold: a prediction with a lower best score is "unsure".
    views: test-time augmentation, of ``views.VIEWS``; logits are averaged.
    width, root_channels, conventions, scaling: see ``backbones.build``; None for the defaults.
    """

    variant: str
    window: tuple[int, int]
    genres: tuple[str, ...] = GENRES
    page_types: tuple[str, ...] = PAGE_TYPES
    genre_temperature: float = 1.0
    page_type_temperature: float = 1.0
    threshold: float = THRESHOLD
    views: tuple[str, ...] = ()
    width: float | None = None
    root_channels: int | None = None
    conventions: str | None = None
    scaling: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The fields for ``weights.save_weights``."""
        return asdict(self)

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> NetworkConfig:
        """The configuration with these fields; unknown ones are ignored.

        Raises ValueError if a field is missing or has the wrong type.
        """
        known: dict[str, Any] = {key: fields[key] for key in fields if key in cls.__slots__}
        try:
            known["window"] = height, width = tuple(map(int, known["window"]))
            for names in ("genres", "page_types", "views"):
                if names in known:
                    known[names] = tuple(map(str, known[names]))
            config = cls(**known)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"not the configuration of a classifier: {error!r}") from error
        if not config.genres or not config.page_types or height < 1 or width < 1:
            raise ValueError("the configuration needs labels and a window of at least one pixel")
        return config
