"""What a recipe says: the data set's name and form, and its steps."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, SerializeAsAny

from refinery.steps.base import Step
from settings.values import JobName, Kind, Many, Table


class Recipe(Table):
    """A recipe."""

    name: JobName
    """The name of the data set."""
    licence: str = "other"
    """The licence of the data set, as Hugging Face names it, such as `odc-by`. The licences that
    pages declare are counted in the data card."""
    validation: Annotated[float, Field(ge=0, le=0.5)] = 0.01
    """The share of documents in the split `validation`. All documents of a host are in one split,
    so the share may be smaller, and is none if no host is small enough."""
    formats: Annotated[Many[Literal["parquet", "jsonl"]], Field(min_length=1)] = (
        "parquet",
        "jsonl",
    )
    """The formats of the files: Parquet, and JSON Lines compressed by zstd."""
    steps: Annotated[tuple[SerializeAsAny[Step], ...], Kind("step", "[[steps]] tables")] = ()
    """The steps, each a table `[[steps]]` with its name in `use`, in the order in which they are
    done."""
