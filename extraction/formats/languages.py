"""The programming language of a code block, from the class names that highlighters use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpus_commons.markup.dom import Dom

_ATTRIBUTES: Final = ("data-lang", "data-language")
_NAME: Final = r"([a-z][a-z0-9+#._-]{0,29})"
# Prism and Rouge, Google's prettify, GitHub, Sphinx, MediaWiki; Pandoc, highlight.js,
# SyntaxHighlighter.
_CLASSES: Final = (
    re.compile(
        rf"(?:^|\s)(?:language|lang|highlight-source|highlight|mw-highlight-lang)-{_NAME}(?=\s|$)"
    ),
    re.compile(rf"(?:^|\s)(?:sourcecode|hljs|brush:)\s+{_NAME}(?=\s|;|$)"),
)
# Hexo: only on <figure>, because the words mean other things elsewhere.
_OF_FIGURE: Final = re.compile(rf"^highlight\s+{_NAME}$")
_NO_LANGUAGE: Final = frozenset(
    "none plain plaintext text txt default notranslate nohighlight".split()
)
# Highlighters wrap the code in one or two elements, and some in a table with line numbers.
_STEPS_UP: Final = 2
_NO_STEPS: Final = frozenset(("code", "table", "tbody", "tr", "td"))


def language_of(dom: Dom, pre: int) -> str:
    """The language of the preformatted element; empty if no class names one."""
    for node in _named(dom, pre):
        attributes = dom.attributes[node]
        for attribute in _ATTRIBUTES:
            if found := re.fullmatch(_NAME, (attributes.get(attribute) or "").lower()):
                return found[1]
        names = (attributes.get("class") or "")[:300].lower().strip()
        is_figure = dom.tags[node] == "figure"
        for pattern in (_OF_FIGURE, *_CLASSES) if is_figure else _CLASSES:
            found = pattern.search(names)
            if found and found[1] not in _NO_LANGUAGE:
                return found[1]
    return ""


def _named(dom: Dom, pre: int) -> Iterator[int]:
    """The element, a ``<code>`` at its beginning, and the elements around it."""
    yield pre
    if pre + 1 < dom.ends[pre] and dom.tags[pre + 1] == "code":
        yield pre + 1
    node, steps = int(dom.parents[pre]), 0
    while node >= 0 and steps < _STEPS_UP:
        yield node
        steps += dom.tags[node] not in _NO_STEPS
        node = int(dom.parents[node])
