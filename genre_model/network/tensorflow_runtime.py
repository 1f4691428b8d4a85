"""Imports TensorFlow on demand: faster than by default, and without its log output."""

from __future__ import annotations

import gc
import logging
import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any, Final

from corpus_commons.terminal.silence import without_lines

# TF_CPP_MIN_LOG_LEVEL does not suppress what is logged while the library is loaded.
_NOISE: Final = re.compile(rb"WARNING: All log messages before absl::|I0000 ")
_BFLOAT16: Final = frozenset({"avx512_bf16", "amx_bf16"})
_log = logging.getLogger("genre_model")


def tensorflow(threads: int | None = None) -> Any:
    """The module ``tensorflow``, with Keras set to use it.

    threads: for the operations of a network; None for TensorFlow's default (all cores). It applies
        to the whole process, and only before the first operation; later, another number has no
        effect but a warning.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("KERAS_BACKEND", "tensorflow")
    with _without_collections(), _without("sklearn"), without_lines(_NOISE):
        module = import_module("tensorflow")
    module.get_logger().setLevel("ERROR")
    if threads is not None:
        _limit(module.config.threading, threads)
    return module


def for_prediction(module: Any) -> None:
    """Let networks compute in bfloat16 from now on, in the whole process, where this is faster.

    On a processor with such instructions it takes two thirds of the time. Elsewhere TensorFlow
    would imitate them, which is slower, or fail, if ONEDNN_MAX_CPU_ISA forbids them. Logits differ
    by less than 0.1.
    """
    if "ONEDNN_MAX_CPU_ISA" not in os.environ and _BFLOAT16.intersection(_processor_flags()):
        module.config.optimizer.set_experimental_options(
            {"auto_mixed_precision_onednn_bfloat16": True}
        )


def for_training() -> None:
    """Load Keras' backend, TensorFlow unless KERAS_BACKEND names another, and prevent crashes.

    To be called before the first operation of this process.
    In the backward pass, oneDNN's AVX-512 kernels of TensorFlow 2.21 write out of bounds (seen on
    AMD Zen 5); the AVX2 kernels take a seventh longer. ONEDNN_MAX_CPU_ISA overrides this.
    """
    os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX2")
    if os.environ.get("KERAS_BACKEND", "tensorflow") == "tensorflow":
        tensorflow()


def _processor_flags() -> frozenset[str]:
    """What the processor can do, as far as Linux tells."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("flags"):
                return frozenset(line.partition(":")[2].split())
    return frozenset()


@contextmanager
def _without_collections() -> Iterator[None]:
    """Disable garbage collection, as imports create hardly any garbage; saves 0.5 of 3.9 s."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@contextmanager
def _without(package: str) -> Iterator[None]:
    """Prevent the import of the package, in this thread and in this block.

    If scikit-learn is installed, Keras imports it for wrappers that are not used here, which costs
    0.9 of 3.9 s and 60 MB.
    """
    finder = _Refusing(package, threading.get_ident())
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _Refusing(MetaPathFinder):
    def __init__(self, package: str, thread: int) -> None:
        self._package = package
        self._thread = thread

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        if fullname == self._package and threading.get_ident() == self._thread:
            raise ModuleNotFoundError(f"{fullname} is not wanted here", name=fullname)


def _limit(settings: Any, threads: int) -> None:
    """At most ``threads`` threads: operations run one after another, each on all of them."""
    try:
        settings.set_intra_op_parallelism_threads(threads)
        settings.set_inter_op_parallelism_threads(1)
    except RuntimeError:
        has = settings.get_intra_op_parallelism_threads()
        if has != threads:
            _log.warning(
                "TensorFlow is already running: it keeps its %d threads instead of %d", has, threads
            )
