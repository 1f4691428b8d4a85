"""A terminal that closes stops what it has started in order, unless ``nohup`` forbids it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import signal
from corpus_commons.hangup import stop_at_hangup
signal.signal(signal.SIGHUP, getattr(signal, {before!r}))
signal.signal(signal.SIGTERM, lambda *_: print("stopped"))
stop_at_hangup()
for _ in range(2):
    signal.raise_signal(signal.SIGHUP)
"""


@pytest.mark.parametrize(("before", "printed"), [("SIG_DFL", "stopped\n"), ("SIG_IGN", "")])
def test_it_is_one_sigterm_however_often_it_comes(before: str, printed: str) -> None:
    program = PROGRAM.format(before=before)
    ended = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True
    )
    assert ended.stdout == printed


ON_TERMINAL = """
import os, signal, sys
from pathlib import Path
from corpus_commons.hangup import stop_at_hangup

os.login_tty(int(sys.argv[1]))

def stop(*_):
    print("to nobody", flush=True)
    Path(sys.argv[2]).touch()
    sys.exit(3)

signal.signal(signal.SIGTERM, stop)
stop_at_hangup()
print("ready", flush=True)
signal.pause()
"""


def test_what_is_written_to_the_closed_terminal_goes_nowhere(tmp_path: Path) -> None:
    terminal, theirs = os.openpty()
    arguments = [str(theirs), str(tmp_path / "stopped")]
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", ON_TERMINAL, *arguments], pass_fds=[theirs]
    ) as process:
        os.close(theirs)
        assert os.read(terminal, 100).startswith(b"ready")
        os.close(terminal)
    assert process.returncode == 3
    assert (tmp_path / "stopped").exists()
