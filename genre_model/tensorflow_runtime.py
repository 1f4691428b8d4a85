"""TensorFlow, imported when it is needed: quickly, and as a quiet guest of the process."""

from __future__ import annotations

import gc
import logging
import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import MetaPathFinder
from typing import Any, Final

from terminal.silence import without_lines

# TF_CPP_MIN_LOG_LEVEL does not reach what is logged while the library is loaded.
_NOISE: Final = re.compile(rb"WARNING: All log messages before absl::|I0000 ")
_log = logging.getLogger("genre_model")


def tensorflow(threads: int | None = None) -> Any:
    """The module ``tensorflow``, with Keras set to run on it.

    threads: for the operations of a network; None leaves the choice to TensorFlow (all cores).
    It holds for the whole process, and only before the first operation has run; later another
    number is logged as a warning and has no effect.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("KERAS_BACKEND", "tensorflow")
    with _without_collections(), _without("sklearn"), without_lines(_NOISE):
        module = import_module("tensorflow")
    module.get_logger().setLevel("ERROR")
    if threads is not None:
        _limit(module.config.threading, threads)
    return module


def for_training() -> None:
    """Keep this process, before its first operation, from what crashes when networks are trained.

    oneDNN's AVX-512 kernels of TensorFlow 2.21 write where they must not in the backward pass
    (seen on AMD Zen 5); those of AVX2 take a seventh more time. ONEDNN_MAX_CPU_ISA overrules it.
    """
    os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX2")


@contextmanager
def _without_collections() -> Iterator[None]:
    """No garbage collection: an import makes much and drops little. Saves 0.5 of 3.9 s."""
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
    """In this thread, and here only, the package cannot be imported.

    Keras imports scikit-learn where it is installed, for wrappers that are not used here: 0.9 of
    3.9 s and 60 MB.
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
    """At most ``threads`` at work: operations run one after another, each on all of them."""
    try:
        settings.set_intra_op_parallelism_threads(threads)
        settings.set_inter_op_parallelism_threads(1)
    except RuntimeError:
        has = settings.get_intra_op_parallelism_threads()
        if has != threads:
            _log.warning(
                "TensorFlow runs already: its %d threads stay, %d were asked for", has, threads
            )
