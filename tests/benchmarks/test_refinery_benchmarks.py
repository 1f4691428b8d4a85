"""The benchmarks of the refinery, small."""

from __future__ import annotations

import argparse

import pytest

from benchmarks.refinery import near_copies
from benchmarks.report import Report
from corpus_commons.terminal.commands import UsageError


def test_planted_copies_are_found_and_nothing_else() -> None:
    report = Report("minhash", ())
    arguments = argparse.Namespace(documents=60, copies=20, processes=1)
    assert near_copies.run(arguments, report) == 0
    for _, precision, _, *recalls in report._tables["planted"]["rows"]:
        assert (precision, recalls[0]) == (1.0, 1.0)


def test_a_number_of_edits_without_copies_has_no_recall() -> None:
    report = Report("minhash", ())
    near_copies.run(argparse.Namespace(documents=20, copies=1, processes=1), report)
    for row in report._tables["planted"]["rows"]:
        assert row[3:] == [1.0, *[None] * 9]


def test_there_are_no_more_copies_than_documents_to_copy() -> None:
    arguments = argparse.Namespace(documents=20, copies=11, processes=1)
    with pytest.raises(UsageError, match="--copies 11: must be at most half of --documents, 20"):
        near_copies.run(arguments, Report("minhash", ()))
