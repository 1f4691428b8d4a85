"""Screenshots become windows of fixed size; what is not a picture is refused."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from genre_model import screenshot
from genre_model.screenshot import PADDING, ScreenshotError, decode, decode_top


def picture(width: int, height: int, kind: str = "PNG", mode: str = "RGB") -> bytes:
    """The top half red, the bottom half blue."""
    image = Image.new("RGB", (width, height), "blue")
    image.paste("red", (0, 0, width, height // 2))
    data = io.BytesIO()
    image.convert(mode).save(data, kind)
    return data.getvalue()


def test_the_page_is_scaled_by_its_width_and_cut_below() -> None:
    window = decode(picture(1280, 3840), 160, 320)
    assert window.shape == (320, 160, 3)
    assert window[:239, :, 0].min() > 250  # 1,920 of 3,840 px are red: 240 of 480 rows
    assert window[241:, :, 2].min() > 250


def test_a_short_page_is_padded_not_stretched() -> None:
    window = decode(picture(1280, 1024), 160, 320)
    assert (window[128:] == PADDING).all()
    assert window[63, 0].tolist() == [255, 0, 0]
    assert len(decode_top(picture(1280, 1024), 160, 320)) == 128


@pytest.mark.parametrize(
    ("kind", "mode"), [("JPEG", "L"), ("JPEG", "CMYK"), ("PNG", "RGBA"), ("PNG", "P"), ("PNG", "1")]
)
def test_every_colour_mode_becomes_rgb(kind: str, mode: str) -> None:
    assert decode(picture(64, 64, kind, mode), 32, 32).shape == (32, 32, 3)


def test_a_quarter_of_a_jpeg_is_nearly_the_screenshot_at_a_quarter() -> None:
    rng = np.random.default_rng(0)
    page = Image.fromarray(rng.integers(0, 255, (60, 80, 3), dtype=np.uint8)).resize((1280, 960))
    large, small = io.BytesIO(), io.BytesIO()
    page.save(large, "JPEG", quality=95)
    page.resize((320, 240), Image.Resampling.BOX).save(small, "JPEG", quality=95)
    windows = [decode(data.getvalue(), 160, 128).astype(int) for data in (large, small)]
    assert np.abs(windows[0] - windows[1]).mean() < 3


@given(st.integers(1, 200), st.integers(1, 200), st.integers(1, 64), st.integers(1, 64))
def test_any_size_fits_any_window(width: int, height: int, columns: int, rows: int) -> None:
    assert decode(picture(width, height), columns, rows).shape == (rows, columns, 3)


@given(st.binary(max_size=200))
def test_any_bytes_are_handled(data: bytes) -> None:
    for start in (b"", b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"GIF89a"):
        with pytest.raises(ScreenshotError):
            decode(start + data, 32, 32)


def test_other_formats_and_cut_files_are_refused() -> None:
    gif = picture(32, 32, "GIF")
    for data in (gif, picture(64, 64)[:-40], picture(64, 64, "JPEG")[:300]):
        with pytest.raises(ScreenshotError, match="not a readable JPEG or PNG"):
            decode(data, 32, 32)


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
def test_a_small_file_with_too_many_pixels_is_refused_undecoded() -> None:
    bomb = io.BytesIO()
    Image.new("1", (20_000, 8_000)).save(bomb, "PNG")
    with pytest.raises(ScreenshotError, match="has 20000 x 8000 pixels"):
        decode(bomb.getvalue(), 32, 32)


def test_too_many_bytes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screenshot, "MAX_SCREENSHOT", 100)
    with pytest.raises(ScreenshotError, match="more than 100"):
        decode(picture(64, 64), 32, 32)
