"""``corpus extract-warc`` and ``corpus build``; modules load their libraries when they are run."""
