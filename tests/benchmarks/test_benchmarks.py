"""Every benchmark can be imported and names its options; what it measures is run by hand."""

from __future__ import annotations

import argparse
from importlib import import_module

import pytest

from benchmarks.__main__ import BENCHMARKS


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_says_what_it_does_and_takes(name: str) -> None:
    benchmark = import_module(BENCHMARKS[name])
    parser = argparse.ArgumentParser(description=benchmark.SUMMARY)
    benchmark.add_arguments(parser)
    assert benchmark.SUMMARY in " ".join(parser.format_help().split())
    assert callable(benchmark.run)
