"""``python -m crawler``; see ``crawler.commands.command_line``, which takes a moment to load."""

from __future__ import annotations

import sys

from crawler.commands.startup import make_ready

if __name__ == "__main__":
    make_ready()
    from crawler.commands.command_line import main

    sys.exit(main())
