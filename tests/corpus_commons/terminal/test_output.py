"""Standard output that nobody takes is no reason to end, and leaves nothing to stumble over."""

from __future__ import annotations

import subprocess
import sys

import pytest
from unread import full, unread

# More than one buffer, or too little to be written before the end.
SIZES = (1, 10_000_000)


def program(code: str, stdout: int) -> tuple[int, str]:
    """The exit code and standard error of a program that writes to ``stdout``."""
    done = subprocess.run(  # noqa: S603 - our own program
        [
            sys.executable,
            "-c",
            f"import sys\nfrom corpus_commons.terminal.console import *\n"
            f"from corpus_commons.terminal.output import *\n{code}\nsys.exit(7)",
        ],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("size", SIZES)
def test_where_the_reader_has_gone_the_program_goes_on_behind_the_block(size: int) -> None:
    code = f"""
with standard_output() as out:
    out.write("a" * {size})
with standard_output() as out:
    out.write("b")
    sys.stderr.write("on")"""
    with unread() as stdout:
        assert program(code, stdout) == (7, "on")


def test_so_it_does_behind_what_rich_prints() -> None:
    code = "with standard_output():\n    OutputConsole().print('a')\nsys.stderr.write('on')"
    with unread() as stdout:
        assert program(code, stdout) == (7, "on")


@pytest.mark.parametrize("size", SIZES)
def test_a_full_disk_is_told_once(size: int) -> None:
    code = f"""
try:
    with standard_output() as out:
        out.write("a" * {size})
except OutputError as error:
    sys.stderr.write(str(error))"""
    with full() as stdout:
        assert program(code, stdout) == (7, "standard output: No space left on device")


def test_another_error_of_the_block_is_no_error_of_the_output() -> None:
    code = """
try:
    with standard_output():
        open("/no/such/file")
except FileNotFoundError as error:
    sys.stderr.write(error.filename)"""
    assert program(code, subprocess.DEVNULL) == (7, "/no/such/file")


def test_a_process_may_have_no_output_at_all() -> None:
    code = "sys.stdout = None\nwith standard_output() as out:\n    out.buffer.write(b'a')"
    assert program(code, subprocess.DEVNULL) == (7, "")
