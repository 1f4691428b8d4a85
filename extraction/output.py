"""Output options: the format, and whether links, images and comments are included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

Format = Literal["text", "markdown", "html"]
Comments = Literal["drop", "keep", "separate"]


@dataclass(frozen=True, slots=True)
class Output:
    """The options of ``Extraction.text``.

    format: plain text, GitHub-flavoured Markdown, or a fragment of HTML.
    links: whether to write the URLs of links; not possible in plain text.
    images: whether to write the images among the kept blocks; not possible in plain text.
    comments: what to do with readers' comments under an article; see ``extraction.page.comments``.
    selection: whether to give ``Extraction.selection``, too, for who shows what was kept of a page.
    Raises ValueError for other values, and for links or images in plain text.
    """

    format: Format = "text"
    links: bool = False
    images: bool = False
    comments: Comments = "drop"
    selection: bool = False

    def __post_init__(self) -> None:
        for name, known in (("format", get_args(Format)), ("comments", get_args(Comments))):
            value = getattr(self, name)
            if value not in known:
                raise ValueError(f"{name} is {value!r}; it must be one of {', '.join(known)}")
        for name in ("links", "images"):
            if getattr(self, name) and self.format == "text":
                raise ValueError(f"plain text shows no {name}; choose the format markdown or html")


PLAIN: Final = Output()
