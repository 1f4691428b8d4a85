"""The input of every page maker: a random source, a writer, a theme, a kit, pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from genre_model.training.synthesis.kits import Kit
from genre_model.training.synthesis.pictures import KINDS
from genre_model.training.synthesis.text import Text
from genre_model.training.synthesis.theme import Theme

T = TypeVar("T")


@dataclass(frozen=True)
class Draft:
    """A page in the making. `pictures` is the URL of the pictures' folder.

    For the layout maps, elements with the page's own content are marked with `data-main`, entries
    of
    a list with `data-item`, and what is on every page of the site with `data-boiler`.
    """

    rng: Random
    text: Text
    theme: Theme
    kit: Kit
    pictures: str
    site: str

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def cls(self, *roles: str) -> str:
        """The class attribute of the roles: our own names and the framework's."""
        names = [f"s-{role}" for role in roles]
        names += [self.kit.classes[role] for role in roles if role in self.kit.classes]
        return f'class="{" ".join(names)}"'

    def picture(self, *kinds: str) -> str:
        """The URL of a random picture of one of the kinds."""
        kind = self.rng.choice(kinds or ("scene",))
        return f"{self.pictures}/{kind}-{self.rng.randrange(KINDS[kind])}.jpg"

    def image(self, *kinds: str, attributes: str = "") -> str:
        return f'<img src="{self.picture(*kinds)}" alt="" {attributes}>'

    def avatar(self, size: int = 56) -> str:
        round_ = "border-radius:50%;" if self.chance(0.6) else ""
        return self.image("face", attributes=f'{self.cls("avatar")} style="{round_}--a:{size}px"')

    def icon(self, size: int = 20) -> str:
        """A simple shape in one colour, like those of icon fonts."""
        shape = self.rng.choice((
            '<circle cx="12" cy="12" r="9"/>', '<path d="M4 4h16v16H4z"/>',
            '<path d="M12 2l3 7h7l-6 5 2 8-6-5-6 5 2-8-6-5h7z"/>',
            '<path d="M3 11l9-8 9 8v10h-6v-6H9v6H3z"/>', '<path d="M2 6h20v12H2z M2 6l10 7 10-7"/>',
            '<path d="M4 5h16v3H4zm0 6h16v3H4zm0 6h16v3H4z"/>',
        ))  # fmt: skip
        fill = "currentColor" if self.chance(0.6) else self.theme.accent
        size_ = f'width="{size}" height="{size}"'
        return f'<svg viewBox="0 0 24 24" {size_} fill="{fill}" aria-hidden="true">{shape}</svg>'

    def link(self, text: str, role: str | None = None) -> str:
        return f'<a href="#" {self.cls(role) if role else ""}>{text}</a>'

    def button(self, role: str = "button") -> str:
        return self.link(self.text.label(), role)

    def repeat(self, make: Callable[[], str], low: int, high: int) -> str:
        """The results of calling `make` between `low` and `high` times."""
        return "".join(make() for _ in range(self.rng.randint(low, high)))

    def pick(self, parts: Sequence[T], low: int, high: int) -> list[T]:
        """Some of the parts in random order."""
        return self.rng.sample(parts, min(len(parts), self.rng.randint(low, high)))
