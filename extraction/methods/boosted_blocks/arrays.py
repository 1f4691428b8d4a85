"""The types of arrays of numbers: what is measured has single precision, what follows from it
double.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Singles = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]
# Two-dimensional: the features of blocks or pages, as trees read them.
Rows = npt.NDArray[np.float32]
