"""Lists of texts: blog fronts, archives, search results, tag pages, news fronts."""

from __future__ import annotations

from collections.abc import Callable

from genre_model.training.synthesis import article, frame, prose
from genre_model.training.synthesis.draft import Draft


def _title(d: Draft, level: int = 2) -> str:
    return f"<h{level} {d.cls('card-title')}>{d.link(d.text.title(3, 11))}</h{level}>"


def _more(d: Draft) -> str:
    return f"<p>{d.button(d.rng.choice(('button', 'button-2', 'more')))}</p>"


class _Entries:
    """Entries of one list look alike: their parts are chosen once, at random."""

    def __init__(self, d: Draft) -> None:
        self.d = d
        self.level = d.rng.choice((2, 2, 3, 4))
        self.meta = d.chance(0.8)
        self.meta_first = d.chance(0.25)
        self.more = d.chance(0.45)
        self.words = d.rng.choice(((0, 0), (8, 25), (20, 45), (20, 60), (50, 160)))
        self.excerpted = self.words[1] > 0
        self.tags = d.chance(0.25)
        self.thumb = (d.rng.choice((110, 160, 220, 300, 400)), d.rng.choice((90, 130, 180, 240)))
        self.reverse = d.chance(0.35)
        self.pictured = d.rng.choice((1.0, 1.0, 0.5))
        self.tall = d.rng.choice((160, 200, 260, 360, 480))

    def words_of_one(self) -> str:
        d = self.d
        lines = [_title(d, self.level)]
        if self.meta:
            lines.insert(0 if self.meta_first else 1, article.particulars(d))
        if self.excerpted:
            lines.append(f"<p {d.cls('excerpt')}>{d.text.paragraph(*self.words)}</p>")
        if self.tags:
            lines.append(
                f'<p class="s-inline">{d.repeat(lambda: d.link(d.text.label(), "badge"), 1, 4)}</p>'
            )
        if self.more:
            lines.append(_more(d))
        return "".join(lines)

    def entry(self, inner: str, *roles: str) -> str:
        tag = self.d.rng.choice(("article", "div"))
        return f"<{tag} {self.d.cls(*roles)} data-item data-main>{inner}</{tag}>"

    def row(self) -> str:
        d, (width, height) = self.d, self.thumb
        thumb = (
            f'<div class="s-thumb" style="--w:{width}px;--h:{height}px">'
            f"{d.image('scene', 'square', 'screen')}</div>"
        )
        order = "reverse" if self.reverse else ""
        shown = thumb if d.chance(self.pictured) else ""
        return self.entry(
            (
                f'<div class="s-row {order}">{shown}'
                f'<div class="s-grow">{self.words_of_one()}</div></div>'
            ),
            "entry",
            "box",
        )

    def text(self) -> str:
        return self.entry(self.words_of_one(), "entry", "box")

    def stack(self) -> str:
        d = self.d
        cover = (
            f'<div class="s-cover" style="--h:{self.tall}px">'
            f"{d.image('scene', 'dark', 'screen')}</div>"
        )
        shown = cover if d.chance(self.pictured) else ""
        inner = [shown, self.words_of_one()]
        return self.entry("".join(reversed(inner) if self.reverse else inner), "entry", "box")

    def card(self) -> str:
        d = self.d
        cover = (
            f'<div class="s-cover {d.kit.classes.get("card-image", "")}" style="--h:'
            f'{min(self.tall, 260)}px">{d.image("scene", "square", "chart")}</div>'
        )
        shown = cover if d.chance(self.pictured) else ""
        return self.entry(f"{shown}<div {d.cls('card-body')}>{self.words_of_one()}</div>", "card")

    def caption(self) -> str:
        d = self.d
        cover = (
            f'<div class="s-cover" style="--h:{max(200, self.tall)}px">'
            f"{d.image('scene', 'dark')}</div>"
        )
        return self.entry(
            (
                f'<div class="s-over">{cover}<div class="s-caption">{_title(d, 3)}'
                f"<time>{d.text.date()}</time></div></div>"
            ),
            "tile",
        )


def _posts(d: Draft, form: str, low: int, high: int) -> str:
    entries = _Entries(d)
    make: Callable[[], str] = getattr(entries, form)
    return d.repeat(make, low, high)


def _count(d: Draft) -> tuple[int, int]:
    return (1, 3) if d.chance(0.15) else d.rng.choice(((3, 6), (5, 10), (8, 12), (10, 24)))


def _grid(d: Draft) -> str:
    n = d.rng.choice((2, 2, 3, 3, 3, 4))
    form = d.rng.choice(("card", "card", "card", "caption"))
    shape = "s-masonry" if d.chance(0.15) else "s-grid"
    return f'<div class="{shape}" style="--n:{n}">{_posts(d, form, *_count(d))}</div>'


def _column(d: Draft) -> str:
    return _posts(d, d.rng.choice(("row", "row", "text", "text", "stack")), *_count(d))


def _whole_posts(d: Draft) -> str:
    """Entries with long excerpts or whole posts, including code and pictures."""

    def one() -> str:
        body = f"<div {d.cls('prose')}>{prose.prose(d, 1, longest)}</div>"
        return (
            f"<article {d.cls('entry', 'box')} data-item data-main>{_title(d)}"
            f"{article.particulars(d)}{body}{_more(d)}</article>"
        )

    longest = d.rng.choice((3, 5, 9, 14))
    return d.repeat(one, 2, 10)


def _dates(d: Draft) -> str:
    """An archive: years, and one line per post."""

    def line() -> str:
        date = f"<time>{d.text.date()}</time>"
        parts = (
            [date, d.link(d.text.title(3, 11))]
            if date_first
            else [d.link(d.text.title(3, 11)), date]
        )
        return f'<li data-item data-main class="{spread}">{" ".join(parts)}</li>'

    date_first = d.chance(0.6)
    spread = "s-between" if d.chance(0.4) else ""
    year, plain = d.rng.randint(2012, 2025), "s-plain" if d.chance(0.7) else ""
    made = ""
    for back in range(d.rng.randint(1, 6)):
        made += (
            f'<h2>{year - back}</h2><ul class="{plain} s-list '
            f'{d.kit.classes.get("list", "")}">{d.repeat(line, 1, 22)}</ul>'
        )
    shape = "s-timeline" if d.chance(0.3) else ""
    return f'<div class="{shape}">{made}</div>'


def _results(d: Draft) -> str:
    """Search results."""

    def one() -> str:
        address = (
            f"<div {d.cls('muted')}>https://example.org/{d.rng.randint(100, 9999)}</div>"
            if shown
            else ""
        )
        return (
            f"<div data-item data-main {d.cls('entry')}>"
            f"<h3>{d.link(d.text.title(4, 11))}</h3>{address}"
            f"<p>{d.text.paragraph(12, 40)}</p></div>"
        )

    shown = d.chance(0.6)
    form = (
        f'<form class="s-row" style="margin-bottom:24px">'
        f"<input {d.cls('input')}>{d.button()}</form>"
    )
    return form + d.repeat(one, 4, 12)


def _front(d: Draft) -> str:
    """A news front page: a lead story, then sections of stories in different arrangements."""
    lead = _Entries(d)
    first = (
        (
            f'<div class="s-grid" style="--n:2">{lead.caption()}'
            f"<div>{_posts(d, 'row', 2, 4)}</div></div>"
        )
        if d.chance(0.6)
        else lead.stack()
    )

    def section() -> str:
        makers = (lambda: _posts(d, "row", 3, 5), lambda: _grid(d), lambda: _posts(d, "text", 3, 6))
        return f"<section><h2>{d.text.label()}</h2>{d.rng.choice(makers)()}</section>"

    return first + d.repeat(section, 1, 4)


def _index(d: Draft) -> str:
    """The index of a site: categories or topics, each with its posts."""

    def group() -> str:
        items = d.repeat(
            lambda: f"<li data-item data-main>{d.link(d.text.title(2, 8))}</li>", 2, 12
        )
        return (
            f"<div {d.cls('box')}><h3>{d.text.label()} ({d.rng.randint(1, 60)})</h3>"
            f"<ul {d.cls('list')}>{items}</ul></div>"
        )

    n = d.rng.choice((1, 2, 3, 4))
    return f'<div class="s-grid" style="--n:{n}">{d.repeat(group, 3, 12)}</div>'


def _rows_of_table(d: Draft) -> str:
    def row() -> str:
        return (
            f"<tr data-item data-main><td>{d.text.date()}</td>"
            f"<td>{d.link(d.text.title(3, 10))}</td><td>{d.text.name()}</td></tr>"
        )

    return f"<table {d.cls('table')}><tbody>{d.repeat(row, 5, 30)}</tbody></table>"


_FORMS: tuple[tuple[Callable[[Draft], str], float], ...] = (
    (_column, 0.4), (_grid, 0.24), (_dates, 0.12), (_whole_posts, 0.07), (_front, 0.07),
    (_results, 0.04), (_index, 0.04), (_rows_of_table, 0.02),
)  # fmt: skip


def listing_page(d: Draft) -> str:
    """The body of a page that lists texts."""
    make = d.rng.choices([form for form, _ in _FORMS], [share for _, share in _FORMS])[0]
    entries = make(d)
    title = f"<h1 {d.cls('title')}>{d.text.title(1, 4)}</h1>"
    below = f"<p>{d.text.paragraph(5, 25)}</p>" if d.chance(0.4) else ""
    hero = frame.banner(d, title, below, tall=0.2) if d.chance(0.32) else ""
    head = title + below if not hero and d.chance(0.55) else ""
    wide = d.theme.sidebar == "none" and make in (_grid, _front, _index)
    body = head + entries + frame.pagination(d)
    main = body if wide else frame.split(d, body)
    return f'{hero}<main class="s-main"><div {d.cls("container")}>{main}</div></main>'
