"""What a frontier stores of a URL in one text: its note and, if it has them, kind and history."""

from __future__ import annotations

from typing import NamedTuple, Self

# The first characters of a text that has more than a note.
PLAIN = "\x01"
HINTED = "\x02"


class StoredNote(NamedTuple):
    """The fields are as in ``Lease``. Most URLs have none of them, and their text is empty."""

    note: str = ""
    kind: str = ""
    history: str = ""
    hinted: bool = False

    def text(self) -> str:
        r"""What is stored: a note alone as it is, otherwise a mark, two lengths and all the parts.

        >>> StoredNote("a seed").text(), StoredNote("note", "feed", "history").text()
        ('a seed', '\x0104007feedhistorynote')
        """
        if not (self.kind or self.history or self.note.startswith((PLAIN, HINTED))):
            return self.note
        mark = HINTED if self.hinted else PLAIN
        lengths = f"{len(self.kind):02x}{len(self.history):03x}"
        return f"{mark}{lengths}{self.kind}{self.history}{self.note}"

    @classmethod
    def read(cls, text: str) -> Self:
        r"""The inverse of ``text``.

        >>> StoredNote.read("\x0200005early")
        StoredNote(note='', kind='', history='early', hinted=True)
        """
        if not text.startswith((PLAIN, HINTED)):
            return cls(text)
        kind = 6 + int(text[1:3], 16)
        history = kind + int(text[3:6], 16)
        return cls(text[history:], text[6:kind], text[kind:history], text[0] == HINTED)
