"""``python -m crawler``: running a job in this process, from its arguments to its exit code."""
