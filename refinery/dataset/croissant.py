"""``croissant.json`` of a data set: what its card tells people, for programs.

The format is Croissant 1.0 of MLCommons, which is JSON-LD:
https://docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import orjson
import pyarrow as pa

from corpus_commons.counts import number_of
from corpus_commons.extras import DISTRIBUTION
from refinery.dataset.account import Built
from refinery.dataset.layout import FOLDERS, SUFFIXES
from refinery.dataset.licences import licence_address
from refinery.dataset.schema import COLUMNS, Column

CROISSANT: Final = "croissant.json"
FORMAT: Final = "parquet"
"""Whose files it describes. Croissant has no word for what zstd compressed, as our JSON Lines."""

_VERSION: Final = "http://mlcommons.org/croissant/1.0"
_MEDIA_TYPE: Final = "application/x-parquet"
_FILES: Final = "parquet-files"
_DOCUMENTS: Final = "documents"
_SPLITS: Final = "splits"
_NAME: Final = f"{_SPLITS}/name"
# What the names of our splits mean.
_MEANINGS: Final = {"train": "cr:TrainingSplit", "validation": "cr:ValidationSplit"}
_TYPES: Final = {
    pa.string(): "sc:Text",
    pa.float32(): "sc:Float",
    pa.int32(): "sc:Integer",
    pa.int64(): "sc:Integer",
    pa.bool_(): "sc:Boolean",
}
# The terms of the vocabulary that may stand without its prefix; those of the specification's
# appendix, and those that mlcroissant expects beside them.
_TERMS: Final = (
    "citeAs column equivalentProperty extract field fileProperty fileObject fileSet format "
    "includes isLiveDataset jsonPath key md5 parentField path recordSet references regex repeated "
    "replace samplingRate separator source subField transform"
).split()
_CONTEXT: Final = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{term: f"cr:{term}" for term in _TERMS},
}


def croissant(built: Built) -> str:
    """The metadata of a data set that has files of FORMAT, as JSON."""
    found = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": _VERSION,
        **_about(built),
        "distribution": [_files()],
        "recordSet": [_splits(built), _documents()],
    }
    return orjson.dumps(found, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()


def _about(built: Built) -> dict[str, Any]:
    """What is known of the data set as a whole; what is not known is left out."""
    # Data sets that were made before there was this table are without it.
    publication = built.recipe.get("publication", {})
    whole = built.whole
    known = {
        "name": built.recipe["name"],
        "description": _description(built),
        "license": _licence(built.recipe["licence"]),
        "creator": [*_creators(publication)],
        "datePublished": publication.get("date"),
        "url": publication.get("url"),
        # Without the documents that were removed, it is not that version any more.
        "version": None if built.forgotten else publication.get("version"),
        "citeAs": publication.get("citation"),
        "inLanguage": whole.known_languages,
        "temporalCoverage": f"{whole.first}/{whole.last}" if whole.documents else None,
    }
    return {key: value for key, value in known.items() if value}


def _description(built: Built) -> str:
    whole = built.whole
    fetched = f", fetched from {whole.first} to {whole.last}" if whole.documents else ""
    text = (
        f"{whole.extent}, with {number_of(whole.words, 'word')}: "
        f"the main content of pages of the public web{fetched}. "
        f"Made by {DISTRIBUTION}; README.md tells how."
    )
    if built.forgotten:
        removed = number_of(built.forgotten, "document was", "documents were")
        text += f" {removed} removed after it was made."
    return text


def _licence(name: str) -> str | dict[str, str] | None:
    """name: as Hugging Face has it, whose "other" and "unknown" name none."""
    if name in ("other", "unknown"):
        return None
    return licence_address(name) or {"@type": "sc:CreativeWork", "name": name}


def _creators(publication: dict[str, Any]) -> Iterator[dict[str, str]]:
    for key, type_ in (("people", "sc:Person"), ("organisations", "sc:Organization")):
        for name in publication.get(key, ()):
            yield {"@type": type_, "name": name}


def _files() -> dict[str, Any]:
    """They are in no container: paths begin at the folder of ``croissant.json``."""
    return {
        "@type": "cr:FileSet",
        "@id": _FILES,
        "name": _FILES,
        "description": "The files of all splits; their names begin with the split's.",
        "encodingFormat": _MEDIA_TYPE,
        "includes": f"{FOLDERS[FORMAT]}/*.{SUFFIXES[FORMAT]}",
    }


def _splits(built: Built) -> dict[str, Any]:
    address = f"{_SPLITS}/url"
    return {
        "@type": "cr:RecordSet",
        "@id": _SPLITS,
        "name": _SPLITS,
        "description": "The splits. All documents of a site are in one of them.",
        "dataType": "cr:Split",
        "key": {"@id": _NAME},
        "field": [
            _field(_NAME, "the name of the split", "sc:Text"),
            _field(address, "what it is for", ["sc:URL", "cr:Split"]),
        ],
        # An empty list is not allowed, also if nothing is left of the data set.
        "data": [{_NAME: one, address: _MEANINGS[one]} for one in built.splits or _MEANINGS],
    }


def _documents() -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": _DOCUMENTS,
        "name": _DOCUMENTS,
        "description": "The documents, sorted by host and URL in each file.",
        "field": [_split_field(), *map(_column_field, COLUMNS)],
    }


def _split_field() -> dict[str, Any]:
    names = "|".join(_MEANINGS)
    field = _field(f"{_DOCUMENTS}/split", "the split, from the name of the file", "sc:Text")
    source = {
        "fileSet": {"@id": _FILES},
        "extract": {"fileProperty": "fullpath"},
        # Without the folder, too: when mlcroissant has joined the splits, it matches their names.
        "transform": {"regex": f"(?:{FOLDERS[FORMAT]}/)?({names}).*"},
    }
    # The specification's examples leave "field" out, which mlcroissant does not bear.
    return field | {"source": source, "references": {"field": {"@id": _NAME}}}


def _column_field(column: Column) -> dict[str, Any]:
    type_ = "sc:DateTime" if pa.types.is_timestamp(column.type) else _TYPES[column.type]
    source = {"fileSet": {"@id": _FILES}, "extract": {"column": column.name}}
    return _field(f"{_DOCUMENTS}/{column.name}", column.meaning, type_) | {"source": source}


def _field(identifier: str, meaning: str, type_: str | list[str]) -> dict[str, Any]:
    """A field by its id, ``RECORDS/NAME``."""
    return {
        "@type": "cr:Field",
        "@id": identifier,
        "name": identifier.rpartition("/")[2],
        "description": meaning,
        "dataType": type_,
    }
