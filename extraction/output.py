"""How main content is written: the format, and what of the page's markup goes into it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

Format = Literal["text", "markdown", "html"]
Comments = Literal["drop", "keep", "separate"]


@dataclass(frozen=True, slots=True)
class Output:
    """What a user asks of ``Extraction.text``.

    format: plain text, GitHub-flavoured Markdown, or a fragment of HTML.
    links: write the targets of links; only where the format can show them.
    images: write the images that stand among the kept blocks; likewise.
    comments: what becomes of readers' comments under an article; see ``extraction.comments``.
    Raises ValueError for values that are none of these, and for links or images in plain text.
    """

    format: Format = "text"
    links: bool = False
    images: bool = False
    comments: Comments = "drop"

    def __post_init__(self) -> None:
        for name, known in (("format", get_args(Format)), ("comments", get_args(Comments))):
            value = getattr(self, name)
            if value not in known:
                raise ValueError(f"{name} is {value!r}; it must be one of {', '.join(known)}")
        for name in ("links", "images"):
            if getattr(self, name) and self.format == "text":
                raise ValueError(f"plain text shows no {name}; choose the format markdown or html")


PLAIN: Final = Output()
