"""Where no more threads can be had, a crawl says so instead of waiting for them."""

from __future__ import annotations

import subprocess
import sys

import pytest

# With such stacks, each thread takes a third of the address space that is left.
PROGRAM = """
import resource, threading
from twisted.internet import reactor
from crawler.crawl.threads import start_threads
from crawler.exit_codes import CrawlError

def start():
    try:
        start_threads()
    except CrawlError as error:
        print(error)
    reactor.stop()

used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 3 * 2**28, -1))
threading.stack_size(2**28)
reactor.suggestThreadPoolSize(5)
reactor.callWhenRunning(start)
reactor.run()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_a_lack_of_threads_ends_it_with_advice() -> None:
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    advice = "raise the limit of processes (ulimit -u), or that of the container (pids)"
    assert done.stdout == f"can't start new thread; {advice}\n"
    assert done.stderr == ""
