"""Reads a state dict that PyTorch saved in its former format, without PyTorch.

The format, see `_legacy_save` in `torch/serialization.py`: three pickles of a magic number, a
version and the machine; a pickle of the dict, whose tensors refer to storages by key; a pickle of
the list of keys; then each storage, as a count of 8 bytes and its numbers, little-endian. The
pickles may name nothing but what builds tensors, so nothing in a file is executed.
"""

from __future__ import annotations

import pickle
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from genre_model.network.weights import WeightsError

_MAGIC: Final = 0x1950A86A20F9469CFC6C
_TYPES: Final[Mapping[str, str]] = {
    "DoubleStorage": "<f8",
    "FloatStorage": "<f4",
    "HalfStorage": "<f2",
    "LongStorage": "<i8",
    "IntStorage": "<i4",
}


class _Storage(NamedTuple):
    key: str
    dtype: str


class _Tensor(NamedTuple):
    """offset, stride: counted in numbers, not bytes."""

    storage: _Storage
    offset: int
    size: Sequence[int]
    stride: Sequence[int]

    @classmethod
    def rebuilt(
        cls, storage: _Storage, offset: int, size: Sequence[int], stride: Sequence[int], *_: object
    ) -> _Tensor:
        """The call that the pickle makes; the rest is about gradients."""
        return cls(storage, offset, size, stride)

    def of(self, numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """A copy of the tensor's part of its storage."""
        reach = sum(
            (length - 1) * step for length, step in zip(self.size, self.stride, strict=True)
        )
        if 0 in self.size:
            return np.zeros(self.size, numbers.dtype)
        if min(self.offset, *self.stride, 0) < 0 or self.offset + reach >= len(numbers):
            raise ValueError("a tensor reaches beyond its storage")
        steps = [step * numbers.itemsize for step in self.stride]
        view = np.lib.stride_tricks.as_strided(numbers[self.offset :], self.size, steps)
        return view.copy()


def read_state_dict(path: Path) -> dict[str, npt.NDArray[Any]]:
    """The arrays by name. Raises WeightsError for any other file."""
    try:
        with path.open("rb") as file:
            return _read(file)
    except Exception as error:  # a broken pickle raises whatever its instructions lead to
        raise WeightsError(f"{path} is not a state dict that PyTorch saved: {error}") from error


def _read(file: IO[bytes]) -> dict[str, npt.NDArray[Any]]:
    magic, _version, _machine, state, keys = (_Unpickler(file).load() for _ in range(5))
    if magic != _MAGIC:
        raise ValueError("it does not begin with the magic number")
    if not all(isinstance(tensor, _Tensor) for tensor in state.values()):
        raise ValueError("it holds something else than tensors")
    dtypes = {tensor.storage.key: tensor.storage.dtype for tensor in state.values()}
    storages = {key: _numbers(file, dtypes[key]) for key in keys}
    return {name: tensor.of(storages[tensor.storage.key]) for name, tensor in state.items()}


def _numbers(file: IO[bytes], dtype: str) -> npt.NDArray[Any]:
    count = int.from_bytes(file.read(8), "little")
    content = file.read(count * np.dtype(dtype).itemsize)
    numbers = np.frombuffer(content, dtype)
    if len(numbers) != count:
        raise ValueError("it ends early")
    return numbers


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return _Tensor.rebuilt
        if module == "torch" and name in _TYPES:
            return _TYPES[name]
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a tensor")

    def persistent_load(self, reference: Any) -> _Storage:
        _kind, dtype, key, *_ = reference
        return _Storage(key, dtype)
