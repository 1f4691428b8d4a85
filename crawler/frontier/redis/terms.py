"""What the worker that joined last has set for all workers of a job."""

from __future__ import annotations

import logging

_log = logging.getLogger(__name__)


class Terms:
    """The lifetime of leases, and whether the job's scope still is this worker's.

    scope: this worker's, as a digest; "" if unknown, which matches any.
    """

    def __init__(self, job: str, scope: str, lease_seconds: float) -> None:
        self._job = job
        self._scope = scope
        self.lease_seconds = lease_seconds
        self.has_new_scope = False

    def note_scope(self, scope: str) -> None:
        """Compare the job's scope, which comes with each lease, and log a change."""
        is_new = bool(scope and self._scope) and scope != self._scope
        if is_new and not self.has_new_scope:
            _log.warning(
                "a worker has joined the job %s with another scope or other seeds, which now apply "
                "to all workers; this one stops, restart it with the new job file",
                self._job,
            )
        self.has_new_scope = is_new


def warn_about_former_scope(job: str, urls: int) -> None:
    """Warn a user who may not know that a job of this name exists."""
    _log.warning(
        "the job %s already exists, with another scope or other seeds; of its %d URLs that are not "
        "done, those outside the new scope will be skipped, and workers with the old scope stop; "
        "if you meant another job, stop this worker and give its job another name",
        job,
        urls,
    )
