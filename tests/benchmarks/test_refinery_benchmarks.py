"""The benchmarks of the refinery, small."""

from __future__ import annotations

import argparse

from benchmarks.refinery import near_copies
from benchmarks.report import Report


def test_planted_copies_are_found_and_nothing_else() -> None:
    report = Report("minhash", ())
    arguments = argparse.Namespace(documents=60, copies=20, processes=1)
    assert near_copies.run(arguments, report) == 0
    for _, precision, _, *recalls in report._tables["planted"]["rows"]:
        assert (precision, recalls[0]) == (1.0, 1.0)
