"""The errors of methods, for the log; tables only show their number."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from evaluation.results import TIMEOUT, Result


class Failures:
    """The errors of every method."""

    def __init__(self) -> None:
        self._errors: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def watch(self, results: Iterable[Result]) -> Iterator[Result]:
        """Pass the results on, counting their errors."""
        for result in results:
            if result.error is not None and result.failure != TIMEOUT:
                self._errors[result.method][result.error] += 1
            yield result

    def lines(self) -> Iterator[str]:
        """One line per method that failed, with its most frequent error."""
        for method, errors in self._errors.items():
            [(error, times)] = errors.most_common(1)
            yield f"{method}: {times} of {errors.total()} failures: {error}"
