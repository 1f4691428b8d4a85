"""``corpus extract-warc`` and ``corpus build``; modules load their libraries when they are run."""

import os

# The bars of datatrove, which are decided on when it is imported, would disturb ours.
os.environ.setdefault("TQDM_DISABLE", "1")
