"""What ``deploy/Dockerfile`` says, and what of this folder the engine that reads it gets."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

_FOLDER = Path(__file__).parents[2] / "deploy"


def instructions() -> list[tuple[str, str]]:
    """Their names and arguments, with their lines joined."""
    lines = (_FOLDER / "Dockerfile").read_text().splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#")).replace("\\\n", " ")
    pairs = (line.split(maxsplit=1) for line in text.splitlines() if line.strip())
    return [(name, rest.strip()) for name, rest in pairs]


def of_dockerfile(name: str) -> list[str]:
    return [rest for found, rest in instructions() if found == name]


def variables() -> dict[str, str]:
    (line,) = of_dockerfile("ENV")
    return dict(pair.split("=") for pair in line.split())


def is_sent(name: str) -> bool:
    """Whether the engine gets this file or folder, which lies at the top."""
    lines = (_FOLDER / "Dockerfile.dockerignore").read_text().splitlines()
    return not any(fnmatch(name, line) for line in lines if not line.startswith("#"))
