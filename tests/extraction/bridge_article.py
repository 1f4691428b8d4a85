"""A typical article page, with a menu and a footer."""

from __future__ import annotations

SENTENCE = "The council met on Tuesday to discuss the new bridge, and it agreed on a plan. "
_MENU = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in ("Home", "News", "Sport"))
ARTICLE = f"""<html><head><title>A new bridge - The Daily</title></head><body>
<nav class="main-menu"><ul>{_MENU}</ul></nav>
<article class="post"><h1>A new bridge</h1>
{"".join(f"<p>{number}. {SENTENCE * 3}</p>" for number in range(8))}</article>
<footer class="site-footer"><p>Copyright 2024 The Daily. <a href="/terms">Terms of use</a></p>
</footer></body></html>"""
