"""The log: for people, without Scrapy's chatter, or every line as JSON."""

from __future__ import annotations

import logging
import os
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from corpus_commons import json_text
from corpus_commons.terminal.commands import UsageError
from settings import Job

if TYPE_CHECKING:
    from scrapy.settings import Settings

# The environment variable; ``json`` makes every log line a JSON object.
VARIABLE: Final = "GENRE_CRAWLER_LOG"
_VALUES: Final = ("", "text", "json")
_AS_OF_CRAWLS: Final = "%(asctime)s [%(name)s] %(levelname)s: %(message)s", "%Y-%m-%d %H:%M:%S"
# The attribute of a record with further fields for its JSON line: ``extra={FIELDS: {…}}``.
FIELDS: Final = "fields"
# They log Scrapy's own setup and progress; ``pipelines`` reports the progress of the crawl.
_CHATTY: Final = (
    "scrapy.addons",
    "scrapy.core.engine",
    "scrapy.crawler",
    "scrapy.extensions.memusage",
    "scrapy.middleware",
    "scrapy.utils.log",
    "scrapy-playwright",
)
# They warn about pages that are too large, which the rejects show anyway.
_REJECTING: Final = (
    "scrapy.core.downloader.handlers.http11",
    "scrapy.downloadermiddlewares.httpcompression",
)


class JsonFormatter(logging.Formatter):
    """``{"time", "level", "logger", "message"}``, ``"exception"`` if there is one, and the record's
    FIELDS.
    """

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json_text.dumps({**line, **getattr(record, FIELDS, {})}).decode()


def json_wanted(job: Job | None = None) -> bool:
    """Whether the environment asks for JSON, or the job does.

    Raises ValueError for what the environment may not ask for.
    """
    wanted = os.environ.get(VARIABLE, "").strip().lower()
    if wanted not in _VALUES:
        raise ValueError(f'{VARIABLE} is "{wanted}"; it must be "text" or "json"')
    return wanted == "json" or (job is not None and job.outputs.log == "json")


def show_log() -> None:
    """Show the log of a command that is no crawl, as that of crawls. Raises UsageError."""
    try:
        as_json = json_wanted()
    except ValueError as error:
        raise UsageError(str(error)) from error
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if as_json else logging.Formatter(*_AS_OF_CRAWLS))
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def configure(settings: Settings, job: Job) -> None:
    """Set up logging by the settings and the job; call it before Scrapy sets up its own."""
    if settings.get("LOG_LEVEL") != "DEBUG":
        for name in _CHATTY:
            # A filter, because Scrapy resets the levels of its loggers.
            logging.getLogger(name).addFilter(_is_for_people)
        for name in _REJECTING:
            logging.getLogger(name).addFilter(_is_unforeseen)
    if json_wanted(job) and settings.getbool("LOG_ENABLED"):
        # Otherwise Scrapy would install its own handler and format.
        settings.set("LOG_INSTALL_ROOT_HANDLER", False, priority="cmdline")
        handler = _handler(settings.get("LOG_FILE"))
        handler.setFormatter(JsonFormatter())
        handler.setLevel(settings.get("LOG_LEVEL"))
        logging.root.setLevel(logging.NOTSET)
        logging.root.addHandler(handler)


def _is_for_people(record: logging.LogRecord) -> bool:
    """Warnings, and the reaction to Ctrl-C ("Received SIGINT, shutting down …")."""
    return record.levelno >= logging.WARNING or record.msg.startswith("Received ")


def _is_unforeseen(record: logging.LogRecord) -> bool:
    return record.levelno >= logging.ERROR


def _handler(file: str | None) -> logging.Handler:
    if file:
        return logging.FileHandler(file, encoding="utf-8")
    return logging.StreamHandler(sys.stderr)
