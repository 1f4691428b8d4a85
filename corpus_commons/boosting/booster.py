"""Prediction with boosted trees, through LightGBM's C interface.

``import lightgbm`` takes more than a second, most of it for scikit-learn and pandas, which
prediction does not need. The interface is documented and stable:
https://lightgbm.readthedocs.io/en/stable/C-API.html
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import numpy.typing as npt

_FLOAT32, _NORMAL_PREDICTION, _ROW_MAJOR = 0, 0, 1
_FIRST_TREE, _ALL_TREES, _BY_SPLITS = 0, -1, 0
_PARAMETERS = b"num_threads=1"
_TREES_A_LOOK = 20
_LIBRARY_NAMES = ("lib_lightgbm.so", "lib_lightgbm.dylib", "lib_lightgbm.dll")


class Booster:
    """A model in LightGBM's text format.

    margin: early stopping, for binary models: no more trees are evaluated for a row once its log
        odds exceed the margin, in either direction. By default all trees are evaluated.
    outputs: the number of values per row: 1, or the number of classes.
    Raises ValueError for text that is not a model.
    """

    def __init__(self, model: str, *, margin: float | None = None) -> None:
        self._margin = margin
        self._parameters = _PARAMETERS if margin is None else _early_stop(margin)
        self._handle = ctypes.c_void_p()
        _check(
            _library().LGBM_BoosterLoadModelFromString(
                model.encode(), ctypes.byref(ctypes.c_int()), ctypes.byref(self._handle)
            )
        )
        weakref.finalize(self, _library().LGBM_BoosterFree, self._handle)
        outputs = ctypes.c_int()
        _check(_library().LGBM_BoosterGetNumClasses(self._handle, ctypes.byref(outputs)))
        self.outputs = outputs.value

    def predict(self, rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """The outputs for every row: (rows,), or (rows, outputs) if there are several."""
        rows = np.ascontiguousarray(rows, dtype=np.float32)
        result = np.empty(len(rows) * self.outputs, dtype=np.float64)
        _check(
            _library().LGBM_BoosterPredictForMat(
                self._handle,
                rows.ctypes.data_as(ctypes.c_void_p),
                _FLOAT32,
                ctypes.c_int32(rows.shape[0]),
                ctypes.c_int32(rows.shape[1]),
                _ROW_MAJOR,
                _NORMAL_PREDICTION,
                0,
                -1,
                self._parameters,
                ctypes.byref(ctypes.c_int64()),
                result.ctypes.data_as(ctypes.POINTER(ctypes.c_double)),
            )
        )
        return result if self.outputs == 1 else result.reshape(len(rows), self.outputs)

    def __reduce__(self) -> tuple[Callable[[str], Booster], tuple[str]]:
        # The trees are in the library's memory; it can write them in the format that it reads.
        return partial(type(self), margin=self._margin), (self._text(),)

    def _text(self) -> str:
        length = ctypes.c_int64()

        def write(buffer: ctypes.Array[ctypes.c_char]) -> None:
            _check(
                _library().LGBM_BoosterSaveModelToString(
                    self._handle,
                    _FIRST_TREE,
                    _ALL_TREES,
                    _BY_SPLITS,
                    ctypes.c_int64(len(buffer)),
                    ctypes.byref(length),
                    buffer,
                )
            )

        # The first call only returns the length.
        write(ctypes.create_string_buffer(1))
        text = ctypes.create_string_buffer(length.value)
        write(text)
        return text.value.decode()


def has_library() -> bool:
    """Whether LightGBM's library can be loaded; it needs GCC's OpenMP, which slim images lack."""
    try:
        _library()
    except OSError:
        return False
    return True


def _early_stop(margin: float) -> bytes:
    # LightGBM's margin is the difference between the log odds of both classes, which is twice this.
    stop = f"pred_early_stop=true pred_early_stop_freq={_TREES_A_LOOK}"
    return _PARAMETERS + f" {stop} pred_early_stop_margin={2 * margin}".encode()


@cache
def _library() -> ctypes.CDLL:
    package = find_spec("lightgbm")
    if package is None or not package.submodule_search_locations:
        raise ImportError("lightgbm is not installed; pip install lightgbm")
    folder = Path(package.submodule_search_locations[0]) / "lib"
    file = next((folder / name for name in _LIBRARY_NAMES if (folder / name).exists()), None)
    if file is None:
        raise ImportError(f"no LightGBM library in {folder}")
    library = ctypes.CDLL(str(file))
    library.LGBM_GetLastError.restype = ctypes.c_char_p
    return library


def _check(status: int) -> None:
    if status:
        raise ValueError(f"LightGBM: {_library().LGBM_GetLastError().decode()}")
