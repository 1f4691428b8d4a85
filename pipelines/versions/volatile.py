"""What changes in a text without a change of its content: ages, clocks and counters.

>>> without_ages("Posted 3 hours ago by Ann")
'Posted ~ by Ann'
>>> without_counters("1,234 views · 12:31")
'~ · ~'
"""

from __future__ import annotations

import re
from typing import Final

_MASK: Final = "~"
# A number with its separators, of which no count has more, and a word for thousands or millions.
_NUMBER: Final = (
    r"\d+(?:[.,\u00a0\u202f ']\d{3}){0,6}(?:[.,]\d+)?\s?(?:k|m|tsd|mio|mln|тыс|万|萬|億|亿)?\.?\+?"
)
# Ages by language: what comes before the number, the units of time, and what follows them.
_LANGUAGES: Final = (
    ("", "s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|mos?|months?"
         "|y|yrs?|years?", " ago"),
    ("vor ", "sek|min|std|sekunden?|minuten?|stunden?|tag(?:en)?|wochen?|monat(?:en)?|jahr(?:en)?",
     ""),
    ("il y a ", "s|secondes?|min|minutes?|h|heures?|j|jours?|semaines?|mois|ans?", ""),
    ("hace ", "segundos?|minutos?|horas?|d[ií]as?|semanas?|mes(?:es)?|años?", ""),
    ("h[áa] ", "segundos?|minutos?|horas?|dias?|semanas?|m[eê]s(?:es)?|anos?", ""),
    ("", "second[oi]|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]", " fa"),
    ("", "seconden?|minuten?|uur|uren|dag(?:en)?|we(?:ek|ken)|maand(?:en)?|jaar", " geleden"),
    ("", r"sekund\w*|minut\w*|godzin\w*|dni|dzień|tygod\w+|miesi\w+|lata?|rok", " temu"),
    ("", r"секунд\w*|минут\w*|час\w*|дн\w+|день|недел\w+|месяц\w*|год\w*|лет", " назад"),
)  # fmt: skip
_AN: Final = r"(?:\d+|an?|one|eine[rmn]?|une?|una|uma|un)"
_AGES: Final = re.compile(
    "|".join(
        rf"(?<!\w){before}{_AN}\s?(?:{units}){after}(?!\w)" for before, units, after in _LANGUAGES
    )
    + r"|(?<!\d)\d+\s?(?:秒|分|分钟|分鐘|小时|小時|時間|天|日|周|週間|个月|個月|か月|年)之?前"
    + r"|(?<!\d)\d+\s?(?:초|분|시간|일|주|개월|년)\s?전",
    re.IGNORECASE,
)
_COUNTED: Final = (
    "views?|reads?|visits?|visitors?|hits|clicks|comments?|repl(?:y|ies)|responses?|answers?|likes?|"
    "dislikes?|shares?|votes?|upvotes?|points?|claps?|reactions?|ratings?|reviews?|followers?|"
    "subscribers?|downloads?|favou?rites?|bookmarks?|saves?|online|watching|members?|guests?|users?|"
    "posts?|topics?|threads?|messages?|"
    "aufrufe?|ansichten|kommentare?|antworten|beiträge|bewertungen|besucher|mitglieder|"
    "vues?|lectures?|commentaires?|réponses?|partages?|avis|votos?|visitas?|vistas?|comentarios?|"
    "comentários?|respuestas?|respostas?|visualizzazioni|commenti|risposte|reacties|weergaven|"
    r"wyświetle[nń]\w*|komentarz\w*|odpowiedzi|просмотр\w*|комментари\w*|ответ\w*|"
    "次阅读|次浏览|浏览|阅读|评论|条评论|回复|回覆|点赞|閲覧|コメント|件のコメント|조회|댓글"
)
_COUNTERS: Final = re.compile(
    rf"""
    (?<![\w.,]){_NUMBER}\s?(?:{_COUNTED})(?!\w)
    | (?<!\w)(?:{_COUNTED})\s?[:：(]?\s?{_NUMBER}\)?(?!\w)
    | (?<![\w:])\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?:\s?[ap]\.?m\.?)?(?![\w:])
    """,
    re.IGNORECASE | re.VERBOSE,
)


def without_ages(line: str) -> str:
    """The line without ages such as "3 hours ago"."""
    return _AGES.sub(_MASK, line)


def without_counters(line: str) -> str:
    """The line without ages, clocks, and numbers of views, comments and the like."""
    return _COUNTERS.sub(_MASK, without_ages(line))
