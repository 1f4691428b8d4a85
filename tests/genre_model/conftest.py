"""What the tests of training share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def tiny() -> Iterator[None]:
    """The backbone ``tiny``, beside EfficientNet-Lite0 and no other."""
    from tiny_training import tiny_backbone  # noqa: PLC0415 - imports Keras

    with tiny_backbone():
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Labelled screenshots that a network learns in a few steps."""
    from tiny_training import dark_and_light  # noqa: PLC0415 - imports Keras

    return dark_and_light(tmp_path_factory.mktemp("labelled"))
