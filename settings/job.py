"""The job: one named crawl as described by its TOML file, validated and immutable."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import ConfigDict

from settings import consistency
from settings.addresses import is_loopback
from settings.tables.consent import Consent
from settings.tables.extraction import Extraction
from settings.tables.filters import Filters
from settings.tables.frontier import Frontier
from settings.tables.genres import Genres
from settings.tables.limits import Limits
from settings.tables.live import Live
from settings.tables.outputs import Outputs
from settings.tables.politeness import Politeness
from settings.tables.recrawl import Recrawl
from settings.tables.rendering import Rendering
from settings.tables.schedule import Schedule
from settings.tables.scope import Scope
from settings.tables.seeds import Seeds
from settings.values import Finding, JobName, Table


class Job(Table):
    """One named crawl. A name and one seed are enough; everything else has a default.

    ``load_job`` makes it from a file, ``Job.model_validate`` from a mapping of the same shape; the
    latter raises pydantic's ValidationError.
    """

    model_config = ConfigDict(
        title="Job file",
        json_schema_extra={"$schema": "https://json-schema.org/draft/2020-12/schema"},
    )

    name: JobName
    """What the job is called: in the name of its folder, in reports and in Redis."""
    seeds: Seeds
    scope: Scope = Scope()
    limits: Limits = Limits()
    politeness: Politeness = Politeness()
    consent: Consent = Consent()
    recrawl: Recrawl = Recrawl()
    rendering: Rendering = Rendering(mode="never")
    genres: Genres = Genres()
    extraction: Extraction = Extraction()
    filters: Filters = Filters()
    outputs: Outputs = Outputs()
    frontier: Frontier = Frontier()
    schedule: Schedule = Schedule()
    live: Live = Live()

    def contradictions(self) -> Iterator[Finding]:
        yield from consistency.contradictions(dict(self))

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
