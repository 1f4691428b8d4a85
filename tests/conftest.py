"""What holds for every test."""

from __future__ import annotations

from hypothesis import settings

from corpus_commons.processes import usable_cores
from genre_model.network.tensorflow_runtime import for_training

# How long an example takes says more about what else the machine does than about the code;
# pytest's own time limit ends what hangs.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

# Tests that train share their process with others, and this has to be said before any operation.
for_training()


def pytest_xdist_auto_num_workers() -> int:
    """For ``-n auto``: more than there are cores, as crawls mostly wait for servers and clocks."""
    return usable_cores() * 3 // 2
