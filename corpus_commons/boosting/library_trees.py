"""Prediction with boosted trees through LightGBM's C interface.

``import lightgbm`` takes more than a second, most of it for scikit-learn and pandas, which
prediction does not need. The interface is documented and stable:
https://lightgbm.readthedocs.io/en/stable/C-API.html
"""

from __future__ import annotations

import ctypes
import logging
import weakref
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import numpy.typing as npt

_log = logging.getLogger(__name__)

_FLOAT32, _NORMAL_PREDICTION, _ROW_MAJOR = 0, 0, 1
_PARAMETERS = b"num_threads=1"
_TREES_A_LOOK = 20
_LIBRARY_NAMES = ("lib_lightgbm.so", "lib_lightgbm.dylib", "lib_lightgbm.dll")


class LibraryTrees:
    """A model in LightGBM's text format; see ``Booster`` for the arguments."""

    def __init__(self, model: str, *, margin: float | None = None) -> None:
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
        """The outputs for every row, (rows, outputs). rows: contiguous."""
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
        return result.reshape(len(rows), self.outputs)


@cache
def has_library() -> bool:
    """Whether LightGBM is installed and can be loaded."""
    try:
        _library()
    except ImportError:
        return False
    except OSError as error:
        # GCC's OpenMP is missing in slim images.
        _log.warning("LightGBM cannot be loaded, prediction takes longer without it: %s", error)
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
