"""What is evaluated in a page. It runs in a world of its own, where the page's code cannot reach.

Names are looked up on prototypes: a form called ``body`` would hide ``document.body``.
"""

from __future__ import annotations

_ROOT = """
const of = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
"""


def settled(quiet: float, most: float) -> str:
    """A promise of the end of loading, and of changes after it; times in seconds.

    A page without scripts is settled when it is loaded. Others are when nothing was added to the
    DOM and no resource arrived for ``quiet``, or ``most`` after loading.
    """
    return f"""new Promise((done) => {{{_ROOT}
    let timer;
    const finish = () => {{ changes.disconnect(); arrivals.disconnect(); done(true); }};
    const wait = () => {{ clearTimeout(timer); timer = setTimeout(finish, {quiet * 1000}); }};
    const changes = new MutationObserver(wait);
    const arrivals = new PerformanceObserver(wait);
    const begin = () => {{
        if (of("scripts").length === 0) return done(true);
        changes.observe(document, {{subtree: true, childList: true, characterData: true}});
        arrivals.observe({{entryTypes: ["resource"]}});
        setTimeout(finish, {most * 1000});
        wait();
    }};
    if (of("readyState") === "complete") begin();
    else window.addEventListener("load", begin, {{once: true}});
}})"""


def content(limit: int) -> str:
    """The DOM as HTML, and its length in UTF-16 units; empty if that is above the limit."""
    return f"""(() => {{{_ROOT}
    const root = of("documentElement");
    if (!root) return {{size: 0, html: ""}};
    const get = Object.getOwnPropertyDescriptor(Element.prototype, "outerHTML").get;
    const kind = of("doctype");
    const html = (kind ? new XMLSerializer().serializeToString(kind) : "") + get.call(root);
    return {{size: html.length, html: html.length > {limit} ? "" : html.toWellFormed()}};
}})()"""
