"""The job: one named crawl as described by its TOML file, validated and immutable."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Self

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from settings.addresses import is_loopback
from settings.contradictions import contradictions
from settings.tables.extraction import Extraction
from settings.tables.filters import Filters
from settings.tables.frontier import Frontier
from settings.tables.genres import Genres
from settings.tables.limits import Limits
from settings.tables.outputs import Outputs
from settings.tables.politeness import Politeness
from settings.tables.rendering import Rendering
from settings.tables.scope import Scope
from settings.tables.seeds import Seeds
from settings.values import JobName, Table


class Job(Table):
    """One named crawl. A name and one seed are enough; everything else has a default.

    ``load_job`` makes it from a file, ``Job.model_validate`` from a mapping of the same shape; the
    latter raises pydantic's ValidationError.
    """

    name: JobName
    """What the job is called: in the name of its folder, in reports and in Redis."""
    seeds: Seeds
    scope: Scope = Scope()
    limits: Limits = Limits()
    politeness: Politeness = Politeness()
    rendering: Rendering = Rendering()
    genres: Genres = Genres()
    extraction: Extraction = Extraction()
    filters: Filters = Filters()
    outputs: Outputs = Outputs()
    frontier: Frontier = Frontier()

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        found = contradictions(self.tables())
        if found:
            text = "; ".join(f"{'.'.join(map(str, path))} {message}" for path, message in found)
            raise PydanticCustomError("contradiction", "{text}", {"text": text, "found": found})
        return self

    def tables(self) -> Mapping[str, Table]:
        """The tables by name."""
        values = ((name, getattr(self, name)) for name in type(self).model_fields)
        return {name: value for name, value in values if isinstance(value, Table)}

    @property
    def folder(self) -> Path:
        """The folder for everything that the job writes."""
        return self.outputs.folder or Path("runs") / self.name

    def is_loopback(self) -> bool:
        """Whether all seeds, also those in files, are on this machine, and links stay there."""
        stays = bool(self.scope.domains) or self.scope.stay_on != "any"
        return (
            stays
            and all(map(is_loopback, self.scope.domains))
            and all(is_loopback(host) for _, host in self.seeds.hosts())
        )
