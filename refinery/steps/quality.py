"""The published quality rules, as datatrove implements them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, ClassVar, Final, Literal

from datatrove.data import Document
from datatrove.pipeline.filters import (
    C4QualityFilter,
    FineWebQualityFilter,
    GopherQualityFilter,
    GopherRepetitionFilter,
)
from datatrove.pipeline.filters.base_filter import BaseFilter, get_filter_result
from datatrove.pipeline.filters.c4_filters import CITATION_REGEX
from datatrove.utils.word_tokenizers import load_word_tokenizer

from refinery.steps.base import Judge, Step, Task
from settings.values import Finding, Language, Many

_BLANK_LINES: Final = re.compile(r"\n{2,}")


class QualityRule(Step):
    """Rules for documents in some languages; those in others are kept as they are."""

    languages: Many[Language] = ("en",)
    """The languages of the documents that it is for. Its thresholds were made for English. To split
    the words of some others, datatrove needs a package, which is then named."""

    rule: ClassVar[Callable[..., BaseFilter]]

    def contradictions(self) -> Iterator[Finding]:
        for number, language in enumerate(self.languages):
            try:
                load_word_tokenizer(language).word_tokenize("word")
            except (ImportError, ValueError) as error:
                found = f'is "{language}", whose words datatrove cannot split: '
                yield ("languages", number), found + str(error).splitlines()[0]

    def judge(self, task: Task) -> Judge:
        languages = frozenset(self.languages)
        rule_for = cache(self._rule)

        def judge(_: int, document: Document) -> str | None:
            language = document.metadata.get("language")
            if language not in languages:
                return None
            is_kept, reason = get_filter_result(self._filter(rule_for(language), document))
            return None if is_kept else _reason(reason)

        return judge

    def _rule(self, language: str) -> Any:
        return type(self).rule(language=language)

    def _filter(self, rule: BaseFilter, document: Document) -> Any:
        return rule.filter(document)


class _RuleOfLines(QualityRule):
    """Rules that count lines, among which the blank ones between our paragraphs must not be."""

    def _filter(self, rule: BaseFilter, document: Document) -> Any:
        return rule.filter(Document(_BLANK_LINES.sub("\n", document.text), document.id))


class GopherQuality(_RuleOfLines):
    """The quality rules of [Gopher](https://arxiv.org/abs/2112.11446) (table A1): 50 to 100,000
    words of 3 to 10 characters on average, few symbols, bullets and ellipses, enough words with
    letters, two English stop words (in other languages this one is left out). Made for plain text:
    in Markdown, the marks of items, headings and tables count as words without letters.
    """

    use: Literal["gopher-quality"] = "gopher-quality"
    """The step's name."""

    def _rule(self, language: str) -> Any:
        return GopherQualityFilter(
            language=language, min_stop_words=2 if language == "en" else None
        )


class GopherRepetition(QualityRule):
    """The repetition rules of [Gopher](https://arxiv.org/abs/2112.11446) (table A1): not too many
    repeated lines, paragraphs and n-grams of 2 to 10 words. They fit any language with spaces.
    """

    use: Literal["gopher-repetition"] = "gopher-repetition"
    """The step's name."""

    rule = GopherRepetitionFilter


class C4Quality(QualityRule):
    """The rules of [C4](https://arxiv.org/abs/1910.10683), but for its list of bad words: keeps
    lines of three words that end in a mark of punctuation and do not speak of JavaScript, cookies
    or terms of use, takes marks of citations such as `[1]` out of them, and drops documents that
    have a curly bracket or "lorem ipsum" in such a line, or fewer than five sentences. For English.
    """

    changes_texts = True

    use: Literal["c4"] = "c4"
    """The step's name."""

    rule = C4QualityFilter

    def _filter(self, rule: BaseFilter, document: Document) -> Any:
        before = document.text
        found = rule.filter(document)
        if found is True:
            document.text = _apart_as(before, document.text)
        return found


class FineWebQuality(_RuleOfLines):
    """The rules that [FineWeb](https://arxiv.org/abs/2406.17557) adds: enough lines end in a mark
    of punctuation, not too many are short, repeated or a list. For English.
    """

    use: Literal["fineweb"] = "fineweb"
    """The step's name."""

    rule = FineWebQualityFilter


def _apart_as(before: str, kept: str) -> str:
    """The kept lines, with a blank one wherever there was one; the filter leaves these out."""
    lines = kept.splitlines()
    found, is_apart, number = "", False, 0
    for line in before.splitlines():
        is_apart |= not line.strip()
        if number < len(lines) and CITATION_REGEX.sub("", line).strip() == lines[number].strip():
            found += ("\n\n" if is_apart else "\n") + lines[number]
            is_apart, number = False, number + 1
    return found.strip()


def _reason(reason: str | None) -> str:
    return (reason or "dropped").removeprefix("gopher_").replace("_", "-")
