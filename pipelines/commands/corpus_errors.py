"""How commands end when a corpus cannot be used."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from corpus_commons.terminal.command_error import CommandError
from corpus_commons.terminal.commands import EXIT_UNUSABLE, EXIT_USAGE
from pipelines.corpus.errors import CorpusError, DamagedError


@contextmanager
def corpus_errors() -> Iterator[None]:
    """Errors of corpora within the block become a CommandError, with EXIT_UNUSABLE for damage, else
    EXIT_USAGE.
    """
    try:
        yield
    except CorpusError as error:
        code = EXIT_UNUSABLE if isinstance(error, DamagedError) else EXIT_USAGE
        raise CommandError(str(error), code) from error
