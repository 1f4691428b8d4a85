"""Names of months in the languages that write dates with Latin or Cyrillic letters, or in Greek."""

from __future__ import annotations

from typing import Final

_LEAST_LETTERS = 3

# As dates have them (in Slavic languages the genitive): English, German, French, Spanish, Italian,
# Portuguese, Dutch, Scandinavian, Polish, Czech, Russian, Ukrainian, Romanian, Hungarian, Turkish,
# Indonesian, Greek.
_NAMES: Final = (
    "january januar jänner janvier enero gennaio janeiro januari stycznia ledna января січня "
    "ianuarie január ocak ιανουαρίου",
    "february februar février fevrier febrero febbraio fevereiro februari lutego února февраля "
    "лютого februarie február şubat φεβρουαρίου",
    "march märz mars marzo março maart mrt marts marca března марта березня martie március mart "
    "maret μαρτίου",
    "april avril abril aprile kwietnia dubna апреля квітня aprilie április nisan απριλίου",
    "may mai mayo maggio maio mei maj maja května мая травня május mayıs μαΐου",
    "june juni juin junio giugno junho czerwca června июня червня iunie június haziran ιουνίου",
    "july juli juillet julio luglio julho lipca července июля липня iulie július temmuz ιουλίου",
    "august août aout agosto augustus augusti sierpnia srpna августа серпня augusztus ağustos "
    "agustus αυγούστου",
    "september septembre septiembre setiembre settembre setembro września září сентября вересня "
    "septembrie szeptember eylül σεπτεμβρίου",
    "october oktober octobre octubre ottobre outubro października října октября жовтня "
    "octombrie október ekim οκτωβρίου",
    "november novembre noviembre novembro listopada listopadu ноября листопада noiembrie kasım "
    "νοεμβρίου",
    "december dezember décembre decembre diciembre dicembre dezembro desember grudnia prosince "
    "декабря грудня decembrie aralık δεκεμβρίου",
)


def month_number(word: str) -> int | None:
    """1 to 12 for a name, or for the beginning of one that no other month begins with.

    >>> month_number("September"), month_number("Sept"), month_number("févr")
    (9, 9, 2)
    >>> month_number("jui"), month_number("Ma"), month_number("Monday")
    (None, None, None)
    """
    return _NUMBERS.get(word.casefold())


def _numbers() -> dict[str, int]:
    numbers: dict[str, set[int]] = {}
    names = [(name.casefold(), n) for n, line in enumerate(_NAMES, 1) for name in line.split()]
    for name, number in names:
        for length in range(min(_LEAST_LETTERS, len(name)), len(name) + 1):
            numbers.setdefault(name[:length], set()).add(number)
    # A whole name is itself, whatever else begins with it.
    whole = dict(names)
    return {word: found.pop() for word, found in numbers.items() if len(found) == 1} | whole


_NUMBERS: Final = _numbers()
