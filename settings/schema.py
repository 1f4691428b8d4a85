"""The JSON Schema of job files, for editors with TOML support."""

from __future__ import annotations

import json
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode

from settings.job import Job


class _Dialect(GenerateJsonSchema):
    def generate(self, schema: Any, mode: JsonSchemaMode = "validation") -> dict[str, Any]:
        made = super().generate(schema, mode=mode)
        return {"$schema": self.schema_dialect, **made, "title": "Job file"}


def json_schema() -> dict[str, Any]:
    """The schema of a job file, in JSON Schema 2020-12."""
    return Job.model_json_schema(by_alias=True, schema_generator=_Dialect)


def json_schema_text() -> str:
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"
