"""How a crawl ends, and the exit code that says so."""

from __future__ import annotations

from crawler.exit_codes import ExitCode, code_of, code_of_error
from crawler.frontier.stats import Stats
from crawler.outcomes import FAILED, PRIVATE_ADDRESS


class Ending:
    """What is known of the end of a crawl so far.

    reason: Scrapy's reason why it ended; None while it runs.
    failure: the first error because of which it could not start, or ended; None if there is none.
    last_stats: the frontier's counts when it was closed.
    left_work: whether pages wait in the worker's folder, so that its name must be used again.
    """

    def __init__(self) -> None:
        self.reason: str | None = None
        self.failure: BaseException | None = None
        self.last_stats: Stats | None = None
        self.left_work = False

    def fail(self, error: BaseException) -> bool:
        """Note an error that ends the crawl; whether it is the first, which others may follow."""
        if self.failure is not None:
            return False
        self.failure = error
        return True

    def tells_more(self, error: BaseException) -> bool:
        """Whether an error says anything that the failure, which was told, did not."""
        return str(error) != str(self.failure)

    def exit_code(self) -> ExitCode:
        """The exit code of a crawl that is over.

        >>> ending = Ending()
        >>> ending.reason = "finished"
        >>> ending.exit_code().name, ending.fail(OSError("no room")), ending.exit_code().name
        ('FINISHED', True, 'STORAGE')
        """
        if self.failure is not None:
            return code_of_error(self.failure)
        code = code_of(self.reason or "shutdown")
        if code is ExitCode.FINISHED and self.last_stats and nothing_fetched(self.last_stats):
            return ExitCode.NOTHING
        return code


def nothing_fetched(stats: Stats) -> bool:
    """Whether no visit of the run got an answer, though there was something to visit.

    >>> from crawler.frontier.stats import RunStats
    >>> down = RunStats(outcomes={"failed: timeout": 2}, has_leased=True)
    >>> nothing_fetched(Stats(added=9, run=down)), nothing_fetched(Stats(added=9))
    (True, False)
    """
    run = stats.run
    answers = sum(count for outcome, count in run.outcomes.items() if _is_answer(outcome))
    return not answers and (run.has_leased or stats.left > 0 or not stats.added)


def _is_answer(outcome: str) -> bool:
    return outcome != PRIVATE_ADDRESS and not outcome.startswith(FAILED)
