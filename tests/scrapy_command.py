"""``scrapy`` as a user types it in the project's folder."""

from __future__ import annotations

import subprocess

import loaded_program


def scrapy(
    *arguments: object, standard_input: str = "", stdout: int = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    return loaded_program.run(
        "scrapy", *map(str, arguments), standard_input=standard_input, stdout=stdout
    )
