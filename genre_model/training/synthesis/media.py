"""Media pages: galleries, portfolios, pages about a video."""

from __future__ import annotations

from genre_model.training.synthesis import article, frame
from genre_model.training.synthesis.draft import Draft


def _gallery(d: Draft) -> str:
    n = d.rng.choice((2, 3, 3, 4, 5))
    captioned = d.chance(0.35)
    shape = "s-masonry" if d.chance(0.35) else "s-grid"
    gap = d.rng.choice((0, 4, 12, 30))
    height = d.rng.choice((180, 240, 320))

    def tile() -> str:
        caption = f"<figcaption>{d.text.title(1, 4)}</figcaption>" if captioned else ""
        tall = height if shape == "s-grid" else d.rng.randint(160, 460)
        return (
            f'<figure style="margin:0 0 {gap}px" data-main>'
            f'<div class="s-cover" style="--h:{tall}px">'
            f"{d.image('scene', 'square', 'dark', 'face', 'product')}</div>{caption}"
            f"</figure>"
        )

    filters = (
        (
            f'<div class="s-inline" style="justify-content:center">'
            f"{d.repeat(d.button, 3, 6)}</div><p></p>"
        )
        if d.chance(0.4)
        else ""
    )
    return (
        f'{filters}<div class="{shape}" style="--n:{n};gap:{gap}px">{d.repeat(tile, 6, 24)}</div>'
    )


def _video(d: Draft) -> str:
    height = d.rng.choice((420, 520, 640))
    screen = (
        f'<div class="s-video s-cover" style="--h:{height}px" data-main>'
        f"{d.image('dark', 'scene')}</div>"
    )
    text = (
        f"<h1>{d.text.title(3, 9)}</h1>{article.particulars(d)}"
        f"<p data-main>{d.text.paragraph(10, 70)}</p>"
    )
    also = f"<h3>{d.text.label()}</h3>{article.cards(d, 4)}" if d.chance(0.6) else ""
    return frame.split(d, screen + text + also)


def _work(d: Draft) -> str:
    """One work of a portfolio: large pictures, a few facts."""
    shots = d.repeat(
        lambda: (
            f'<div class="s-cover" style="--h:{d.rng.choice((380, 520))}'
            f'px;margin-bottom:24px" data-main>{d.image("scene", "square", "screen")}'
            f"</div>"
        ),
        1,
        5,
    )
    facts = d.repeat(lambda: f"<li><strong>{d.text.label()}</strong>: {d.text.label()}</li>", 3, 6)
    text = (
        f"<div data-main><h2>{d.text.title(2, 5)}</h2><p>{d.text.paragraph(15, 70)}"
        f"</p><ul {d.cls('list')}>{facts}</ul></div>"
    )
    if d.chance(0.5):
        return (
            f'<div class="s-grid" style="grid-template-columns:2fr 1fr"><div>{shots}'
            f"</div>{text}</div>"
        )
    return shots + text


def media_page(d: Draft) -> str:
    """A gallery, a video's page, or one work."""
    title = f"<h1 {d.cls('title')}>{d.text.title(1, 4)}</h1>"
    hero = frame.banner(d, title, tall=0.05) if d.chance(0.4) else ""
    body = d.rng.choice((_gallery, _gallery, _video, _work))(d)
    centre = "s-centre" if d.theme.centred else ""
    head = "" if hero else f'<div class="{centre}">{title}</div>'
    width = 'class="s-wide" style="padding:0 12px"' if d.chance(0.15) else d.cls("container")
    return f'{hero}<main class="s-main"><div {width}>{head}{body}</div></main>'
