"""The types of values in a job file: validation, serialisation and descriptions.

Each annotated type has a ``Kind``, whose texts are used in error messages and in the reference in
``docs/reference/job-file.md``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationInfo,
    WithJsonSchema,
)

from settings import addresses, patterns, vocabulary
from settings.quantities import duration_text, is_number, seconds, size, size_text

UNLIMITED: Final = "unlimited"
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
_EXTENSION: Final = re.compile(r"[a-z0-9][a-z0-9.]{0,15}")
_MEDIA_TYPE: Final = re.compile(r"[a-z0-9.+-]+/[a-z0-9.+-]+")
_AGENT: Final = re.compile(r"[A-Za-z][A-Za-z_-]*(?:[/ (][\x20-\x7e]*)?")

T = TypeVar("T")


class Table(BaseModel):
    """A table of the job file: immutable, without unknown keys, and strict about types."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        use_attribute_docstrings=True,
    )


@dataclass(frozen=True)
class Kind:
    """name: for the reference. right: what a value must be, to follow "must be".

    shown: formats a bound or a default. secret: whether it may hold a password.
    """

    name: str
    right: str
    shown: Callable[[Any], str] = str
    secret: bool = False


def _duration(value: object) -> object:
    if isinstance(value, str):
        return seconds(value)
    if not is_number(value):
        raise ValueError("not a duration")
    return float(value)  # type: ignore[arg-type]


def _count(value: object) -> object:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError("not a whole number")
    return value


def _size(value: object) -> object:
    return size(value) if isinstance(value, str) else _count(value)


def _or_unlimited(read: Callable[[object], object]) -> Callable[[object], object]:
    return lambda value: None if value is None or value == UNLIMITED else read(value)


def _shown_or_unlimited(shown: Callable[[Any], object]) -> Callable[[Any], object]:
    return lambda value: UNLIMITED if value is None else shown(value)


_DURATION: Final = Kind(
    "duration", 'a duration such as "500ms", "2s", "5min", "1h30min", or seconds', duration_text
)
_BYTES: Final = Kind("size", 'a size such as "500 kB", "30 MB", "64 MiB", or bytes', size_text)
_NUMBER_OR_TEXT: Final = WithJsonSchema({"type": ["number", "string"]})
_INTEGER_OR_TEXT: Final = WithJsonSchema({"type": ["integer", "string"]})

Seconds = Annotated[
    float,
    BeforeValidator(_duration),
    PlainSerializer(duration_text, return_type=str, when_used="json"),
    _NUMBER_OR_TEXT,
    _DURATION,
]
Bytes = Annotated[
    int,
    BeforeValidator(_size),
    PlainSerializer(size_text, return_type=str, when_used="json"),
    _INTEGER_OR_TEXT,
    _BYTES,
]
SecondsLimit = Annotated[
    Annotated[float, Field(gt=0)] | None,
    BeforeValidator(_or_unlimited(_duration)),
    PlainSerializer(_shown_or_unlimited(duration_text), when_used="json"),
    _NUMBER_OR_TEXT,
    Kind("duration", f'{_DURATION.right}; or "{UNLIMITED}"', duration_text),
]
BytesLimit = Annotated[
    Annotated[int, Field(ge=1)] | None,
    BeforeValidator(_or_unlimited(_size)),
    PlainSerializer(_shown_or_unlimited(size_text), when_used="json"),
    _INTEGER_OR_TEXT,
    Kind("size", f'{_BYTES.right}; or "{UNLIMITED}"', size_text),
]
CountLimit = Annotated[
    Annotated[int, Field(ge=1)] | None,
    BeforeValidator(_or_unlimited(_count)),
    PlainSerializer(_shown_or_unlimited(int), when_used="json"),
    WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 1}, {"const": UNLIMITED}]}),
    Kind("count", f'a whole number such as 10000, or "{UNLIMITED}"'),
]
DepthLimit = Annotated[
    Annotated[int, Field(ge=0, le=10_000)] | None,
    BeforeValidator(_or_unlimited(_count)),
    PlainSerializer(_shown_or_unlimited(int), when_used="json"),
    WithJsonSchema(
        {"anyOf": [{"type": "integer", "minimum": 0, "maximum": 10_000}, {"const": UNLIMITED}]}
    ),
    Kind("count", f'a whole number such as 5, or "{UNLIMITED}"'),
]


def _list(value: object) -> object:
    """Convert TOML's lists to tuples, which are immutable."""
    return tuple(value) if isinstance(value, list) else value


Many = Annotated[tuple[T, ...], BeforeValidator(_list)]


def _read_by(check: Callable[[str], str]) -> BeforeValidator:
    """Validates strings with ``check``, which returns the value or raises ValueError."""

    def read(value: object) -> str:
        if not isinstance(value, str):
            raise ValueError("not a string")
        return check(value)

    return BeforeValidator(read)


def _matching(pattern: re.Pattern[str]) -> BeforeValidator:
    def check(text: str) -> str:
        if not pattern.fullmatch(text):
            raise ValueError("does not match")
        return text

    return _read_by(check)


def _language(text: str) -> str:
    if text not in vocabulary.LANGUAGES:
        raise ValueError("not a supported language")
    return text


JobName = Annotated[
    str,
    _matching(_NAME),
    Kind(
        "name",
        'a name of at most 63 lower-case letters, digits, ".", "_" and "-", such as "my-corpus"',
    ),
]
SeedUrl = Annotated[
    str,
    _read_by(addresses.seed_url),
    Kind("URL", 'an http or https URL such as "https://example.com/"'),
]
Domain = Annotated[
    str,
    _read_by(addresses.host_name),
    Kind("domain", 'a domain or host such as "example.com"'),
]
UrlPattern = Annotated[
    str, _read_by(patterns.checked), Kind("regular expression", "a string in quotes")
]
Language = Annotated[
    str,
    _read_by(_language),
    Kind(
        "language",
        'a supported language code: two letters of ISO 639-1, such as "en" or "vi", '
        'or three letters, such as "yue", if there is none in ISO 639-1',
    ),
]
Extension = Annotated[
    str,
    _matching(_EXTENSION),
    Kind("file name extension", 'an extension without its dot, such as "pdf"'),
]
MediaType = Annotated[
    str, _matching(_MEDIA_TYPE), Kind("media type", 'a media type such as "text/html"')
]
UserAgent = Annotated[
    str,
    _matching(_AGENT),
    Kind(
        "product token",
        'a product name of letters, "-" and "_", then any ASCII text, such as "example-bot/1.0"',
    ),
    Field(max_length=200),
]
Contact = Annotated[
    str,
    _read_by(addresses.contact),
    Kind(
        "contact",
        'an e-mail address or URL where site owners reach you, such as "crawl@example.com"',
    ),
]
FrontierUrl = Annotated[
    str,
    _read_by(addresses.frontier_url),
    Kind("frontier URL", addresses.FRONTIERS, secret=True),
]


def _at_home(path: str | Path) -> Path:
    """The path, with ``~`` expanded."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise ValueError("must not begin with the home folder of an unknown user") from None


def _file(value: object, info: ValidationInfo) -> Path:
    """A readable file; a relative path starts at the folder of the job file."""
    if not isinstance(value, str | Path):
        raise ValueError("not a path")
    path = Path((info.context or {}).get("folder", ".")) / _at_home(value)
    try:
        if path.is_dir():
            raise ValueError(f"must be a file, but {path} is a folder")
        if not path.is_file():
            raise ValueError(f"must be an existing file, but {path} does not exist")
        path.open("rb").close()
    except OSError as error:
        why = f"must be a readable file, but {path} is not: {error.strerror}"
        raise ValueError(why) from error
    return path


ExistingFile = Annotated[
    Path,
    BeforeValidator(_file, json_schema_input_type=str),
    Kind("path", "the path of a file, relative to the job file's folder"),
]


def _folder(value: object) -> object:
    if value is None or isinstance(value, Path):
        return value
    if not isinstance(value, str) or not value or "\0" in value:
        raise ValueError("not a path")
    return _at_home(value)


FolderPath = Annotated[
    Path | None,
    BeforeValidator(_folder, json_schema_input_type=str),
    Kind("path", 'a path such as "runs/my-corpus", relative to the current folder'),
]
