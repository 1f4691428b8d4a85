"""The style sheet of ``report.html``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

STYLE: Final = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --bar: #3b82f655; --bad: #d332 }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem; margin: 0 }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .75rem }
header p { margin: .25rem 0; opacity: .8 }
.numbers { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0 }
.numbers div { background: var(--soft); border-radius: 8px; padding: .5rem 1rem; min-width: 6rem }
.numbers b { display: block; font-size: 1.5rem; font-variant-numeric: tabular-nums }
.groups { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1.5rem;
  align-items: start }
table { border-collapse: collapse; width: 100% }
caption { text-align: left; font-weight: 600; padding-bottom: .25rem }
td { padding: .1rem .5rem; position: relative; border-bottom: 2px solid transparent }
td.number { text-align: right; font-variant-numeric: tabular-nums; width: 1% }
td i { position: absolute; inset: 0 auto 0 0; background: var(--bar); border-radius: 3px }
td span { position: relative; overflow-wrap: anywhere }
.chips { display: flex; flex-wrap: wrap; gap: .4rem; margin: 0 0 1rem }
.chips label { border: 1px solid var(--line); border-radius: 99px; padding: .05rem .75rem;
  cursor: pointer; font-size: .9rem }
section > input { position: absolute; opacity: 0 }
article { border: 1px solid var(--line); border-radius: 8px; padding: .75rem 1rem;
  margin: 0 0 .75rem; display: flex; gap: 1rem }
article > div { min-width: 0; flex: 1 }
article h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere }
article img { width: 200px; height: 170px; object-fit: cover; object-position: top;
  border: 1px solid var(--line); border-radius: 4px; flex: none }
.url { overflow-wrap: anywhere; opacity: .75; font-size: .85rem }
.facts { font-size: .85rem; margin: .1rem 0 .3rem }
.reason { background: var(--bad); border-radius: 4px; padding: 0 .35rem; overflow-wrap: anywhere }
.failure { background: var(--bad); padding: .5rem 1rem; border-radius: 6px; opacity: 1 }
.begin { margin: 0; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3;
  overflow: hidden; overflow-wrap: anywhere }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--soft); padding: .75rem;
  font: inherit; max-height: 28rem; overflow: auto; margin: .5rem 0 0; border-radius: 6px }
summary { cursor: pointer; list-style: none }
summary small { opacity: .75 }
details[open] .begin { display: none }
@media (max-width: 40rem) { article { flex-direction: column } article img { width: 100% } }
"""


def choosing(section: str, numbers: Iterable[int]) -> str:
    """CSS rules that show only the articles of the chosen kind, without a script.

    section: prefix of the radio buttons' ids. Kind ``n`` has the button ``{section}-n`` and the
        class ``k{n}``.
    """
    rules = []
    for number in numbers:
        chosen = f"#{section}-{number}:checked"
        rules.append(f"{chosen} ~ article:not(.k{number}) {{ display: none }}")
        rules.append(
            f"{chosen} ~ .chips label[for={section}-{number}] {{ background: var(--bar) }}"
        )
    rules.append(
        f"#{section}-all:checked ~ .chips label[for={section}-all] {{ background: var(--bar) }}"
    )
    return "\n".join(rules)
