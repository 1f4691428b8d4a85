"""Program listings with highlighted tokens, as static site generators emit them."""

from __future__ import annotations

from random import Random

_NAMES = (
    "data result index node value config request response buffer client server path name items "
    "count total user token parse load build update render handler model query cursor batch"
).split()
_COMMANDS = (
    "git",
    "npm",
    "docker",
    "python",
    "sudo apt",
    "cargo",
    "kubectl",
    "ssh",
    "make",
    "curl",
)


def _span(kind: str, text: str) -> str:
    prism = {"k": "keyword", "s": "string", "c": "comment", "n": "number", "f": "function"}[kind]
    return f'<span class="token {prism} hljs-{prism} {kind}">{text}</span>'


def _statement(rng: Random) -> str:
    one, two, three = (rng.choice(_NAMES) for _ in range(3))
    match rng.randrange(7):
        case 0:
            return f"{_span('k', 'if')} {one}.{two} == {_span('n', str(rng.randint(0, 99)))}:"
        case 1:
            return f"{one} = {_span('f', two)}({three}, {_span('s', repr(one))})"
        case 2:
            return f"{_span('k', 'for')} {one} {_span('k', 'in')} {_span('f', two)}({three}):"
        case 3:
            return _span("c", f"# {one} {two} {three} {rng.choice(_NAMES)}")
        case 4:
            return f"{_span('k', 'return')} {one}[{_span('n', str(rng.randint(0, 9)))}] + {two}"
        case 5:
            return f"{_span('k', 'def')} {_span('f', one)}({two}, {three}):"
        case _:
            return f"{one}.{_span('f', two)}({_span('s', repr(three))}).{rng.choice(_NAMES)}()"


def program(rng: Random, lines: int) -> str:
    """HTML of `lines` lines of a program: indented statements, blank lines between them."""
    out: list[str] = []
    depth = 0
    for _ in range(lines):
        if rng.random() < 0.08:
            out.append("")
            continue
        out.append("    " * depth + _statement(rng))
        depth = max(0, min(4, depth + rng.choice((-1, 0, 0, 0, 1))))
    return "\n".join(out)


def terminal(rng: Random, lines: int) -> str:
    """HTML of shell commands and their output."""
    out = []
    for _ in range(lines):
        words = " ".join(rng.choice(_NAMES) for _ in range(rng.randint(1, 6)))
        prompt = f"$ {rng.choice(_COMMANDS)} --{rng.choice(_NAMES)} " if rng.random() < 0.4 else ""
        out.append(prompt + words)
    return "\n".join(out)
