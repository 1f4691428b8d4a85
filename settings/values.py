"""The kinds of value in a job file: what each accepts, how it is written, and what to say if not.

An annotated type here carries a ``Kind``: its words serve the error messages, the reference in
``docs/job-file.md`` and the JSON Schema alike.
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
    """A table of the job file: immutable, its keys known, a text never taken for a number."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        use_attribute_docstrings=True,
    )


@dataclass(frozen=True)
class Kind:
    """name: as the reference calls it. right: what a value must be, after ``must be``.

    shown: how a bound or a default of this kind is written. secret: it may hold a password.
    """

    name: str
    right: str
    shown: Callable[[Any], str] = str
    secret: bool = False


def _duration(value: object) -> object:
    if isinstance(value, str):
        return seconds(value)
    if not is_number(value):
        raise ValueError("no duration")
    return float(value)  # type: ignore[arg-type]


def _size(value: object) -> object:
    if isinstance(value, str):
        return size(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError("no size")
    return value


def _or_unlimited(read: Callable[[object], object]) -> Callable[[object], object]:
    return lambda value: None if value is None or value == UNLIMITED else read(value)


def _count(value: object) -> object:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError("no count")
    return value


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
    WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 0}, {"const": UNLIMITED}]}),
    Kind("count", f'a whole number such as 5, or "{UNLIMITED}"'),
]


def _list(value: object) -> object:
    """TOML has lists only; a frozen table holds tuples."""
    return tuple(value) if isinstance(value, list) else value


Many = Annotated[tuple[T, ...], BeforeValidator(_list)]


def _matching(pattern: re.Pattern[str]) -> Callable[[str], str]:
    def check(text: str) -> str:
        if not pattern.fullmatch(text):
            raise ValueError("not of this form")
        return text

    return check


def _text(
    name: str, right: str, check: Callable[[str], str], *, secret: bool = False
) -> tuple[BeforeValidator, Kind]:
    def read(value: object) -> str:
        if not isinstance(value, str):
            raise ValueError("no text")
        return check(value)

    return BeforeValidator(read), Kind(name, right, secret=secret)


_NAME_CHECK, _NAME_KIND = _text(
    "name",
    'a name of at most 63 lower-case letters, digits, ".", "_" and "-", such as "my-corpus"',
    _matching(_NAME),
)
JobName = Annotated[str, _NAME_CHECK, _NAME_KIND]

_URL_CHECK, _URL_KIND = _text(
    "URL", 'an http or https URL such as "https://example.com/"', addresses.seed_url
)
SeedUrl = Annotated[str, _URL_CHECK, _URL_KIND]

_DOMAIN_CHECK, _DOMAIN_KIND = _text(
    "domain", 'a domain or host such as "example.com"', addresses.host_name
)
Domain = Annotated[str, _DOMAIN_CHECK, _DOMAIN_KIND]

_PATTERN_CHECK, _PATTERN_KIND = _text("regular expression", "a string in quotes", patterns.checked)
UrlPattern = Annotated[str, _PATTERN_CHECK, _PATTERN_KIND]


def _language(text: str) -> str:
    if text not in vocabulary.LANGUAGES:
        raise ValueError("no language that is identified")
    return text


_LANGUAGE_CHECK, _LANGUAGE_KIND = _text(
    "language",
    'a language code that a document can have: two letters of ISO 639-1, such as "en" or "vi", '
    'or three letters, such as "yue", where that has none',
    _language,
)
Language = Annotated[str, _LANGUAGE_CHECK, _LANGUAGE_KIND]

_EXTENSION_CHECK, _EXTENSION_KIND = _text(
    "file name extension", 'an extension without its dot, such as "pdf"', _matching(_EXTENSION)
)
Extension = Annotated[str, _EXTENSION_CHECK, _EXTENSION_KIND]

_MEDIA_CHECK, _MEDIA_KIND = _text(
    "media type", 'a media type such as "text/html"', _matching(_MEDIA_TYPE)
)
MediaType = Annotated[str, _MEDIA_CHECK, _MEDIA_KIND]

_AGENT_CHECK, _AGENT_KIND = _text(
    "product token",
    'a product name of letters, "-" and "_", then any ASCII text, such as "example-bot/1.0"',
    _matching(_AGENT),
)
UserAgent = Annotated[str, _AGENT_CHECK, _AGENT_KIND, Field(max_length=200)]

_CONTACT_CHECK, _CONTACT_KIND = _text(
    "contact",
    'an e-mail address or URL where site owners reach you, such as "crawl@example.com"',
    addresses.contact,
)
Contact = Annotated[str, _CONTACT_CHECK, _CONTACT_KIND]

_FRONTIER_CHECK, _FRONTIER_KIND = _text(
    "frontier URL",
    addresses.FRONTIERS,
    addresses.frontier_url,
    secret=True,
)
FrontierUrl = Annotated[str, _FRONTIER_CHECK, _FRONTIER_KIND]


def _at_home(path: str | Path) -> Path:
    """The path, with the ``~`` of a home folder read as shells do."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise ValueError(
            "must begin with the home folder of a user whom this machine has"
        ) from None


def _file(value: object, info: ValidationInfo) -> Path:
    """A file that can be read; a relative path starts at the folder of the job file."""
    if not isinstance(value, str | Path):
        raise ValueError("no path")
    path = Path((info.context or {}).get("folder", ".")) / _at_home(value)
    try:
        if path.is_dir():
            raise ValueError(f"must be a file, and {path} is a folder")
        if not path.is_file():
            raise ValueError(f"must be a file that exists, and there is none at {path}")
        path.open("rb").close()
    except OSError as error:
        why = f"must be a file that can be read, and {path} cannot: {error.strerror}"
        raise ValueError(why) from error
    return path


ExistingFile = Annotated[
    Path,
    BeforeValidator(_file, json_schema_input_type=str),
    Kind("path", "the path of a file, from the job file's folder"),
]


def _folder(value: object) -> object:
    if value is None or isinstance(value, Path):
        return value
    if not isinstance(value, str) or not value or "\0" in value:
        raise ValueError("no path")
    return _at_home(value)


FolderPath = Annotated[
    Path | None,
    BeforeValidator(_folder, json_schema_input_type=str),
    Kind("path", 'a path such as "runs/my-corpus", from where the command is run'),
]
