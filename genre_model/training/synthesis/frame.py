"""What surrounds the content: the site's header and footer, sidebars, cookie bars."""

from __future__ import annotations

from genre_model.training.synthesis.draft import Draft


def menu(d: Draft, low: int = 3, high: int = 8) -> str:
    def item() -> str:
        return f"<li {d.cls('menu-item')}>{d.link(d.text.label(), 'menu-link')}</li>"

    return f"<ul {d.cls('menu')}>{d.repeat(item, low, high)}</ul>"


def _brand(d: Draft) -> str:
    logo = d.icon(d.rng.choice((20, 32, 48))) if d.chance(0.4) else ""
    return f'<a href="#" {d.cls("brand")}>{logo} {d.site}</a>'


def _tools(d: Draft) -> str:
    """The end of the menu bar."""
    kind = d.rng.random()
    if kind < 0.45:
        return ""
    if kind < 0.65:
        return d.button()
    if kind < 0.8:
        return f'<form style="width:200px"><input {d.cls("input")} placeholder="Search"></form>'
    return f"<span {d.cls('inline')}>{d.repeat(lambda: d.icon(18), 1, 5)}</span>"


def header(d: Draft) -> str:
    """The site's header in the theme's arrangement."""
    kind = d.theme.header
    sticky = "s-sticky" if d.theme.sticky else ""
    inside = d.cls("container")
    if kind == "side":
        face = d.avatar(100) if d.chance(0.6) else ""
        icons = d.repeat(lambda: d.icon(18), 2, 5)
        return (
            f'<div class="s-side" data-boiler>{face}<h2>{d.site}</h2>'
            f"<p>{d.text.phrase(3, 9)}</p><nav>{menu(d)}</nav><p>{icons}</p></div>"
        )
    bar = f"<nav {d.cls('nav')}>{_brand(d)}{menu(d)}{_tools(d)}</nav>"
    if kind == "centred":
        body = (
            f'<div class="s-centre">{_brand(d)}<p>{d.text.phrase(2, 8)}</p></div>'
            f'<nav {d.cls("nav")} style="justify-content:center">{menu(d)}</nav>'
        )
    elif kind == "masthead":
        advert = d.image("scene", attributes='style="width:620px;height:80px;object-fit:cover"')
        body = (
            f'<div class="s-between">{_brand(d)}{advert}</div>'
            f"<nav {d.cls('nav')}>{menu(d, 6, 11)}</nav>"
        )
    elif kind == "topbar":
        icons = d.repeat(lambda: d.icon(15), 3, 6)
        body = (
            f'<div class="s-between s-muted"><span>{d.text.phrase(2, 6)}</span>{icons}</div>{bar}'
        )
    elif kind == "tiny":
        body = (
            f'<div class="s-inline">{_brand(d)}'
            f"{d.repeat(lambda: d.link(d.text.label()), 1, 4)}</div>"
        )
    else:
        body = bar
    over = 'style="position:absolute;left:0;right:0;top:0;z-index:5;background:#0006!important"'
    place = over if kind == "overlay" else ""
    return (
        f'<header class="s-header {sticky}" data-boiler {place}><div {inside}>{body}</div></header>'
    )


def footer(d: Draft) -> str:
    """The site's footer, from nothing to several rows of columns."""
    kind = d.rng.random()
    line = f"<p {d.cls('muted')}>© {d.rng.randint(2012, 2025)} {d.site}. {d.text.phrase(3, 9)}</p>"
    if kind < 0.08:
        return ""
    if kind < 0.4:
        place = "s-centre" if d.chance(0.6) else ""
        body, pad = f'<div class="{place}">{line}</div>', d.rng.choice((12, 30, 60))
    else:
        rows = d.repeat(lambda: _footer_columns(d), 1, 2 if d.chance(0.3) else 1)
        bottom = (
            f'<hr><div class="s-between">{line}'
            f"<span>{d.repeat(lambda: d.icon(18), 0, 6)}</span></div>"
        )
        body, pad = rows + bottom, d.rng.choice((24, 50, 90))
    return (
        f"<footer {d.cls('footer')} data-boiler><div {d.cls('container')} "
        f'style="padding-top:{pad}px;padding-bottom:{pad // 2}px">{body}</div></footer>'
    )


def _footer_columns(d: Draft) -> str:
    def links() -> str:
        items = d.repeat(lambda: f"<li>{d.link(d.text.label())}</li>", 3, 8)
        return f'<div><h4>{d.text.label()}</h4><ul class="s-plain">{items}</ul></div>'

    def about() -> str:
        return f"<div><h4>{d.site}</h4><p>{d.text.paragraph(10, 40)}</p></div>"

    def letter() -> str:
        return f"<div><h4>{d.text.label()}</h4><input {d.cls('input')}>{d.button()}</div>"

    def shots() -> str:
        tiles = d.repeat(lambda: d.image("square"), 4, 9)
        return (
            f"<div><h4>{d.text.label()}</h4>"
            f'<div class="s-grid" style="--n:3;gap:6px">{tiles}</div></div>'
        )

    count = d.rng.randint(2, 5)
    makers = d.rng.choices((links, about, letter, shots), (5, 3, 1, 1), k=count)
    columns = "".join(make() for make in makers)
    return f'<div class="s-grid" style="--n:{count};margin-bottom:24px">{columns}</div>'


def _links_list(d: Draft, low: int, high: int, titles: bool = False) -> str:
    def item() -> str:
        text = d.text.title(4, 10) if titles else d.text.label()
        count = f" ({d.rng.randint(1, 99)})" if not titles and d.chance(0.4) else ""
        return f"<li {d.cls('list-item')}>{d.link(text)}{count}</li>"

    return (
        f'<ul {d.cls("list")} style="padding-left:0;list-style:none">'
        f"{d.repeat(item, low, high)}</ul>"
    )


def _thumbnails(d: Draft) -> str:
    def item() -> str:
        thumb = f'<div class="s-thumb" style="--w:80px;--h:64px">{d.image("scene", "square")}</div>'
        return (
            f'<div class="s-row" style="gap:12px;margin-bottom:12px">{thumb}'
            f'<div class="s-grow">{d.link(d.text.title(3, 8))}<br><time>{d.text.date()}'
            f"</time></div></div>"
        )

    return d.repeat(item, 3, 6)


def _widget_body(d: Draft) -> str:
    kind = d.rng.randrange(9)
    if kind == 0:
        return f'<form class="s-row" style="gap:6px"><input {d.cls("input")}>{d.button()}</form>'
    if kind == 1:
        return _links_list(d, 4, 10, titles=True)
    if kind == 2:
        tags = d.repeat(lambda: d.link(d.text.label(), "badge"), 6, 24)
        return f'<div class="s-inline" style="gap:6px">{tags}</div>'
    if kind == 3:
        return (
            f'<div class="s-centre">{d.avatar(96)}<h4>{d.text.name()}</h4>'
            f"<p>{d.text.paragraph(8, 30)}</p></div>"
        )
    if kind == 4:
        return d.image("scene", "square", "product", attributes='style="width:100%"')
    if kind == 5:
        return _thumbnails(d)
    if kind == 6:
        return f"<p>{d.text.paragraph(8, 25)}</p><input {d.cls('input')}><p></p>{d.button()}"
    return _links_list(d, 4, 14)


def sidebar(d: Draft) -> str:
    def widget() -> str:
        title = f"<h3 {d.cls('widget-title')}>{d.text.label()}</h3>" if d.chance(0.9) else ""
        return (
            f"<div {d.cls('widget')}>{title}"
            f"<div {d.cls('widget-body')}>{_widget_body(d)}</div></div>"
        )

    return f"<aside {d.cls('sidebar')} data-boiler>{d.repeat(widget, 2, 7)}</aside>"


def overlays(d: Draft) -> str:
    """Overlays: a cookie bar, a corner button."""
    out = ""
    if d.chance(0.07):
        top = d.rng.choice((0, 910, 930))
        out += (
            f'<div class="s-cookie" style="--top:{top}px" data-boiler>'
            f"<span>{d.text.paragraph(8, 25)}</span>{d.button()}{d.button('button-2')}</div>"
        )
    if d.chance(0.12):
        out += '<div class="s-corner" data-boiler></div>'
    return out


def pagination(d: Draft) -> str:
    kind = d.rng.random()
    if kind < 0.25:
        return ""
    if kind < 0.45:
        ends = d.button("button-2") + d.button("button-2")
        return f'<nav class="s-between">{ends}</nav>'

    def number(page: int) -> str:
        on = "on active is-current" if page == 1 else ""
        return (
            f"<li {d.cls('page-item')}>"
            f'<a href="#" class="s-page-link {d.kit.classes.get("page-link", "")} {on}">'
            f"{page}</a></li>"
        )

    numbers = "".join(number(page) for page in range(1, d.rng.randint(3, 9)))
    place = "justify-content:center" if d.chance(0.5) else ""
    return (
        f'<ul class="s-pages {d.kit.classes.get("pagination", "")}" style="{place}">{numbers}</ul>'
    )


def breadcrumb(d: Draft) -> str:
    crumbs = d.repeat(lambda: f"<li {d.cls('crumb')}>{d.link(d.text.label())}</li>", 2, 4)
    return f'<ol class="s-inline {d.kit.classes.get("breadcrumb", "")}" data-boiler>{crumbs}</ol>'


def banner(d: Draft, title: str, below: str = "", tall: float = 0.1) -> str:
    """A wide band with the page's title over a picture or a colour."""
    kind = "tall" if d.chance(tall) else ""
    ground = (
        f"background-image:linear-gradient(#0007,#0007),url({d.picture('scene', 'dark')});"
        if d.chance(0.65)
        else ""
    )
    pad = d.rng.choice((40, 70, 110, 180, 260))
    centre = "s-centre" if d.chance(0.7) else ""
    return (
        f'<div class="s-hero {kind}" style="{ground}--pad:{pad}px;color:#fff"><div class="s-inner">'
        f'<div class="s-container {centre}">{title}{below}</div></div></div>'
    )


def split(d: Draft, main: str, side: str | None = None) -> str:
    """`main` beside a sidebar, on the theme's side, or alone in the text column."""
    if d.theme.sidebar == "none":
        return f'<div class="s-column">{main}</div>'
    order = "left" if d.theme.sidebar == "left" else ""
    aside = side if side is not None else sidebar(d)
    return f'<div class="s-split {order}"><div>{main}</div>{aside}</div>'
