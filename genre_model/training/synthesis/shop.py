"""Shops: product pages and collections of products."""

from __future__ import annotations

from genre_model.training.synthesis import frame, prose
from genre_model.training.synthesis.draft import Draft


def _tile(d: Draft, named: str, *, boxed: bool, buy: bool, stars: bool) -> str:
    price = f'<p class="s-price">{d.text.price()}</p>'
    lines = (
        f"<h4>{d.link(d.text.title(1, 5))}"
        f"</h4>{_stars(d) if stars else ''}{price}{d.button() if buy else ''}"
    )
    badge = f"<span {d.cls('badge')}>{d.text.label()}</span>" if d.chance(0.15) else ""
    image = (
        f"<div {d.cls('card-image')}>{d.image(*named.split(), attributes='style=width:100%')}</div>"
    )
    return (
        f"<div {d.cls('card' if boxed else 'tile')} data-item data-main>{image}"
        f"<div {d.cls('card-body')}>{badge}{lines}</div></div>"
    )


def _stars(d: Draft) -> str:
    return f'<div style="color:#f5a623">{"★" * d.rng.randint(3, 5)}</div>'


def tiles(d: Draft, low: int, high: int) -> str:
    """A grid of products."""
    n = d.rng.choice((2, 3, 3, 4, 4, 5))
    named = d.rng.choice(("product", "product", "product square", "scene square", "square"))
    boxed, buy, stars = d.chance(0.6), d.chance(0.5), d.chance(0.4)
    centre = "s-centre" if d.theme.centred else ""
    made = d.repeat(lambda: _tile(d, named, boxed=boxed, buy=buy, stars=stars), low, high)
    return f'<div class="s-grid {centre}" style="--n:{n}">{made}</div>'


def _filters(d: Draft) -> str:
    def group() -> str:
        boxes = d.repeat(
            lambda: (
                f'<label style="display:block">'
                f'<input type="checkbox" style="width:auto"> {d.text.label()}</label>'
            ),
            3,
            8,
        )
        return f"<div {d.cls('widget')}><h4>{d.text.label()}</h4>{boxes}</div>"

    return f"<aside {d.cls('sidebar')} data-boiler>{d.repeat(group, 2, 5)}</aside>"


def collection_page(d: Draft) -> str:
    """A category of a shop: products in a grid or a column, filters, a sort order."""
    title = f"<h1 {d.cls('title')}>{d.text.title(1, 3)}</h1>"
    hero = frame.banner(d, title, tall=0.0) if d.chance(0.35) else ""
    order = (
        f'<div class="s-between" style="margin-bottom:20px">'
        f"<span {d.cls('muted')}>{d.text.phrase(3, 6)}</span>"
        f'<select style="width:180px"><option>{d.text.label()}</option></select></div>'
        if d.chance(0.6)
        else ""
    )
    if d.chance(0.8):
        products = tiles(d, *d.rng.choice(((1, 4), (6, 12), (9, 24), (12, 32))))
    else:
        products = d.repeat(lambda: _line(d), 3, 12)
    crumbs = frame.breadcrumb(d) if d.chance(0.4) else ""
    body = ("" if hero else title) + order + products + frame.pagination(d)
    if d.theme.sidebar == "none":
        main = body
    else:
        main = frame.split(d, body, _filters(d) if d.chance(0.6) else None)
    return f'{hero}<main class="s-main"><div {d.cls("container")}>{crumbs}{main}</div></main>'


def _line(d: Draft) -> str:
    return (
        f'<div {d.cls("entry", "box")} data-item data-main><div class="s-row">'
        f'<div class="s-thumb" style="--w:200px;--h:180px">'
        f'{d.image("product", "square")}</div><div class="s-grow">'
        f"<h3>{d.link(d.text.title(2, 6))}</h3>"
        f'<p>{d.text.paragraph(8, 40)}</p><p class="s-price">{d.text.price()}'
        f"</p>{d.button()}</div></div></div>"
    )


def _views(d: Draft) -> str:
    big = d.image("product", "product", "square", attributes='style="width:100%" data-main')
    small = d.repeat(lambda: d.image("product", attributes='style="width:100%"'), 0, 5)
    return f'<div>{big}<div class="s-grid" style="--n:5;gap:8px;margin-top:8px">{small}</div></div>'


def _offer(d: Draft) -> str:
    choice = d.repeat(
        lambda: (
            f'<select style="width:160px;margin:0 8px 12px 0"><option>{d.text.label()}'
            f"</option></select>"
        ),
        0,
        3,
    )
    number = '<input value="1" style="width:70px;display:inline-block"> '
    notes = d.repeat(lambda: f"<li>{d.text.phrase(2, 8)}</li>", 0, 6)
    stars = _stars(d) if d.chance(0.6) else ""
    return (
        f"<div data-main><h1 {d.cls('title')}>{d.text.title(2, 6)}</h1>{stars}"
        f'<p class="s-price" style="font-size:1.6em">{d.text.price()}</p>'
        f"<p>{d.text.paragraph(12, 60)}</p>"
        f"<ul>{notes}</ul>{choice}<p>{number}{d.button()}</p>"
        f"<p {d.cls('muted')}>{d.text.label()}: {d.link(d.text.label())}</p></div>"
    )


def _tabs(d: Draft) -> str:
    names = d.repeat(lambda: f'<li style="padding:10px 20px">{d.link(d.text.label())}</li>', 2, 4)
    text = prose.table(d) if d.chance(0.3) else prose.prose(d, 1, 8)
    return (
        f'<ul class="s-inline" style="margin-top:30px">{names}</ul>'
        f"<div {d.cls('prose', 'box')} data-main>{text}</div>"
    )


def product_page(d: Draft) -> str:
    """One product: pictures, offer, description, other products."""
    crumbs = frame.breadcrumb(d) if d.chance(0.6) else ""
    sides = [_views(d), _offer(d)]
    shape = d.rng.choice(("1fr 1fr", "2fr 3fr", "3fr 2fr"))
    offer = (
        f'<div class="s-grid" style="grid-template-columns:{shape};gap:40px">'
        f"{''.join(sides if d.chance(0.85) else sides[::-1])}</div>"
    )
    also = (
        f"<section data-boiler><h2>{d.text.title(1, 3)}</h2>{tiles(d, 3, 5)}</section>"
        if d.chance(0.75)
        else ""
    )
    body = offer + (_tabs(d) if d.chance(0.8) else "")
    main = (
        frame.split(d, body) + also if d.theme.sidebar != "none" and d.chance(0.3) else body + also
    )
    hero = frame.banner(d, f"<h1>{d.text.label()}</h1>", tall=0.0) if d.chance(0.15) else ""
    return f'{hero}<main class="s-main"><div {d.cls("container")}>{crumbs}{main}</div></main>'
