"""Where no more threads can be had, a crawl says so instead of waiting for them."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from crawler.commands import runner
from crawler.exit_codes import ExitCode
from settings import parse_job

# With such stacks, each thread takes a third of the address space that is left.
PROGRAM = """
import resource, threading
from twisted.internet import reactor
from crawler.crawl.threads import start_threads
from crawler.exit_codes import CrawlError

def start():
    try:
        start_threads({spare})
    except CrawlError as error:
        print(error)
    print([thread.name for thread in threading.enumerate() if thread.name == "spare"])
    reactor.stop()

used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 3 * 2**28, -1))
threading.stack_size(2**28)
reactor.suggestThreadPoolSize({size})
reactor.callWhenRunning(start)
reactor.run()
"""


ADVICE = "raise the limit of processes (ulimit -u), or that of the container (pids)"


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
@pytest.mark.parametrize(("size", "spare"), [(5, 0), (1, 5)])
def test_a_lack_of_threads_ends_it_with_advice(size: int, spare: int) -> None:
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", PROGRAM.format(size=size, spare=spare)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"can't start new thread; {ADVICE}\n[]\n"
    assert done.stderr == ""


def test_a_thread_that_is_not_to_be_had_before_the_crawl_is_told_in_the_same_way(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    job = parse_job('name = "x"\n[seeds]\nurls = ["http://localhost:1/"]', folder=tmp_path)
    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert runner.run(job, runner.project_settings({})) is ExitCode.USAGE
    assert capsys.readouterr().err == f"can't start new thread; {ADVICE}\n"
