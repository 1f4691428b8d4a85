"""EfficientNet-Lite0, and the ImageNet weights that a package bundles in PyTorch's format."""

from __future__ import annotations

import io
import pickle
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from sklearn.datasets import load_sample_image

from genre_model.commands import main
from genre_model.network import efficientnet_lite
from genre_model.network.backbones import build
from genre_model.network.lite0_checkpoint import bundled_weights, import_lite0
from genre_model.network.torch_checkpoint import read_state_dict
from genre_model.network.weights import WeightsError

MAGIC = 0x1950A86A20F9469CFC6C
PALACE, DAISY = 698, 985


class Storage:
    """What a pickle of a tensor refers to; the numbers follow later in the file."""

    def __init__(self, key: str, kind: str = "FloatStorage") -> None:
        self.key = key
        self.kind = kind


class Tensor:
    """Pickled as PyTorch pickles its own."""

    def __init__(self, storage: Storage, offset: int, size: tuple, stride: tuple) -> None:
        self.state = storage, offset, size, stride

    def __reduce__(self) -> tuple:
        return Global("torch._utils", "_rebuild_tensor_v2"), (*self.state, False, OrderedDict())


class Global:
    def __init__(self, module: str, name: str) -> None:
        self.__module__ = module
        self.__qualname__ = self.__name__ = name

    def __call__(self) -> None:
        """A pickle calls it."""


class Pickler(pickle._Pickler):  # the one in C wants to find what it names
    def save_global(self, its: Global, name: str | None = None) -> None:
        self.write(f"c{its.__module__}\n{its.__qualname__}\n".encode())
        self.memoize(its)

    def save(self, its: object, save_persistent_id: bool = True) -> None:
        if isinstance(its, Global):
            return self.save_global(its)
        return super().save(its, save_persistent_id)

    def persistent_id(self, its: object) -> tuple | None:
        if isinstance(its, Storage):
            return "storage", Global("torch", its.kind), its.key, "cpu", 0, None
        return None


def saved(
    path: Path, state: Mapping[str, object], storages: Mapping[str, np.ndarray], magic: int = MAGIC
) -> Path:
    """A file in PyTorch's former format."""
    file = io.BytesIO()
    for part in (magic, 1001, {"little_endian": True}, OrderedDict(state), [*storages]):
        Pickler(file, protocol=2).dump(part)
    for numbers in storages.values():
        file.write(len(numbers).to_bytes(8, "little") + numbers.tobytes())
    path.write_bytes(file.getvalue())
    return path


class TestStateDict:
    numbers = np.arange(12, dtype="<f4")

    def test_tensors_are_parts_of_storages_in_any_order(self, tmp_path: Path) -> None:
        state = {
            "rows": Tensor(Storage("7"), 0, (3, 4), (4, 1)),
            "columns": Tensor(Storage("7"), 1, (4, 2), (1, 4)),
            "count": Tensor(Storage("8", "LongStorage"), 0, (), ()),
        }
        storages = {"7": self.numbers, "8": np.array([5], "<i8")}
        arrays = read_state_dict(saved(tmp_path / "a.pth", state, storages))
        np.testing.assert_array_equal(arrays["rows"], self.numbers.reshape(3, 4))
        np.testing.assert_array_equal(arrays["columns"], [[1, 5], [2, 6], [3, 7], [4, 8]])
        assert arrays["count"] == 5

    @pytest.mark.parametrize(
        ("offset", "size", "stride"),
        [(1, (3, 4), (4, 1)), (0, (2,), (12,)), (-1, (2,), (1,)), (3, (2,), (-1,))],
    )
    def test_no_tensor_reaches_beyond_its_storage(
        self, tmp_path: Path, offset: int, size: tuple[int, ...], stride: tuple[int, ...]
    ) -> None:
        state = {"a": Tensor(Storage("7"), offset, size, stride)}
        path = saved(tmp_path / "a.pth", state, {"7": self.numbers})
        with pytest.raises(WeightsError, match="beyond its storage"):
            read_state_dict(path)

    def test_nothing_else_is_called(self, tmp_path: Path) -> None:
        class Harm:
            def __reduce__(self) -> tuple:
                return Global("os", "system"), (f"touch {tmp_path / 'harm'}",)

        path = saved(tmp_path / "a.pth", {"a": Harm()}, {})
        with pytest.raises(WeightsError, match=r"os\.system is no part of a tensor"):
            read_state_dict(path)
        assert not (tmp_path / "harm").exists()

    @pytest.mark.parametrize("kept", [0, 10, -8])
    def test_a_file_that_ends_early_is_refused(self, tmp_path: Path, kept: int) -> None:
        state = {"a": Tensor(Storage("7"), 0, (12,), (1,))}
        path = saved(tmp_path / "a.pth", state, {"7": self.numbers})
        path.write_bytes(path.read_bytes()[:kept])
        with pytest.raises(WeightsError, match=r"a\.pth is not a state dict"):
            read_state_dict(path)

    def test_another_pickle_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(WeightsError, match="magic number"):
            read_state_dict(saved(tmp_path / "a.pth", {}, {}, magic=1))


def test_a_page_of_any_size_becomes_a_map_a_32nd_as_large() -> None:
    model = build(efficientnet_lite.NAME, (320, 160, 3))
    assert model.output_shape == (None, 10, 5, efficientnet_lite.FEATURES)


def test_the_imported_network_knows_a_palace_and_a_daisy(tmp_path: Path) -> None:
    """Two photographs that scikit-learn bundles, and the classifier of ImageNet's 1,000 classes."""
    import_lite0(bundled_weights(), tmp_path / "lite0.npz")
    model = build(efficientnet_lite.NAME, weights=tmp_path / "lite0.npz")
    state = read_state_dict(bundled_weights())
    for name, known in (("china.jpg", PALACE), ("flower.jpg", DAISY)):
        photograph = Image.fromarray(load_sample_image(name)).resize((341, 256))
        pixels = np.asarray(photograph.crop((58, 16, 282, 240)), np.float32)
        features = np.asarray(model(pixels[None])).mean(axis=(1, 2))[0]
        assert (state["_fc.weight"] @ features + state["_fc.bias"]).argmax() == known


def test_weights_of_another_network_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = {"_conv_stem.weight": Tensor(Storage("7"), 0, (12,), (1,))}
    path = saved(tmp_path / "a.pth", state, {"7": np.zeros(12, "<f4")})
    assert main(["import-lite0", str(path), "--out", str(tmp_path / "out.npz")]) == 2
    assert "_conv_stem.weight" in capsys.readouterr().err
    assert not (tmp_path / "out.npz").exists()
