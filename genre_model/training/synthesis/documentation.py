"""Documentation: a navigation tree at the side, text with code, a table of contents."""

from __future__ import annotations

from genre_model.training.synthesis import prose
from genre_model.training.synthesis.draft import Draft


def _tree(d: Draft) -> str:
    def branch() -> str:
        twigs = d.repeat(lambda: f"<li>{d.link(d.text.title(1, 4))}</li>", 0, 9)
        return f"<li><strong>{d.text.title(1, 3)}</strong><ul {d.cls('plain')}>{twigs}</ul></li>"

    ground = d.rng.choice(
        (
            "",
            f"background:{d.theme.surface};",
            f"border-inline-end:1px solid {d.theme.border};",
            f"background:{d.theme.header_ground};color:{d.theme.header_ink};",
        )
    )
    search = f"<input {d.cls('input')} placeholder='Search'>" if d.chance(0.5) else ""
    return (
        f'<aside data-boiler {d.cls("sidebar")} style="{ground}'
        f'padding:18px;font-size:.9em">{search}'
        f'<ul class="s-plain">{d.repeat(branch, 2, 9)}</ul></aside>'
    )


def _reference(d: Draft) -> str:
    """Entries of an API reference: a signature, its parameters, a description of each."""

    def entry() -> str:
        name = "_".join(("get", "set", "make", "find")[i] for i in range(d.rng.randint(1, 3)))
        parameters = d.repeat(
            lambda: f"<dt><code>{d.rng.choice('abcxyz')}</code></dt><dd>{d.text.sentence()}</dd>",
            1,
            5,
        )
        return (
            f"<h3><code>{name}({d.rng.choice(('x', 'x, y', 'self'))})</code></h3>"
            f"<p>{d.text.paragraph(8, 40)}</p><dl>{parameters}</dl>"
        )

    return d.repeat(entry, 3, 10)


def _steps(d: Draft) -> str:
    def step() -> str:
        return (
            prose.heading(d, 2)
            + prose.paragraph(d, 10, 60)
            + (prose.code(d, 1, 12) if d.chance(0.7) else prose.bullets(d))
        )

    return d.repeat(step, 2, 8)


def documentation_page(d: Draft) -> str:
    """A page of documentation, usually with a tree on one side, sometimes contents on the other."""
    body = d.rng.choice((_steps, _reference, lambda d: prose.prose(d, 4, 30), _steps))(d)
    title = f"<h1 {d.cls('title')}>{d.text.title(1, 5)}</h1>"
    ends = (
        f'<div class="s-between" data-boiler>{d.button("button-2")}{d.button("button-2")}</div>'
        if d.chance(0.5)
        else ""
    )
    text = f"<div><article {d.cls('prose')} data-main>{title}{body}</article>{ends}</div>"
    width = "" if d.chance(0.35) else d.cls("container")
    pad = "padding-top:20px"
    kind = d.rng.random()
    if kind < 0.4:
        links = d.repeat(lambda: f"<li>{d.link(d.text.title(1, 4))}</li>", 3, 12)
        contents = (
            f'<aside data-boiler style="font-size:.85em"><strong>{d.text.label()}'
            f'</strong><ul class="s-plain">{links}</ul></aside>'
        )
        return (
            f'<main {width} style="{pad}">'
            f'<div class="s-split three">{_tree(d)}{text}{contents}</div></main>'
        )
    if kind < 0.9:
        side = "left" if d.chance(0.85) else ""
        return (
            f'<main {width} style="{pad}"><div class="s-split {side}">{text}{_tree(d)}</div></main>'
        )
    return f'<main {d.cls("container")} style="{pad}"><div class="s-column">{text}</div></main>'
