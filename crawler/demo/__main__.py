"""``python -m crawler.demo --port 8000`` serves the demo site until Ctrl-C or SIGTERM."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from pathlib import Path

from crawler.demo import DemoSite, Timings


def main() -> int:
    """Serve until interrupted; returns the exit code, 2 for an unusable address."""
    parser = argparse.ArgumentParser(prog="python -m crawler.demo", description=__doc__)
    parser.add_argument(
        "--port", type=int, default=8000, help="0 for any free one (default: %(default)s)"
    )
    parser.add_argument(
        "--address",
        action="append",
        help="a loopback address; may be repeated to serve several hosts (default: 127.0.0.1)",
    )
    parser.add_argument(
        "--log", type=Path, help="append the access log to this file, as JSON Lines"
    )
    parser.add_argument(
        "--slow",
        type=float,
        default=Timings.slow,
        help="response time of the slow page in seconds (default: %(default)s)",
    )
    parser.add_argument(
        "--crawl-delay",
        type=float,
        default=Timings.crawl_delay,
        help="the Crawl-delay in robots.txt, in seconds (default: %(default)s)",
    )
    arguments = parser.parse_args()
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    timings = Timings(slow=arguments.slow, crawl_delay=arguments.crawl_delay)
    addresses = tuple(arguments.address or ("127.0.0.1",))
    try:
        with DemoSite(
            port=arguments.port, addresses=addresses, log=arguments.log, timings=timings
        ) as site:
            print(site.base, flush=True)
            ended.wait()
    except (OSError, OverflowError, ValueError) as error:
        sys.stderr.write(f"python -m crawler.demo: port {arguments.port}: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
