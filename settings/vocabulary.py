"""The names allowed in a job: extraction methods, output formats, signals of consent, languages.

They are repeated here because settings import no methods. Tests compare them with
``extraction.registry``, ``extraction.output``, ``crawler.consent.signals`` and
``pipelines.metadata.language``.
"""

from __future__ import annotations

from typing import Literal

Method = Literal[
    "default",
    "all-text",
    "goce",
    "goce-article",
    "goce-list-view",
    "bte",
    "boilerpipe-article",
    "boilerpipe-default",
    "boilerpipe-canola",
    "web2text",
    "victor",
    "boosted-blocks",
    "elements",
    "trafilatura",
    "trafilatura-precision",
    "trafilatura-recall",
    "readability",
    "justext",
    "resiliparse",
    "newspaper",
]

Format = Literal["text", "markdown", "html"]

Comments = Literal["drop", "keep", "separate"]

ConsentPreset = Literal["research", "training", "archive", "strict"]

ConsentSignal = Literal[
    "robots",
    "robots-agents",
    "content-signal",
    "content-signal-input",
    "content-signal-search",
    "content-usage",
    "content-usage-search",
    "tdmrep",
    "rsl",
    "ai-txt",
    "noai",
    "noimageai",
    "unavailable-after",
    "noindex",
    "noarchive",
    "nosnippet",
    "licence-nc",
    "licence-nd",
]

# The codes that ``Document.language`` may have.
LANGUAGES: frozenset[str] = frozenset(
    """ace af am an ar ary arz as az ba bcl be bg bn br bs ca crh cs cy da de dz el en eo es et eu
    ext fa fi fo fr fuv fy ga gcf gcr gd gl gom grc gu gug guw ha hbo he hi hr ht hu hy id ig is it
    ja jv ka kab kik kk km kn ko ku ky la lb lg lij ln lo lt ltg lv mg mk ml mn mr ms mt my ne nl nn
    no nso oc om or pa pcm pl ps pt qu ro ru rw sa sdh se si sk sl sn so sq sr st sv sw ta te tg th
    tk tl tr tt ug uk ur uz uzs vec vi vo wa xh yo yue zh zu zxx""".split()
)
