"""Our package: its version, and what to install of its extras for a library that is missing."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Final

DISTRIBUTION: Final = "genre-crawler"
_OF_EXTRA: Final = re.compile(r"(?P<library>[\w.-]+).*; extra == \"(?P<extra>\w+)\"")
# Modules whose distribution has another name.
_DISTRIBUTIONS: Final = {
    "PIL": "pillow",
    "markdown_it": "markdown-it-py",
    "pycrfsuite": "python-crfsuite",
    "sklearn": "scikit-learn",
}
_ALL: Final = "all"


def installed_version() -> str | None:
    """The version of the package; None if it is used from its folder, uninstalled."""
    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return None


def explanation_of(error: ModuleNotFoundError, extra: str = "") -> str | None:
    """What to install for the missing module; None if it belongs to no extra.

    extra: the only one that is offered, if it has the module.
    >>> explanation_of(ModuleNotFoundError(name="tensorflow.io"))
    "tensorflow is not installed: pip install 'genre-crawler[genre]'"
    >>> explanation_of(ModuleNotFoundError(name="rich"), "train")
    "rich is not installed: pip install 'genre-crawler[train]'"
    >>> explanation_of(ModuleNotFoundError(name="no_such_module")) is None
    True
    """
    module = (error.name or "").partition(".")[0]
    extras = _extras().get(_DISTRIBUTIONS.get(module, module).replace("_", "-"), [])
    if not extras:
        return None
    offered = [extra] if extra in extras else extras
    choice = " or ".join(f"'{DISTRIBUTION}[{one}]'" for one in offered)
    return f"{module} is not installed: pip install {choice}"


def _extras() -> dict[str, list[str]]:
    """The extras that a library is part of, by the library's name."""
    try:
        requirements = requires(DISTRIBUTION) or []
    except PackageNotFoundError:
        return {}
    found: dict[str, list[str]] = {}
    for requirement in requirements:
        match = _OF_EXTRA.match(requirement)
        if match and match["extra"] != _ALL:
            found.setdefault(match["library"].lower(), []).append(match["extra"])
    return found
