"""Signals that come while the program is still being loaded, and streams that are not there."""

# ruff: noqa: S603  # our own program

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from fleet_worker import job_file
from loaded_program import ROOT
from small_web import PAGE, Web

from crawler.commands.startup import NOT_BEGUN
from crawler.exit_codes import ExitCode


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_it_is_loaded_stops_it_in_order(
    number: signal.Signals, tmp_path: Path
) -> None:
    job = job_file(tmp_path, outputs=f'folder = "{tmp_path}/out"')
    command = [sys.executable, "-X", "importtime", "-m", "crawler", "run", job]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        # One of the first that are loaded behind the first step, and far from the last.
        next(line for line in process.stderr if line.split()[-1] == "argparse")
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == ExitCode.STOPPED
    assert "Traceback" not in errors
    assert errors.endswith(f"{NOT_BEGUN}\n")


def test_a_crawl_needs_no_standard_error(tmp_path: Path) -> None:
    with Web() as web:
        web.answers = {"/": (200, {}, PAGE)}
        job = job_file(
            tmp_path,
            [f"{web.base}/"],
            outputs=f'folder = "{tmp_path}/o"',
            limits="processes = 1",
        )
        command = [sys.executable, "-m", "crawler", "run", job]
        closed = ["sh", "-c", 'exec "$@" 2>&-', "sh", *command]
        done = subprocess.run(closed, cwd=ROOT, stdout=subprocess.PIPE, timeout=100, check=False)
    assert done.returncode == ExitCode.FINISHED
    assert b"finished: every URL is done" in done.stdout
