"""Running text: paragraphs with links and emphasis, and what is between them."""

from __future__ import annotations

from collections.abc import Callable

from genre_model.training.synthesis import source_code
from genre_model.training.synthesis.draft import Draft


def paragraph(d: Draft, low: int = 20, high: int = 150) -> str:
    text = d.text.paragraph(low, high)
    if d.chance(0.35):
        text += f" {d.link(d.text.phrase(1, 4))} {d.text.sentence()}"
    if d.chance(0.25):
        text = f"<strong>{d.text.phrase(1, 5)}</strong> {text}"
    if d.chance(0.12):
        text += (
            f" <code>{d.rng.choice(('main()', 'npm install', 'config.yml', 'x = 1'))}"
            f"</code> {d.text.sentence()}"
        )
    return f"<p>{text}</p>"


def figure(d: Draft, *kinds: str) -> str:
    width = d.rng.choice((100, 100, 100, 80, 60, 45))
    image = d.image(*kinds, attributes=f'{d.cls("picture")} style="width:{width}%"')
    caption = f"<figcaption>{d.text.sentence()}</figcaption>" if d.chance(0.4) else ""
    return f"<figure>{image}{caption}</figure>"


def code(d: Draft, low: int = 2, high: int = 30) -> str:
    write = source_code.program if d.chance(0.7) else source_code.terminal
    return (
        f'<pre class="language-python hljs">'
        f'<code class="language-python">{write(d.rng, d.rng.randint(low, high))}'
        f"</code></pre>"
    )


def bullets(d: Draft) -> str:
    tag = d.rng.choice(("ul", "ul", "ol"))
    longest = d.rng.choice((8, 20, 45))

    def item() -> str:
        nested = f"<ul>{d.repeat(lambda: f'<li>{d.text.phrase(2, 8)}</li>', 2, 4)}</ul>"
        inner = nested if d.chance(0.1) else ""
        return f"<li>{d.text.phrase(2, longest)}{inner}</li>"

    return f"<{tag}>{d.repeat(item, 2, 9)}</{tag}>"


def table(d: Draft) -> str:
    columns = d.rng.randint(2, 6)

    def row(tag: str) -> str:
        cells = (f"<{tag}>{d.text.phrase(1, 5)}</{tag}>" for _ in range(columns))
        return f"<tr>{''.join(cells)}</tr>"

    body = d.repeat(lambda: row("td"), 3, 12)
    return f"<table {d.cls('table')}><thead>{row('th')}</thead><tbody>{body}</tbody></table>"


def heading(d: Draft, level: int) -> str:
    return f"<h{level} {d.cls('heading')}>{d.text.title(2, 8)}</h{level}>"


def _quote(d: Draft) -> str:
    return f"<blockquote {d.cls('quote')}>{d.text.paragraph(10, 40)}</blockquote>"


def _alert(d: Draft) -> str:
    return f"<div {d.cls('alert')}>{d.text.paragraph(8, 40)}</div>"


def _gallery(d: Draft) -> str:
    tiles = d.repeat(lambda: d.image("scene", "square"), 2, 6)
    return (
        f'<div class="s-grid" style="--n:{d.rng.randint(2, 3)};gap:8px;margin:1em 0">{tiles}</div>'
    )


_BLOCKS: dict[str, Callable[[Draft], str]] = {
    "code": code,
    "list": bullets,
    "table": table,
    "quote": _quote,
    "alert": _alert,
    "gallery": _gallery,
    "photo": lambda d: figure(d, "scene", "square", "dark"),
    "chart": lambda d: figure(d, "chart", "screen"),
}

_HABITS: tuple[dict[str, float], ...] = (
    {},
    {"photo": 0.12, "quote": 0.05, "list": 0.06},
    {"photo": 0.35, "gallery": 0.06},
    {"code": 0.32, "list": 0.1, "chart": 0.06, "alert": 0.04},
    {"code": 0.55, "list": 0.05},
    {"chart": 0.22, "list": 0.15, "code": 0.1, "table": 0.05},
    {"list": 0.3, "quote": 0.1, "table": 0.06},
    {"table": 0.15, "code": 0.1, "alert": 0.08, "list": 0.12},
    {"list": 0.05, "quote": 0.08, "photo": 0.04},
)
"""The probability of a block other than a paragraph, for several kinds of text."""


def prose(d: Draft, low: int = 3, high: int = 40) -> str:
    """A body of `low` to `high` blocks, in the style of one kind of text."""
    habit = d.rng.choice(_HABITS)
    headings = d.rng.choice((0.0, 0.08, 0.18, 0.3))
    shortest, longest = d.rng.choice(((8, 40), (20, 90), (30, 150), (60, 180)))
    blocks = [paragraph(d, shortest, longest)]
    goal = low + (high - low) * d.rng.random() ** 1.6
    while len(blocks) < goal:
        if d.chance(headings):
            blocks.append(heading(d, d.rng.choice((2, 2, 3))))
        names = [name for name in habit if d.chance(habit[name])]
        blocks += [_BLOCKS[name](d) for name in names] or [paragraph(d, shortest, longest)]
    return "".join(blocks)
