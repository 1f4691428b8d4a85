"""The types of values in a job file: validation, serialisation and descriptions.

Each annotated type has a ``Kind``, whose texts are used in error messages and in the reference in
``docs/reference/job-file.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Final, Self, TypeVar

from annotated_types import Ge, Gt, Le
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ValidationInfo,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from settings import addresses, frontier_address, hours, lines, logins, patterns, times, vocabulary
from settings.quantities import duration_text, seconds, size, size_text

UNLIMITED: Final = "unlimited"
# Pydantic leaves bounds of a number that may also be a text by these names in the JSON Schema.
_JSON_BOUNDS: Final = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum"}

Finding = tuple[lines.Path, str]
"""A key, by its path from the table that finds it, and what is wrong with its value."""

T = TypeVar("T")


class Table(BaseModel):
    """A table of the job file: immutable, without unknown keys, and strict about types."""

    model_config = ConfigDict(
        allow_inf_nan=False,
        extra="forbid",
        frozen=True,
        strict=True,
        use_attribute_docstrings=True,
    )

    def contradictions(self) -> Iterator[Finding]:
        """Values that are valid by themselves, but contradict each other."""
        yield from ()

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        reference = handler(schema)
        made = handler.resolve_ref_schema(reference)
        made["properties"] = {
            name: {_JSON_BOUNDS.get(key, key): value for key, value in described.items()}
            for name, described in made["properties"].items()
        }
        return reference

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        found = list(self.contradictions())
        if found:
            text = "; ".join(f"{'.'.join(map(str, path))} {message}" for path, message in found)
            raise PydanticCustomError("contradiction", "{text}", {"text": text, "found": found})
        return self


@dataclass(frozen=True)
class Kind:
    """name: for the reference. right: what a value must be, to follow "must be".

    shown: formats a bound or a default. hide: takes the secrets out of a value, as TOML; None if it
    has none. unlimited: whether it may be ``"unlimited"``, which is None in the model.
    """

    name: str
    right: str
    shown: Callable[[Any], str] = str
    hide: Callable[[str], str] | None = None
    unlimited: bool = False


@dataclass(frozen=True)
class Amount(Kind):
    """A number that may also be ``"unlimited"``, or written with its unit.

    read: the number of such a text, or raises ValueError; None if there are no units.
    """

    read: Callable[[str], float] | None = None

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_before_validator_function(
            self._number,
            handler(source),
            serialization=core_schema.plain_serializer_function_ser_schema(
                self._text, when_used="json"
            ),
        )

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        made = handler(schema)
        number = made.get("anyOf", [made])[0]  # the other one is null, which is not in TOML
        if self.read:
            return {**number, "type": [number["type"], "string"]}
        return {"anyOf": [number, {"const": UNLIMITED}]}

    def _number(self, value: object) -> object:
        if self.unlimited and value == UNLIMITED:
            return None
        return self.read(value) if self.read and isinstance(value, str) else value

    def _text(self, value: Any) -> object:
        if value is None:
            return UNLIMITED if self.unlimited else None
        return self.shown(value) if self.read else value


_DURATION: Final = 'a duration such as "500ms", "2s", "5min", "1h30min", or seconds'
_SIZE: Final = 'a size such as "500 kB", "30 MB", "64 MiB", or bytes'
_OR_UNLIMITED: Final = f'; or "{UNLIMITED}"'

Seconds = Annotated[float, Amount("duration", _DURATION, duration_text, read=seconds)]
Bytes = Annotated[int, Amount("size", _SIZE, size_text, read=size)]
Interval = Annotated[
    Annotated[float, Ge(1), Le(366 * 86_400)] | None,
    Amount("duration", _DURATION, duration_text, read=seconds),
]
SecondsLimit = Annotated[
    Annotated[float, Gt(0)] | None,
    Amount("duration", _DURATION + _OR_UNLIMITED, duration_text, unlimited=True, read=seconds),
]
BytesLimit = Annotated[
    Annotated[int, Ge(1)] | None,
    Amount("size", _SIZE + _OR_UNLIMITED, size_text, unlimited=True, read=size),
]
CountLimit = Annotated[
    Annotated[int, Ge(1)] | None,
    Amount("count", f'a whole number such as 10000, or "{UNLIMITED}"', unlimited=True),
]
DepthLimit = Annotated[
    Annotated[int, Ge(0), Le(10_000)] | None,
    Amount("count", f'a whole number such as 5, or "{UNLIMITED}"', unlimited=True),
]


def _tuple(value: object) -> object:
    """TOML's lists become tuples, which are immutable."""
    return tuple(value) if isinstance(value, list) else value


Many = Annotated[tuple[T, ...], BeforeValidator(_tuple)]

JobName = Annotated[
    str,
    Field(pattern="^[a-z0-9][a-z0-9._-]{0,62}$"),
    Kind(
        "name",
        'a name of at most 63 lower-case letters, digits, ".", "_" and "-", such as "my-corpus"',
    ),
]
SeedUrl = Annotated[
    str,
    AfterValidator(addresses.seed_url),
    Kind("URL", 'an http or https URL such as "https://example.com/"'),
]
Domain = Annotated[
    str,
    AfterValidator(addresses.host_name),
    Kind("domain", 'a domain or host such as "example.com"'),
]
UrlPattern = Annotated[
    str, AfterValidator(patterns.checked), Kind("regular expression", "a string in quotes")
]
Extension = Annotated[
    str,
    Field(pattern="^[a-z0-9][a-z0-9.]{0,15}$"),
    Kind("file name extension", 'an extension without its dot, such as "pdf"'),
]
MediaType = Annotated[
    str,
    Field(pattern="^[a-z0-9.+-]+/[a-z0-9.+-]+$"),
    Kind("media type", 'a media type such as "text/html"'),
]
UserAgent = Annotated[
    str,
    Field(pattern=r"^[A-Za-z][A-Za-z_-]*([/ (][\x20-\x7e]*)?$", max_length=200),
    Kind(
        "product token",
        'a product name of letters, "-" and "_", then any ASCII text, such as "example-bot/1.0"',
    ),
]
QuietHours = Annotated[
    str,
    AfterValidator(hours.checked),
    Kind("host and hours", 'such as "example.com 08:00-18:00 Europe/Berlin"'),
]
AgentName = Annotated[
    str,
    Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}$"),
    Kind("agent", 'the name of an agent as in robots.txt, such as "GPTBot"'),
]
Contact = Annotated[
    str,
    AfterValidator(addresses.contact),
    Kind(
        "contact",
        'an e-mail address or URL where site owners reach you, such as "crawl@example.com"',
    ),
]
FrontierUrl = Annotated[
    str,
    AfterValidator(frontier_address.frontier_url),
    Kind("frontier URL", frontier_address.FRONTIERS, hide=logins.without_any_login),
]

IpAddress = Annotated[
    str,
    AfterValidator(addresses.ip_address),
    Kind("IP address", 'an IP address of this machine in quotes, such as "127.0.0.1"'),
]
Token = Annotated[
    Annotated[str, Field(pattern="^[A-Za-z0-9_-]{16,100}$")] | None,
    Kind("token", '16 to 100 letters, digits, "-" and "_", kept secret', hide=lambda _: '"…"'),
]

Cron = Annotated[
    Annotated[str, AfterValidator(times.cron)] | None,
    Kind("cron expression", 'five fields in quotes, such as "0 3 * * *"'),
]
TimeZone = Annotated[
    str,
    AfterValidator(times.time_zone),
    Kind("time zone", 'the name of a time zone, such as "UTC" or "Europe/Berlin"'),
]
Moment = Annotated[
    datetime | None,
    BeforeValidator(times.moment, json_schema_input_type=str),
    Kind("date", 'a date or a time, such as 2027-01-31 or "2027-01-31T18:00"'),
]


def _language(text: str) -> str:
    if text not in vocabulary.LANGUAGES:
        raise ValueError("not a supported language")
    return text


Language = Annotated[
    str,
    AfterValidator(_language),
    Kind(
        "language",
        'a supported language code: two letters of ISO 639-1, such as "en" or "vi", '
        'or three letters, such as "yue", if there is none in ISO 639-1',
    ),
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


def _folder(value: object) -> object:
    if value is None or isinstance(value, Path):
        return value
    if not isinstance(value, str) or not value or "\0" in value:
        raise ValueError("not a path")
    return _at_home(value)


ExistingFile = Annotated[
    Path,
    BeforeValidator(_file, json_schema_input_type=str),
    Kind("path", "the path of a file, relative to the job file's folder"),
]
FolderPath = Annotated[
    Path | None,
    BeforeValidator(_folder, json_schema_input_type=str),
    Kind("path", 'a path such as "runs/my-corpus", relative to the current folder'),
]
