"""Program listings with highlighted tokens, as static site generators emit them."""

from __future__ import annotations

import re
from random import Random

from markupsafe import Markup

_NAMES = (
    "data result index node value config request response buffer client server path name items "
    "count total user token parse load build update render handler model query cursor batch"
).split()
_COMMANDS = "git|npm|docker|python|sudo apt|cargo|kubectl|ssh|make|curl".split("|")

# Words in capitals are replaced: N by a name, D by a number, F by the name of a function.
_STATEMENTS = (
    "<keyword:if> N.N == D:",
    "N = F(N, <string:'N'>)",
    "<keyword:for> N <keyword:in> F(N):",
    "<comment:# N N N N>",
    "<keyword:return> N[D] + N",
    "<keyword:def> F(N, N):",
    "N.F(<string:'N'>).N()",
)
_MARK = re.compile(r"<(\w+):(.*?)>")


def random_listing(rng: Random, lines: int) -> Markup:
    """HTML of a program or of a terminal's contents."""
    write = _program if rng.random() < 0.7 else _terminal
    return Markup("\n").join(Markup(line) for line in write(rng, lines))  # noqa: S704 - our own


def _program(rng: Random, lines: int) -> list[str]:
    """Indented statements, blank lines between them."""
    out: list[str] = []
    depth = 0
    for _ in range(lines):
        if rng.random() < 0.08:
            out.append("")
            continue
        out.append("    " * depth + _statement(rng))
        depth = max(0, min(4, depth + rng.choice((-1, 0, 0, 0, 1))))
    return out


def _statement(rng: Random) -> str:
    marked = re.sub(r"\bF\b", "<function:N>", rng.choice(_STATEMENTS))
    marked = re.sub(r"\bD\b", lambda _: f"<number:{rng.randint(0, 99)}>", marked)
    marked = re.sub(r"\bN\b", lambda _: rng.choice(_NAMES), marked)
    return _MARK.sub(r'<span class="token \1 hljs-\1">\2</span>', marked)


def _terminal(rng: Random, lines: int) -> list[str]:
    """Shell commands and their output."""
    out = []
    for _ in range(lines):
        words = " ".join(rng.choice(_NAMES) for _ in range(rng.randint(1, 6)))
        prompt = f"$ {rng.choice(_COMMANDS)} --{rng.choice(_NAMES)} " if rng.random() < 0.4 else ""
        out.append(prompt + words)
    return out
