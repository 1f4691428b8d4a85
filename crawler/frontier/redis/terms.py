"""What a worker is told with its leases, since whoever joined last brought it for all."""

from __future__ import annotations

import logging

_log = logging.getLogger(__name__)


class Terms:
    """How long leases live, and whether the job has another scope than this worker.

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
