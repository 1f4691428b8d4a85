"""Every benchmark can be imported and has help; the measurements are run manually."""

from __future__ import annotations

import argparse
from importlib import import_module

import pytest

from benchmarks.__main__ import BENCHMARKS


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_benchmark_has_help(name: str) -> None:
    benchmark = import_module(BENCHMARKS[name])
    parser = argparse.ArgumentParser(description=benchmark.SUMMARY)
    benchmark.add_arguments(parser)
    assert benchmark.SUMMARY in " ".join(parser.format_help().split())
    assert callable(benchmark.run)
