"""What a recipe says: the data set's name and form, its publication, and its steps."""

from __future__ import annotations

import datetime
from typing import Annotated, Literal

from pydantic import Field, SerializeAsAny

from refinery.steps.base import Step
from settings.values import JobName, Kind, Many, SeedUrl, Table


class Publication(Table):
    """What the data set's `croissant.json` tells of its publication; a build cannot know it."""

    people: Many[str] = ()
    """The names of the people who made the data set."""
    organisations: Many[str] = ()
    """The names of the organisations that made it."""
    date: Annotated[
        datetime.date | None, Kind("date", "a date without quotes, such as 2026-05-01")
    ] = None
    """When it is published."""
    url: SeedUrl | None = None
    """The page of the data set."""
    version: Annotated[
        Annotated[str, Field(pattern=r"^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$")] | None,
        Kind("version", 'three numbers in quotes, such as "1.0.0"'),
    ] = None
    """The version. It is not named any more when documents have been removed."""
    citation: str | None = None
    """How to cite the data set, best as BibTeX."""


class Recipe(Table):
    """A recipe."""

    name: JobName
    """The name of the data set."""
    licence: str = "other"
    """The licence of the data set, as Hugging Face names it, such as `odc-by`. The licences that
    pages declare are counted in the data card."""
    validation: Annotated[float, Field(ge=0, le=0.5)] = 0.01
    """The share of sites whose documents are the split `validation`. A site is a registered domain
    with all its subdomains; each user of a hosting service is one. Its split depends on its name
    and this share alone: it stays there when the corpora grow, and a larger share only adds sites.
    So the share of documents is another one, most of all with few or unequal sites; the data card
    tells it. Of few sites none may be chosen, and all of them never are: then there is no such
    split."""
    formats: Annotated[Many[Literal["parquet", "jsonl"]], Field(min_length=1)] = (
        "parquet",
        "jsonl",
    )
    """The formats of the files: Parquet, and JSON Lines compressed by zstd."""
    publication: Publication = Publication()
    steps: Annotated[tuple[SerializeAsAny[Step], ...], Kind("step", "[[steps]] tables")] = ()
    """The steps, each a table `[[steps]]` with its name in `use`, in the order in which they are
    done."""
