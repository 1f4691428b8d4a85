"""The style sheet of a page: layout rules for every page, and a skin of its own."""

from __future__ import annotations

from random import Random

from genre_model.training.synthesis.theme import Theme


def layout_css(theme: Theme) -> str:
    """The layout: columns, grids, bars. Needed with a framework and without one."""
    side = theme.header == "side"
    gap, width = theme.gap, theme.container
    columns = {
        "none": "minmax(0,1fr)",
        "right": f"minmax(0,1fr) {theme.sidebar_width}px",
        "left": f"{theme.sidebar_width}px minmax(0,1fr)",
    }
    return f"""
*{{box-sizing:border-box}} html,body{{max-width:none!important;width:auto;padding:0;margin:0}}
body{{{"padding-inline-start:260px!important;" if side else ""}}}
img{{max-width:100%;height:auto}}
.s-container{{max-width:{width}px!important;width:100%;margin:0 auto;padding:0 16px}}
.s-column{{max-width:{theme.column}px;margin-left:auto;margin-right:auto}}
.s-split{{display:grid;gap:{max(24, gap)}px;grid-template-columns:{columns["right"]}}}
.s-split.left{{grid-template-columns:{columns["left"]}}}
.s-split.left>aside{{order:-1}}
.s-split.three{{grid-template-columns:220px minmax(0,1fr) 200px}}
.s-grid{{display:grid;gap:{gap}px;grid-template-columns:repeat(var(--n),minmax(0,1fr))}}
.s-masonry{{columns:var(--n);column-gap:{gap}px}} .s-masonry>*{{break-inside:avoid;
margin-bottom:{gap}px}}
.s-row{{display:flex;gap:{gap}px;align-items:flex-start}} .s-row>.s-grow{{flex:1;min-width:0}}
.s-row.reverse{{flex-direction:row-reverse}} .s-row.middle{{align-items:center}}
.s-thumb{{flex:none;width:var(--w,200px)}} .s-thumb img{{width:100%;height:var(--h,130px);
object-fit:cover;display:block}}
.s-cover img,img.s-cover{{width:100%;height:var(--h,380px);object-fit:cover;display:block}}
.s-nav{{display:flex;align-items:center;justify-content:space-between;gap:24px;flex-wrap:wrap}}
.s-menu{{display:flex;gap:4px 22px;list-style:none;padding:0;margin:0;flex-wrap:wrap}}
.s-side{{position:fixed;inset-block:0;inset-inline-start:0;width:260px;height:1024px;
padding:32px 24px;overflow:hidden}}
.s-side .s-menu{{flex-direction:column;gap:10px}}
.s-hero{{position:relative;background-size:cover;background-position:center}}
.s-hero.tall{{min-height:1024px}} .s-hero>.s-inner{{position:relative;
padding:var(--pad,90px) 24px}}
.s-sticky{{position:sticky;top:0;z-index:9}}
.s-inline{{display:flex;flex-wrap:wrap;gap:8px 12px;list-style:none;padding:0;align-items:center}}
.s-plain{{list-style:none;padding:0;margin:0}}
.s-pages{{display:flex;gap:6px;list-style:none;padding:0;margin:{gap}px 0}}
.s-between{{display:flex;justify-content:space-between;gap:20px}}
.s-avatar{{width:var(--a,56px)!important;height:var(--a,56px)!important;object-fit:cover;
flex:none}}
.s-cookie{{position:fixed;left:0;right:0;top:var(--top,930px);padding:16px 32px;z-index:20;
display:flex;gap:20px;align-items:center;justify-content:center}}
.s-corner{{position:fixed;right:24px;top:950px;width:46px;height:46px;z-index:9}}
.s-float{{float:left;width:45%;margin:0 20px 12px 0}} .s-centre{{text-align:center}}
.s-scroll{{overflow:auto;max-width:100%}} .s-section{{padding:var(--pad,60px) 0}}
.s-over{{position:relative}} .s-over>.s-caption{{position:absolute;left:0;right:0;bottom:0;
padding:18px;color:#fff;background:linear-gradient(transparent,#000c)}}
.s-over>.s-caption *{{color:#fff!important}}
.s-video{{position:relative;background:#000}} .s-video:after{{content:"";position:absolute;
left:50%;top:50%;margin:-30px;border:30px solid transparent;border-left:48px solid #fffd}}
.s-timeline{{border-left:3px solid {theme.border};padding-left:28px}}
pre{{overflow:auto}}
"""


def skin_css(theme: Theme, rng: Random) -> str:
    """Colours, fonts and frames of a page without a framework."""
    t = theme
    scale = t.heading_scale
    menu_case = "uppercase;letter-spacing:1px;font-size:.85em" if rng.random() < 0.25 else "none"
    underline = "underline" if rng.random() < 0.2 else "none"
    header_line = f"border-bottom:1px solid {t.border};" if rng.random() < 0.4 else ""
    h2_line = (
        f"border-bottom:1px solid {t.border};padding-bottom:.3em" if rng.random() < 0.3 else ""
    )
    card = rng.choice((
        f"background:{t.surface};box-shadow:{t.shadow}", f"border:1px solid {t.border}", "",
        f"background:{t.surface};border:1px solid {t.border};box-shadow:{t.shadow}",
    ))  # fmt: skip
    pad = rng.choice((0, 12, 18, 24)) if card else 0
    quote = rng.choice((
        f"border-left:4px solid {t.accent};padding:4px 20px;color:{t.muted}",
        f"background:{t.code_ground};color:{t.code_ink};padding:18px 24px",
        f"font-size:1.35em;text-align:center;font-style:italic;color:{t.muted}",
    ))  # fmt: skip
    table = rng.choice((
        f"td,th{{border:1px solid {t.border};padding:8px 12px}}",
        f"td,th{{border-bottom:1px solid {t.border};padding:10px 8px}} th{{text-align:left}}",
        f"th{{background:{t.accent};color:#fff}} td,th{{padding:9px 14px}}"
        f" tr:nth-child(even) td{{background:{t.border}55}}",
    ))  # fmt: skip
    box = f"background:{t.surface};box-shadow:{t.shadow};padding:{t.gap + 8}px;" if t.boxed else ""
    divider = f"border-bottom:1px solid {t.border};padding-bottom:{t.gap}px;" if not card else ""
    widget = box or (
        f"border-top:2px solid {t.accent};padding-top:12px;" if rng.random() < 0.3 else ""
    )
    capital = "text-transform:uppercase;" if t.uppercase else ""
    button_radius = rng.choice((0, t.radius, 30))
    return f"""
body{{background:{t.background};color:{t.ink};
font:{t.size}px/{t.leading} "{t.body_font}",sans-serif}}
h1,h2,h3,h4,h5{{font-family:"{t.heading_font}",sans-serif;color:{t.heading};
font-weight:{t.heading_weight};line-height:1.25;margin:1.1em 0 .5em;{capital}}}
h1{{font-size:{2.3 * scale}em}} h2{{font-size:{1.65 * scale}em;{h2_line}}}
h3{{font-size:{1.28 * scale}em}} h4{{font-size:1.1em}}
p{{margin:0 0 {rng.choice((0.6, 1, 1.2, 1.6))}em;{"text-align:justify" if t.justify else ""}}}
a{{color:{t.link};text-decoration:{underline}}} h1 a,h2 a,h3 a,h4 a{{color:inherit;
text-decoration:none}}
.s-header{{background:{t.header_ground};color:{t.header_ink};
{header_line}padding:{rng.choice((8, 14, 22, 36))}px 0}}
.s-header a,.s-header h1,.s-header h2{{color:inherit;text-decoration:none}}
.s-menu a{{text-transform:{menu_case}}}
.s-brand{{font-size:{rng.choice((1.2, 1.5, 1.9))}em;font-weight:700}}
.s-side{{background:{t.header_ground};color:{t.header_ink};
border-inline-end:1px solid {t.border}}} .s-side a{{color:inherit}}
.s-footer{{background:{t.footer_ground};color:{t.footer_ink};
margin-top:{rng.choice((0, 30, 70))}px}}
.s-footer a,.s-footer h4{{color:inherit}}
.s-hero{{background-color:{rng.choice((t.accent, t.header_ground, t.code_ground, "#223"))};
color:#fff}} .s-hero h1,.s-hero h2{{color:#fff}}
.s-box{{{box}border-radius:{t.radius}px}} .s-main{{padding:{rng.choice((10, 30, 50, 80))}px 0}}
.s-card{{{card};border-radius:{t.radius}px;overflow:hidden}}
.s-card>.s-card-body{{padding:{pad}px}}
.s-entry{{margin-bottom:{t.gap + 6}px;{divider}}}
.s-muted,time{{color:{t.muted};font-size:.86em}}
.s-button{{display:inline-block;background:{t.accent};color:{t.accent_ink};
padding:{rng.choice((5, 9, 13))}px {rng.choice((12, 20, 32))}px;border:0;
border-radius:{button_radius}px;text-decoration:none;font:inherit}}
.s-button-2{{display:inline-block;border:1px solid {t.accent};color:{t.accent};padding:8px 18px;
border-radius:{button_radius}px;background:none}}
.s-badge{{display:inline-block;background:{rng.choice((t.accent, t.border))};color:{t.ink};
font-size:.78em;padding:2px 9px;border-radius:{t.radius}px}}
.s-widget{{margin-bottom:{t.gap}px;{widget}}} .s-widget-title{{font-size:1.1em;margin-top:0}}
.s-sidebar,.s-sidebar li{{font-size:{rng.choice((0.86, 0.92, 1))}em}}
.s-list>li{{padding:{rng.choice((2, 5, 9))}px 0;
{f"border-bottom:1px solid {t.border}" if rng.random() < 0.4 else ""}}}
.s-page-link{{display:block;padding:6px 13px;border:1px solid {t.border};
border-radius:{t.radius}px}} .s-page-link.on{{background:{t.accent};color:#fff}}
input,textarea,select{{border:1px solid {t.border};background:{t.surface};padding:10px 12px;
width:100%;border-radius:{t.radius}px;font:inherit}}
.s-field{{margin-bottom:16px}} blockquote{{margin:1.4em 0;{quote}}}
table{{border-collapse:collapse;width:100%;margin:1em 0}} {table}
pre{{background:{t.code_ground};color:{t.code_ink};padding:14px 18px;border-radius:{t.radius}px;
font:{rng.choice((0.8, 0.88, 0.95))}em/1.5 "{t.mono_font}",monospace}}
code{{font-family:"{t.mono_font}",monospace;font-size:.9em}} p code{{background:{t.border}77;
padding:1px 4px}}
.k,.keyword{{color:{rng.choice(("#c678dd", "#d73a49", "#0077aa"))}}}
.s,.string{{color:{rng.choice(("#98c379", "#c41a16", "#690"))}}} .c,.comment{{color:#8a8f98}}
.f,.function{{color:#4078f2}}
.s-alert{{border-left:4px solid {t.accent};background:{t.border}66;padding:12px 18px;
margin:1em 0}}
.s-cookie{{background:{t.header_ground};color:{t.header_ink};box-shadow:0 0 12px #0005}}
.s-corner{{background:{t.accent};border-radius:{rng.choice((0, 6, 50))}px}}
.s-prose img{{border-radius:{t.radius}px}} figure{{margin:1.4em 0}} figcaption{{color:{t.muted};
font-size:.85em;text-align:center}}
.s-prose p{{text-indent:{rng.choice((0, 0, 0, 0, 0, 2))}em}} hr{{border:0;
border-top:1px solid {t.border};margin:2em 0}}
.s-price{{color:{t.accent};font-weight:700}}
"""


def tweak_css(theme: Theme, rng: Random) -> str:
    """A site's changes to a framework: sometimes its colours, its font, its header."""
    rules = [
        ".s-side{background:#fff;border-inline-end:1px solid #ddd}",
        ".s-cookie{background:#333;color:#eee} .s-corner{background:#888}",
        ".s-main{padding:36px 0} .s-entry{margin-bottom:28px} .s-hero h1{margin-top:0}",
    ]
    if rng.random() < 0.5:
        rules.append(f":root{{--bs-primary:{theme.accent};--primary:{theme.accent}}}")
        rules.append(f".s-button{{background:{theme.accent}!important;color:#fff!important}}")
    if rng.random() < 0.5:
        rules.append(f"body{{font-family:'{theme.body_font}',sans-serif}}")
    if rng.random() < 0.35:
        rules.append(f"body{{font-size:{theme.size}px;line-height:{theme.leading}}}")
    if rng.random() < 0.4:
        ground, ink = theme.header_ground, theme.header_ink
        rules.append(f".s-header,.s-header .s-nav{{background:{ground}!important}}")
        rules.append(f".s-header a,.s-header{{color:{ink}!important}}")
    if rng.random() < 0.4:
        ground, ink = theme.footer_ground, theme.footer_ink
        rules.append(
            f".s-footer,.s-footer a{{background:{ground}!important;color:{ink}!important}}"
        )
    if rng.random() < 0.25:
        rules.append(f"h1,h2,h3{{font-family:'{theme.heading_font}';color:{theme.heading}}}")
    return "\n".join(rules)
