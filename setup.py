"""The package's dependencies and extras: the parts of requirements.txt, by their headings."""

from __future__ import annotations

import re
from pathlib import Path

from setuptools import setup

_HEADING = re.compile(r"# \[(?P<extra>\w+)\]")


def parts(requirements: str) -> dict[str, list[str]]:
    """Requirements by extra; those before the first heading, which are always needed, by ``""``."""
    found: dict[str, list[str]] = {"": []}
    extra = ""
    for line in requirements.splitlines():
        if heading := _HEADING.match(line):
            extra = heading["extra"]
            found[extra] = []
        elif requirement := line.partition("#")[0].strip():
            found[extra].append(requirement)
    return found


if __name__ == "__main__":
    extras = parts((Path(__file__).parent / "requirements.txt").read_text(encoding="utf-8"))
    always = extras.pop("")
    extras["all"] = sorted({requirement for part in extras.values() for requirement in part})
    setup(install_requires=always, extras_require=extras)
