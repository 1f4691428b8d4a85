"""``corpus consent DIR``: which documents a preset does not allow, or no longer."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, get_args

import orjson

from corpus_commons.counts import number_of
from corpus_commons.terminal.output import standard_output
from crawler.consent.policy import Policy
from crawler.consent.statement import Statement, statements_in
from pipelines.commands.contact import politeness_of
from pipelines.commands.corpus_errors import corpus_errors
from pipelines.corpus.duplicate_ids import IdLedger
from pipelines.corpus.errors import ShardDamagedError
from pipelines.corpus.folder import shards
from pipelines.corpus.merge import ids
from settings.addresses import host_of, is_loopback
from settings.tables.consent import Consent
from settings.vocabulary import ConsentPreset

_DESCRIPTION: Final = """\
Judges the documents of a corpus by what is recorded about their owners' wishes, and prints the ids
of those that the preset does not allow, one a line. Of a page with several versions the last one
counts. Nothing is fetched, unless --recheck asks the files of all hosts again."""
_EXIT_CODES: Final = """exit codes:
  0    done, whatever was found
  1    standard output cannot be written
  2    the arguments cannot be used: the folder is not a corpus
  3    the corpus is damaged
"""
# Documents that wait for their hosts' files at a time.
_AT_ONCE: Final = 256


class _Judged(NamedTuple):
    """A document that is not allowed."""

    id: str
    url: str
    objection: Statement


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXIT_CODES
    parser.add_argument("folder", type=Path, metavar="DIR", help="the corpus")
    parser.add_argument(
        "--preset", choices=get_args(ConsentPreset), default="training", help="(default: training)"
    )
    parser.add_argument(
        "--recheck", action="store_true", help="fetch what the hosts' files say now"
    )
    parser.add_argument(
        "--contact", help="your e-mail address or URL, sent to the hosts; required for --recheck"
    )
    parser.add_argument("--json", action="store_true", help="print lines of JSON, with the reason")


def run(arguments: argparse.Namespace) -> None:
    """Raises CommandError."""
    policy = Policy.of(Consent(preset=arguments.preset))
    with corpus_errors(), standard_output() as out:
        report = _Report(policy, out.buffer, is_json=arguments.json)
        documents = _LastVersions(arguments.folder)
        if arguments.recheck:
            _recheck(arguments, documents, report)
        else:
            for document in documents:
                report.add(document, _recorded(document))
    report.end()


class _Report:
    """Prints the documents that are not allowed, and at last how many for what reason."""

    def __init__(self, policy: Policy, out: BinaryIO, *, is_json: bool) -> None:
        self._policy = policy
        self._out = out
        self._is_json = is_json
        self._counts: Counter[str] = Counter()
        self._documents = 0
        self._unasked = 0
        # By host, the files that could not be had.
        self.silent: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, document: Mapping[str, Any], found: list[Statement]) -> None:
        self._documents += 1
        self._unasked += not document["metadata"].get("consent")
        objection = self._policy.objection(found, datetime.now(UTC))
        if objection is not None:
            self._counts[objection.signal] += 1
            self._print(_Judged(document["id"], document["metadata"].get("url") or "", objection))

    def _print(self, judged: _Judged) -> None:
        line = judged.id.encode()
        if self._is_json:
            line = orjson.dumps({"id": judged.id, "url": judged.url, **judged.objection.as_data()})
        self._out.write(line + b"\n")

    def end(self) -> None:
        for signal, count in self._counts.most_common():
            sys.stderr.write(f"{signal}: {count:,}\n")
        sys.stderr.write(
            f"{self._counts.total():,} of {number_of(self._documents, 'document')} not allowed\n"
        )
        if self._unasked:
            unasked = number_of(self._unasked, "document has", "documents have")
            sys.stderr.write(f"{unasked} no record of consent\n")
        for host, files in sorted(self.silent.items()):
            names = ", ".join(sorted(files))
            sys.stderr.write(f"{host}: {names} cannot be had: what was recorded of it counts\n")


class _LastVersions:
    """The documents of a corpus, of each page the last: an owner's earlier word is taken back.

    Raises CorpusError.
    """

    def __init__(self, folder: Path) -> None:
        self._shards = [shard for shard in shards(folder) if shard.kind == "documents"]
        with IdLedger() as ledger:
            for name, rank, time in ids(self._shards):
                ledger.add(name, rank, time)
            self._last = ledger.latest()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        every = chain.from_iterable(shard.documents() for shard in self._shards)
        return (document for number, document in enumerate(every) if number in self._last)


def _recorded(document: Mapping[str, Any]) -> list[Statement]:
    """Raises ShardDamagedError for a record that no crawl has written."""
    try:
        return statements_in(document["metadata"].get("consent"))
    except (KeyError, TypeError, AttributeError) as error:
        raise ShardDamagedError(f"document {document['id']}: metadata.consent: {error}") from error


def _recheck(arguments: argparse.Namespace, documents: _LastVersions, report: _Report) -> None:
    # Scrapy, which only this needs, takes a second to import.
    from crawler.commands.runner import project_settings  # noqa: PLC0415
    from crawler.consent.host_signals import HostSignals  # noqa: PLC0415
    from crawler.consent.trainers import trainers  # noqa: PLC0415
    from crawler.fetching.host_files_alone import with_host_signals  # noqa: PLC0415

    urls = (document["metadata"].get("url") or "" for document in documents)
    loopback = all(is_loopback(host_of(url)) for url in urls)
    politeness = politeness_of(arguments.contact, is_needed=not loopback)

    async def ask(document: dict[str, Any], signals: HostSignals) -> None:
        recorded, url = _recorded(document), document["metadata"].get("url") or ""
        files, found = await signals.of_host(url)
        silent = {file.path for file in files if not 0 < file.status < 500}
        if silent:
            report.silent[host_of(url)] |= silent
        kept = [one for one in recorded if not one.is_of_host or one.where in silent]
        report.add(document, [*kept, *found])

    async def ask_all(signals: HostSignals) -> None:
        waiting: set[asyncio.Task[None]] = set()
        for document in documents:
            waiting.add(asyncio.create_task(ask(document, signals)))
            if len(waiting) >= _AT_ONCE:
                done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
        await asyncio.gather(*waiting)

    settings = getattr(arguments, "settings", None) or project_settings({"LOG_LEVEL": "ERROR"})
    with_host_signals(ask_all, politeness, settings, trainers=trainers(), loopback=loopback)
