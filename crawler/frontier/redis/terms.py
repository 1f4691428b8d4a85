"""What whoever joined last has brought for all workers of a job."""

from __future__ import annotations

import logging

_log = logging.getLogger(__name__)


class Terms:
    """What a worker is told with its leases: how long they live, and whether the job has another
    scope than this worker.

    scope: this worker's, as a digest; "" where it is not known, which differs from none.
    """

    def __init__(self, job: str, scope: str, lease_seconds: float) -> None:
        self._job = job
        self._scope = scope
        self.lease_seconds = lease_seconds
        self.has_new_scope = False

    def note_scope(self, scope: str) -> None:
        """The job's scope, as the last lease told it. The log is told of a change."""
        is_new = bool(scope and self._scope) and scope != self._scope
        if is_new and not self.has_new_scope:
            _log.warning(
                "a worker has joined the job %s with another scope or other seeds, which hold for "
                "all: this one ends, to be started again with the same job file",
                self._job,
            )
        self.has_new_scope = is_new


def tell_of_former_scope(job: str, urls: int) -> None:
    """Who brings another scope may not know that there is such a job; its log is told."""
    _log.warning(
        "the job %s is there already, with another scope or other seeds: of its %d URLs that are "
        "not done, those out of the scope of this worker will be settled unvisited, and workers "
        "with the former scope end; if this is another job, stop this worker and give its job "
        "another name",
        job,
        urls,
    )
