"""Home and landing pages: a hero, and sections that describe what is offered."""

from __future__ import annotations

from genre_model.training.synthesis import article, frame, prose, shop
from genre_model.training.synthesis.draft import Draft


def _title(d: Draft) -> str:
    sub = f"<p {d.cls('muted')}>{d.text.paragraph(6, 20)}</p>" if d.chance(0.5) else ""
    centre = "s-centre" if d.chance(0.75) else ""
    return (
        f'<div class="{centre}" style="margin-bottom:30px">'
        f"<h2 {d.cls('heading')}>{d.text.title(1, 5)}</h2>{sub}</div>"
    )


def hero(d: Draft) -> str:
    title = (
        f"<h1 {d.cls('title')} style='font-size:{d.rng.choice((36, 48, 64, 80))}px'>"
        f"{d.text.title(2, 8)}</h1>"
    )
    below = (
        f"<p>{d.text.paragraph(6, 25)}"
        f"</p>{d.button()} {d.button('button-2') if d.chance(0.5) else ''}"
    )
    if d.chance(0.6):
        return frame.banner(d, title, below, tall=0.4)
    sides = [
        f"<div>{title}{below}</div>",
        f"<div>{d.image('scene', 'screen', 'product', 'square')}</div>",
    ]
    row = "".join(sides if d.chance(0.75) else sides[::-1])
    pad = d.rng.choice((30, 80, 140))
    return (
        f'<div class="s-container" style="padding:{pad}px 16px">'
        f'<div class="s-grid" style="--n:2;align-items:center">{row}</div></div>'
    )


def features(d: Draft) -> str:
    n = d.rng.choice((2, 3, 3, 3, 4))
    boxed = d.rng.choice(("card", "feature"))
    centre = "s-centre" if d.chance(0.6) else ""
    pictured = d.chance(0.3)
    words = d.rng.choice(((4, 12), (10, 30)))

    def one() -> str:
        top = d.image("scene", "square") if pictured else d.icon(d.rng.choice((32, 48, 64)))
        return (
            f'<div class="{centre} s-{boxed} {d.kit.classes.get(boxed, "")}">{top}'
            f"<div {d.cls('card-body')}><h3>{d.text.title(1, 3)}</h3>"
            f"<p>{d.text.paragraph(*words)}</p></div></div>"
        )

    return (
        f'{_title(d)}<div class="s-grid" style="--n:{n}">'
        f"{''.join(one() for _ in range(n * d.rng.choice((1, 1, 2))))}</div>"
    )


def _about(d: Draft) -> str:
    text = (
        f"<div><h2>{d.text.title(2, 6)}</h2><p>{d.text.paragraph(20, 80)}"
        f"</p>{prose.bullets(d) if d.chance(0.4) else ''}{d.button()}</div>"
    )
    sides = [text, f"<div>{d.image('scene', 'square', 'screen')}</div>"]
    return (
        f'<div class="s-grid" style="--n:2;align-items:center">'
        f"{''.join(sides if d.chance(0.5) else sides[::-1])}</div>"
    )


def pricing(d: Draft) -> str:
    n = d.rng.choice((3, 3, 4))

    def plan() -> str:
        items = d.repeat(lambda: f"<li>{d.text.phrase(2, 4)}</li>", 3, 8)
        return (
            f'<div class="s-centre s-card {d.kit.classes.get("card", "")}">'
            f"<div {d.cls('card-body')}><h3>{d.text.label()}</h3>"
            f'<p class="s-price" style="font-size:2.2em">{d.text.price()}</p>'
            f'<ul class="s-plain s-list">{items}</ul><p></p>{d.button()}</div></div>'
        )

    return (
        f'{_title(d)}<div class="s-grid" style="--n:{n}">{"".join(plan() for _ in range(n))}</div>'
    )


def team(d: Draft) -> str:
    n = d.rng.choice((3, 4, 4))

    def member() -> str:
        return (
            f'<div class="s-centre {d.kit.classes.get("card", "")}">'
            f"{d.image('face', attributes=size)}<h4>{d.text.name()}</h4>"
            f"<p {d.cls('muted')}>{d.text.label()}</p></div>"
        )

    size = d.rng.choice(('style="width:100%"', 'style="width:150px;border-radius:50%"'))
    return (
        f'{_title(d)}<div class="s-grid" style="--n:{n}">'
        f"{''.join(member() for _ in range(n * d.rng.choice((1, 1, 2))))}</div>"
    )


def _numbers(d: Draft) -> str:
    n = d.rng.choice((3, 4))
    one = "".join(
        (
            f'<div class="s-centre"><div style="font-size:44px;font-weight:700">'
            f"{d.rng.randint(5, 9999)}</div>{d.text.label()}</div>"
        )
        for _ in range(n)
    )
    return f'<div class="s-grid" style="--n:{n}">{one}</div>'


def _praise(d: Draft) -> str:
    def one() -> str:
        return (
            f"<div {d.cls('card')}><div {d.cls('card-body')}>"
            f"<p>{d.text.paragraph(12, 45)}</p>{d.avatar(60)} <strong>{d.text.name()}"
            f"</strong></div></div>"
        )

    n = d.rng.choice((1, 2, 3))
    return (
        f'{_title(d)}<div class="s-grid" style="--n:{n}">{"".join(one() for _ in range(n))}</div>'
    )


def _logos(d: Draft) -> str:
    logos = d.repeat(
        lambda: f'<span style="font-size:26px;opacity:.55">{d.icon(34)} {d.text.label()}</span>',
        4,
        7,
    )
    return f'<div class="s-between">{logos}</div>'


def _call(d: Draft) -> str:
    return (
        f'<div class="s-centre"><h2>{d.text.title(3, 8)}</h2><p>{d.text.sentence()}'
        f"</p>{d.button()}</div>"
    )


def works(d: Draft) -> str:
    n = d.rng.choice((3, 4))
    gap = d.rng.choice((0, 8, 24))
    made = "".join(
        f'<div class="s-cover" style="--h:220px">{d.image("scene", "square", "dark")}</div>'
        for _ in range(n * 2)
    )
    return f'{_title(d)}<div class="s-grid" style="--n:{n};gap:{gap}px">{made}</div>'


def _news(d: Draft) -> str:
    return _title(d) + article.cards(d)


def _goods(d: Draft) -> str:
    return _title(d) + shop.tiles(d, 3, 8)


def _questions(d: Draft) -> str:
    made = d.repeat(
        lambda: (
            f"<div {d.cls('card', 'box')}><div {d.cls('card-body')}>"
            f"<strong>{d.text.title(4, 9)}</strong></div></div><p></p>"
        ),
        3,
        7,
    )
    return _title(d) + made


def contact(d: Draft) -> str:
    field = "".join(
        f"<div {d.cls('field')}><input {d.cls('input')} placeholder='{d.text.label()}'></div>"
        for _ in range(d.rng.randint(2, 5))
    )
    form = f"<form>{field}<textarea {d.cls('input')} rows=5></textarea><p></p>{d.button()}</form>"
    place = d.repeat(lambda: f"<p>{d.icon(20)} {d.text.phrase(2, 6)}</p>", 2, 5)
    seen = d.image("scene", attributes='style="width:100%"') if d.chance(0.4) else place
    return f'{_title(d)}<div class="s-grid" style="--n:2"><div>{form}</div><div>{seen}</div></div>'


_SECTIONS = (
    features, features, features, _about, _about, pricing, team, _numbers, _praise, _logos, _call,
    works, _news, _goods, _questions, contact,
)  # fmt: skip


def band(d: Draft, inner: str) -> str:
    """A full-width section, sometimes with its own background."""
    t = d.theme
    ground = d.rng.choice((
        "", "", "", f"background:{t.border}66", f"background:{t.accent};color:#fff",
        f"background:linear-gradient(#000a,#000a),url({d.picture('scene', 'dark')});color:#fff",
        f"background:{t.surface}", "background:#20242c;color:#ddd",
    ))  # fmt: skip
    pad = d.rng.choice((24, 50, 80, 110))
    return (
        f'<section class="s-section" style="--pad:{pad}px;{ground}'
        f';background-size:cover" data-main><div {d.cls("container")}>{inner}</div>'
        f"</section>"
    )


def service_page(d: Draft) -> str:
    """A home page, or the page of one service."""
    makers = d.pick(_SECTIONS, 2, 9)
    if d.chance(0.08):
        makers = makers[:1]
    return hero(d) + "".join(band(d, make(d)) for make in makers)
