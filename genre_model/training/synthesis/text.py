"""Random words, titles, names, dates and prices in several languages."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cache
from random import Random

LANGUAGES: dict[str, tuple[str, float]] = {
    "en": ("en_US", 0.5),
    "zh": ("zh_CN", 0.18),
    "la": ("la", 0.06),
    "es": ("es_ES", 0.04),
    "ja": ("ja_JP", 0.05),
    "ko": ("ko_KR", 0.03),
    "fr": ("fr_FR", 0.03),
    "ru": ("ru_RU", 0.03),
    "de": ("de_DE", 0.02),
    "ar": ("ar_AA", 0.02),
    "pl": ("pl_PL", 0.01),
    "it": ("it_IT", 0.01),
    "nl": ("nl_BE", 0.01),
    "vi": ("vi_VN", 0.01),
}
"""Language code -> the word list's locale and the language's share of pages."""

RIGHT_TO_LEFT = frozenset({"ar"})
UNSPACED = frozenset({"zh", "ja"})

_MONTHS = "January February March April May June July August September October November December"
_KOREAN = (
    "우리 사람 시간 세계 문제 생각 회사 정보 방법 개발 서비스 데이터 시작 결과 경우 필요한 새로운 "
    "다양한 중요한 이용한 위해서 그리고 하지만 때문에 대한 통해 것이다 있습니다 합니다 했다 된다 "
    "좋은 많은 모든 다른 같은 함께 오늘 내일 어제 한국 서울 학교 학생 선생님 친구 가족 음식 여행 "
    "사진 영화 음악 책을 읽고 쓰는 만드는 배우는 알고리즘 프로그램 컴퓨터 서버에서 코드를 설정하고 "
    "실행하면 출력이 나온다 먼저 다음으로 마지막 이것은 그것을 저는 나는 여기서 설명하는 내용"
)  # the library has no Korean word list
_SITE_SUFFIXES = "Blog Lab Studio Journal Notes Hub Store Daily Press Works Group Media Co Design"


@cache
def _words(locale: str) -> tuple[str, ...]:
    if locale == "ko_KR":
        return tuple(_KOREAN.split())
    provider = importlib.import_module(f"faker.providers.lorem.{locale}").Provider
    return tuple(provider.word_list)


@cache
def _names(locale: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
    return tuple(provider.first_names), tuple(provider.last_names)


_NAME_LOCALES = {"zh": "zh_CN", "ja": "ja_JP", "ko": "ko_KR", "ru": "ru_RU", "ar": "ar_AA"}


@dataclass(frozen=True)
class Text:
    """A writer in one language. Everything it writes is free of HTML special characters."""

    rng: Random
    lang: str

    @property
    def unspaced(self) -> bool:
        return self.lang in UNSPACED

    @property
    def rtl(self) -> bool:
        return self.lang in RIGHT_TO_LEFT

    def word(self) -> str:
        return self.rng.choice(_words(LANGUAGES[self.lang][0]))

    def phrase(self, low: int, high: int) -> str:
        """Between `low` and `high` words (about as many characters in unspaced scripts)."""
        count = self.rng.randint(low, high)
        return ("" if self.unspaced else " ").join(self.word() for _ in range(count))

    def sentence(self) -> str:
        parts = [self.phrase(3, 9) for _ in range(self.rng.choice((1, 1, 2, 2, 3)))]
        if self.unspaced:
            return "，".join(parts) + "。"
        text = ", ".join(parts) + self.rng.choice((".", ".", ".", ".", "?", "!"))
        return text[0].upper() + text[1:]

    def paragraph(self, low: int = 20, high: int = 180) -> str:
        """Sentences with `low` to `high` words in total; short paragraphs are more likely."""
        goal = low + (high - low) * self.rng.random() ** 2
        sentences: list[str] = []
        words = 0.0
        while words < goal:
            sentences.append(self.sentence())
            # A character of an unspaced script carries about half a word.
            words += len(sentences[-1]) / 2 if self.unspaced else sentences[-1].count(" ") + 1
        return ("" if self.unspaced else " ").join(sentences)

    def title(self, low: int = 2, high: int = 11) -> str:
        text = self.phrase(low, high)
        style = self.rng.random()
        if self.unspaced or self.lang in ("ko", "ar"):
            return text if style < 0.8 else f"{text} {self.rng.randint(1, 30)}"
        return text.title() if style < 0.45 else text[0].upper() + text[1:]

    def label(self) -> str:
        """One or two words: a menu entry, a tag, a button."""
        return self.title(1, 2)

    def name(self) -> str:
        first, last = _names(_NAME_LOCALES.get(self.lang, "en_US"))
        one, two = self.rng.choice(first), self.rng.choice(last)
        return two + one if self.lang in ("zh", "ja", "ko") else f"{one} {two}"

    def site(self) -> str:
        if self.rng.random() < 0.5:
            return self.label()
        return f"{self.label()} {self.rng.choice(_SITE_SUFFIXES.split())}"

    def date(self) -> str:
        year, month = self.rng.randint(2008, 2025), self.rng.randint(1, 12)
        day = self.rng.randint(1, 28)
        if self.lang in ("zh", "ja") and self.rng.random() < 0.5:
            return f"{year}年{month}月{day}日"
        form = self.rng.randrange(4)
        if form == 0:
            return f"{year}-{month:02}-{day:02}"
        if form == 1:
            return f"{day:02}/{month:02}/{year}"
        name = _MONTHS.split()[month - 1]
        return f"{name} {day}, {year}" if form == 2 else f"{day} {name[:3]} {year}"

    def price(self) -> str:
        amount = self.rng.choice((9, 19, 29, 49, 99, 149, 499, 1299)) + self.rng.randint(0, 40)
        cents = self.rng.choice(("", ".00", ".99", ".50"))
        return f"{self.rng.choice('$$$€£¥')}{amount}{cents}"


def random_language(rng: Random) -> str:
    codes = list(LANGUAGES)
    return rng.choices(codes, [LANGUAGES[code][1] for code in codes])[0]
