"""How TensorFlow is set up."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from genre_model.network import tensorflow_runtime
from genre_model.network.tensorflow_runtime import for_prediction


@pytest.mark.parametrize(
    ("flags", "limit", "faster"),
    [
        ({"avx2", "avx512_bf16"}, None, True),
        ({"amx_bf16"}, None, True),
        ({"avx2", "avx512f"}, None, False),
        ({"avx512_bf16"}, "AVX2", False),
        (set(), None, False),
    ],
)
def test_half_the_precision_is_used_where_the_processor_has_it(
    monkeypatch: pytest.MonkeyPatch, flags: set[str], limit: str | None, faster: bool
) -> None:
    options: dict[str, bool] = {}
    optimizer = SimpleNamespace(set_experimental_options=options.update)
    module = SimpleNamespace(config=SimpleNamespace(optimizer=optimizer))
    monkeypatch.setattr(tensorflow_runtime, "_processor_flags", lambda: frozenset(flags))
    monkeypatch.delenv("ONEDNN_MAX_CPU_ISA", raising=False)
    if limit:
        monkeypatch.setenv("ONEDNN_MAX_CPU_ISA", limit)
    for_prediction(module)
    assert bool(options) == faster
