"""Month names in the languages of ``READ_IN``."""

from __future__ import annotations

from typing import Final

_LEAST_LETTERS = 3

# As used in dates (in Slavic languages the genitive): English, German, French, Spanish, Italian,
# Portuguese, Dutch, Scandinavian, Polish, Czech, Russian, Ukrainian, Romanian, Hungarian, Turkish,
# Indonesian, Greek, Hindi, Thai.
_NAMES: Final = (
    "january januar jänner janvier enero gennaio janeiro januari stycznia ledna января січня "
    "ianuarie január ocak ιανουαρίου जनवरी มกราคม",
    "february februar février fevrier febrero febbraio fevereiro februari lutego února февраля "
    "лютого februarie február şubat φεβρουαρίου फरवरी फ़रवरी กุมภาพันธ์",
    "march märz mars marzo março maart mrt marts marca března марта березня martie március mart "
    "maret μαρτίου मार्च มีนาคม",
    "april avril abril aprile kwietnia dubna апреля квітня aprilie április nisan απριλίου अप्रैल "
    "เมษายน",
    "may mai mayo maggio maio mei maj maja května мая травня május mayıs μαΐου मई พฤษภาคม",
    "june juni juin junio giugno junho czerwca června июня червня iunie június haziran ιουνίου "
    "जून มิถุนายน",
    "july juli juillet julio luglio julho lipca července июля липня iulie július temmuz ιουλίου "
    "जुलाई กรกฎาคม",
    "august août aout agosto augustus augusti sierpnia srpna августа серпня augusztus ağustos "
    "agustus αυγούστου अगस्त สิงหาคม",
    "september septembre septiembre setiembre settembre setembro września září сентября вересня "
    "septembrie szeptember eylül σεπτεμβρίου सितंबर सितम्बर กันยายน",
    "october oktober octobre octubre ottobre outubro października října октября жовтня "
    "octombrie október ekim οκτωβρίου अक्टूबर अक्तूबर ตุลาคม",
    "november novembre noviembre novembro listopada listopadu ноября листопада noiembrie kasım "
    "νοεμβρίου नवंबर नवम्बर พฤศจิกายน",
    "december dezember décembre decembre diciembre dicembre dezembro desember grudnia prosince "
    "декабря грудня decembrie aralık δεκεμβρίου दिसंबर दिसम्बर ธันวาคม",
)

# Not matched by prefix: Finnish "mar" would be November, elsewhere it is March.
_WHOLE_NAMES: Final = (
    "tammikuuta tammi ม.ค",
    "helmikuuta helmi ก.พ",
    "maaliskuuta maalis มี.ค",
    "huhtikuuta huhti เม.ย",
    "toukokuuta touko พ.ค",
    "kesäkuuta kesä มิ.ย",
    "heinäkuuta heinä ก.ค",
    "elokuuta elo ส.ค",
    "syyskuuta syys ก.ย",
    "lokakuuta loka ต.ค",
    "marraskuuta marras พ.ย",
    "joulukuuta joulu ธ.ค",
)

# Some of these are names of other months in Polish and Czech.
_CROATIAN_NAMES: Final = (
    "siječnja siječanj",
    "veljače veljača",
    "ožujka ožujak",
    "travnja travanj",
    "svibnja svibanj",
    "lipnja lipanj",
    "srpnja srpanj",
    "kolovoza kolovoz",
    "rujna rujan",
    "listopada listopad",
    "studenoga studenog studeni",
    "prosinca prosinac",
)
_CROATIAN: Final = frozenset({"hr", "bs"})
_UNLIKE_CROATIAN: Final = frozenset({"pl", "cs"})

# Languages that write dates with these names or only with numbers.
READ_IN: Final = frozenset(
    "en de fr es it pt nl da nb nn no sv fi pl cs hr bs ru uk ro hu tr id el hi th vi zh ja ko"
    .split()
)  # fmt: skip


def month_number(word: str, language: str = "") -> int | None:
    """1 to 12 for a month name or an unambiguous prefix of one.

    language: without script and region; it separates Croatian names from Polish and Czech ones.

    >>> month_number("September"), month_number("Sept"), month_number("févr")
    (9, 9, 2)
    >>> month_number("jui"), month_number("Ma"), month_number("Monday")
    (None, None, None)
    >>> [month_number("listopada", language) for language in ("hr", "pl", "")]
    [10, 11, None]
    """
    word = word.casefold()
    number, in_croatian = _NUMBERS.get(word), _CROATIAN_NUMBERS.get(word)
    if in_croatian is None or language in _UNLIKE_CROATIAN:
        return number
    if number is None or language in _CROATIAN:
        return in_croatian
    return number if number == in_croatian else None


def _numbers(names: tuple[str, ...], whole_names: tuple[str, ...] = ()) -> dict[str, int]:
    numbers: dict[str, set[int]] = {}
    whole = _numbered(names)
    for name, number in whole.items():
        for length in range(min(_LEAST_LETTERS, len(name)), len(name) + 1):
            numbers.setdefault(name[:length], set()).add(number)
    # A complete name is unambiguous even if it is a prefix of another.
    whole |= _numbered(whole_names)
    return {word: found.pop() for word, found in numbers.items() if len(found) == 1} | whole


def _numbered(names: tuple[str, ...]) -> dict[str, int]:
    return {name.casefold(): n for n, line in enumerate(names, 1) for name in line.split()}


_NUMBERS: Final = _numbers(_NAMES, _WHOLE_NAMES)
_CROATIAN_NUMBERS: Final = _numbers(_CROATIAN_NAMES)
