"""What libraries write below Python is kept off standard error, and nothing else is."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading

import pytest

from corpus_commons.terminal.silence import without_lines


def test_unwanted_lines_are_left_out_and_others_pass(capfd: pytest.CaptureFixture[str]) -> None:
    with without_lines(re.compile(rb"I0000 ")):
        os.write(2, b"I0000 noise\nnot I0000 noise\n")
        subprocess.run(["sh", "-c", "echo I0000 a child >&2; echo a child >&2"], check=True)  # noqa: S607
        sys.stderr.write("of Python\n")
    os.write(2, b"I0000 afterwards\n")
    lines = capfd.readouterr().err.splitlines()
    # Python's own text does not go through the pipe, and may be ahead of what does.
    assert sorted(lines) == ["I0000 afterwards", "a child", "not I0000 noise", "of Python"]


def test_where_no_thread_can_be_had_standard_error_stays_as_it_was(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(RuntimeError), without_lines(re.compile(rb"x")):
        pass
    os.write(2, b"afterwards\n")
    assert capfd.readouterr().err == "afterwards\n"


def test_a_process_that_outlives_it_can_still_write(capfd: pytest.CaptureFixture[str]) -> None:
    with without_lines(re.compile(rb"x")):
        late = subprocess.Popen(["sh", "-c", "sleep 0.4; echo late >&2"])  # noqa: S607
    assert late.wait(10) == 0
    found = ""
    while "late" not in found:
        found += capfd.readouterr().err


@pytest.mark.parametrize(
    "code",
    [
        "from genre_model.network.tensorflow_runtime import tensorflow; tensorflow()",
        "import extraction.methods.web2text.network",
    ],
)
def test_tensorflow_is_a_quiet_guest(code: str) -> None:
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("", "")
