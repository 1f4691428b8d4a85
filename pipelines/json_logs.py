"""Log lines as JSON, one object a line, for those who collect logs by machine."""

from __future__ import annotations

import logging
import os
from datetime import UTC, datetime
from typing import Final

import orjson

# Set to ``json``, it makes every line of the log an object.
VARIABLE: Final = "GENRE_CRAWLER_LOG"


class JsonFormatter(logging.Formatter):
    """``{"time", "level", "logger", "message"}`` and, where there was one, ``"exception"``."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        sound = {key: value.encode("utf-8", "replace").decode() for key, value in line.items()}
        return orjson.dumps(sound).decode()


def wanted() -> bool:
    """Whether the environment asks for JSON."""
    return os.environ.get(VARIABLE, "").strip().lower() == "json"


def install() -> None:
    """Give every handler of the root logger the JSON formatter."""
    for handler in logging.getLogger().handlers:
        handler.setFormatter(JsonFormatter())
