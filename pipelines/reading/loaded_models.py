"""Loads what page workers need, when it is imported: they are forks of a process that does.

A job's methods, if they are others, are loaded by each worker, which can tell what is wrong.
"""

from __future__ import annotations

import gc
from contextlib import suppress

from pipelines.reading.page_reader import PageReader

with suppress(Exception):
    PageReader().warm()
# A collection in a fork would write to each object, and so copy all of them.
gc.collect()
gc.freeze()
