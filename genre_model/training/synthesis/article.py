"""Articles: a title, a byline, one text, and what sites put after it."""

from __future__ import annotations

from genre_model.training.synthesis import frame, prose
from genre_model.training.synthesis.draft import Draft


def particulars(d: Draft) -> str:
    """The line with date, author, category, reading time."""
    parts = d.pick(
        (
            d.text.date(),
            d.text.name(),
            d.link(d.text.label()),
            f"{d.rng.randint(1, 25)} min",
            d.text.label(),
        ),
        1,
        4,
    )
    mark = d.rng.choice((" · ", " | ", " / ", " &nbsp; "))
    icons = d.chance(0.3)
    return (
        f"<p {d.cls('muted')}>"
        f"{mark.join((d.icon(13) + ' ' if icons else '') + part for part in parts)}"
        f"</p>"
    )


def comments(d: Draft) -> str:
    """Readers' comments and the form for a new one."""

    def comment() -> str:
        shift = d.rng.choice((0, 0, 40))
        return (
            f'<div class="s-row {d.kit.classes.get("comment", "")}" style="margin:0 0 '
            f'24px {shift}px">{d.avatar(48)}'
            f'<div class="s-grow"><strong>{d.text.name()}</strong> <time>{d.text.date()}</time>'
            f"<p>{d.text.paragraph(5, 60)}</p></div></div>"
        )

    field = f"<div {d.cls('field')}><input {d.cls('input')} placeholder='{d.text.label()}'></div>"
    form = (
        f"<form><h3>{d.text.title(1, 4)}</h3><textarea {d.cls('input')} rows=5></textarea>"
        f"{field * d.rng.randint(0, 3)}<p></p>{d.button()}</form>"
    )
    shown = d.repeat(comment, 0, 8)
    return (
        f"<section data-boiler><h3>{d.rng.randint(0, 40)} {d.text.label()}"
        f"</h3>{shown}{form if d.chance(0.7) else ''}</section>"
    )


def cards(d: Draft, count: int | None = None) -> str:
    """A row of small cards that lead to other pages."""
    n = count or d.rng.choice((2, 3, 3, 4))
    total = n * d.rng.choice((1, 1, 2))

    def card() -> str:
        image = f"<div {d.cls('card-image')}>{d.image('scene', 'square')}</div>" if pictured else ""
        return (
            f"<div {d.cls('card')}>{image}<div {d.cls('card-body')}>"
            f"<h4>{d.link(d.text.title(3, 8))}</h4><time>{d.text.date()}</time></div>"
            f"</div>"
        )

    pictured = d.chance(0.8)
    return f'<div class="s-grid" style="--n:{n}">{"".join(card() for _ in range(total))}</div>'


def _related(d: Draft) -> str:
    title = f"<h3>{d.text.title(1, 3)}</h3>"
    if d.chance(0.6):
        return f"<section data-boiler>{title}{cards(d)}</section>"
    items = d.repeat(
        lambda: f"<li>{d.link(d.text.title(4, 10))} <time>{d.text.date()}</time></li>", 3, 10
    )
    return f"<section data-boiler>{title}<ul {d.cls('list')}>{items}</ul></section>"


def _neighbours(d: Draft) -> str:
    ends = "".join(f"<div>{d.link(d.text.title(3, 7))}</div>" for _ in range(2))
    return f'<nav class="s-between" style="margin:24px 0" data-boiler>{ends}</nav>'


def _author(d: Draft) -> str:
    return (
        f'<div {d.cls("box")} data-boiler><div class="s-row">{d.avatar(90)}<div class="s-grow">'
        f"<h4>{d.text.name()}</h4><p>{d.text.paragraph(10, 45)}</p></div></div></div>"
    )


def _tags(d: Draft) -> str:
    return (
        f'<p class="s-inline" data-boiler>'
        f"{d.repeat(lambda: d.link(d.text.label(), 'badge'), 1, 8)}</p>"
    )


def _share(d: Draft) -> str:
    return f'<p class="s-inline" data-boiler>{d.repeat(lambda: d.icon(24), 3, 6)}</p>'


def _after(d: Draft) -> str:
    makers = d.pick((_related, _neighbours, _author, _tags, _share, comments), 0, 5)
    return "".join(make(d) for make in makers)


def _contents(d: Draft) -> str:
    items = d.repeat(lambda: f"<li>{d.link(d.text.title(2, 6))}</li>", 4, 14)
    return (
        f"<nav data-boiler {d.cls('box')}><strong>{d.text.label()}</strong><ul>{items}</ul></nav>"
    )


def article_page(d: Draft, low: int = 2, high: int = 45) -> str:
    """The body of an article's page, from very short to several screens long."""
    if d.chance(0.2):
        high = 6
    title = f"<h1 {d.cls('title')} data-main>{d.text.title(3, 13)}</h1>"
    lead = f"<p {d.cls('lead')} data-main>{d.text.paragraph(10, 35)}</p>" if d.chance(0.15) else ""
    meta = particulars(d) if d.chance(0.9) else ""
    crumbs = frame.breadcrumb(d) if d.chance(0.2) else ""
    cover_height = d.rng.choice((240, 320, 420, 560))
    cover = (
        (
            f'<div class="s-cover" style="--h:{cover_height}px" data-main>'
            f"{d.image('scene', 'dark', 'screen')}</div>"
        )
        if d.chance(0.4)
        else ""
    )
    contents = _contents(d) if d.chance(0.15) else ""
    body = f"<div {d.cls('prose')} data-main>{prose.prose(d, low, high)}</div>"
    hero, head = "", ""
    if d.chance(0.28):
        hero = frame.banner(d, title, meta, tall=0.15)
    else:
        centre = "s-centre" if d.theme.centred else ""
        lines = (title, meta, lead) if d.chance(0.8) else (meta, title, lead)
        parts = [f'<div class="{centre}">{"".join(lines)}</div>', cover]
        head = "".join(parts if d.chance(0.7) else reversed(parts))
    text = f"<article {d.cls('box')}>{crumbs}{head}{contents}{body}</article>"
    after = _after(d)
    if d.chance(0.25):
        main = frame.split(d, text) + f"<div>{after}</div>"
    else:
        main = frame.split(d, text + after)
    return f'{hero}<main class="s-main"><div {d.cls("container")}>{main}</div></main>'
