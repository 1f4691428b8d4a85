"""The methods by name. A new method is a module and a line here."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from extraction.interface import Extractor

# name -> "module:factory"; the factory takes no argument. Modules are imported on first use, so
# that the libraries of methods that are not used (TensorFlow, the peers) are not loaded.
_METHODS = {
    "all-text": "extraction.methods.all_text:AllText",
    "goce": "extraction.methods.goce:Goce",
    "goce-article": "extraction.methods.goce:GoceArticle",
    "goce-list-view": "extraction.methods.goce:GoceListView",
    "bte": "extraction.methods.bte:BodyTextExtraction",
    "boilerpipe-article": "extraction.methods.boilerpipe:article",
    "boilerpipe-default": "extraction.methods.boilerpipe:default",
    "boilerpipe-canola": "extraction.methods.boilerpipe:canola",
    "web2text": "extraction.methods.web2text:Web2Text",
    "victor": "extraction.methods.victor:Victor",
    "boosted-blocks": "extraction.methods.boosted_blocks:BoostedBlocks",
    "elements": "extraction.methods.elements:Elements",
    "trafilatura": "extraction.methods.trafilatura:default",
    "trafilatura-precision": "extraction.methods.trafilatura:precision",
    "trafilatura-recall": "extraction.methods.trafilatura:recall",
    "readability": "extraction.methods.readability:Readability",
    "justext": "extraction.methods.justext:JusText",
    "resiliparse": "extraction.methods.resiliparse:Resiliparse",
    "newspaper": "extraction.methods.newspaper:Newspaper",
}

# The packages of peers whose name differs from that of the module to import.
_PACKAGES = {
    "newspaper": "newspaper4k",
    "readability": "readability-lxml",
}

# The method used if none is chosen.
DEFAULT = "boosted-blocks"


def names() -> tuple[str, ...]:
    """The names of all methods, without the alias ``default``."""
    return tuple(_METHODS)


def extractor(name: str = "default") -> Extractor:
    """The method of that name, with its model loaded; ``default`` is the one we recommend.

    Raises ValueError for an unknown name, ImportError if the method's library is not installed.
    """
    known = ("default", *_METHODS)
    if name not in known:
        raise ValueError(
            f"unknown extraction method {name!r}; it must be one of {', '.join(known)}"
        )
    return _made(DEFAULT if name == "default" else name)


@cache
def _made(name: str) -> Extractor:
    module, factory = _METHODS[name].split(":")
    try:
        made: Extractor = getattr(import_module(module), factory)()
    except ModuleNotFoundError as error:
        raise ImportError(_lack(name, error)) from error
    return made


def _lack(name: str, error: ModuleNotFoundError) -> str:
    """What the method lacks: a library of ours, which an extra brings, or that of a peer."""
    # It reads the metadata of packages, which takes time that only errors need.
    from corpus_commons.extras import explanation_of  # noqa: PLC0415

    if explanation := explanation_of(error):
        return f"{name}: {explanation}"
    library = (error.name or "").partition(".")[0]
    package = _PACKAGES.get(library, library)
    return f"{name} needs the package {package}: pip install {package}"
