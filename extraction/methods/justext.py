"""jusText: classifies paragraphs by length, link density, stop words and their neighbours.

J. Pomikálek: Removing boilerplate and duplicate content from web corpora. PhD thesis, Masaryk
University, 2011. https://github.com/miso-belica/jusText
"""

from __future__ import annotations

import re

import justext

from extraction.methods.base import LibraryExtractor

_LANGUAGE = re.compile(r"<html\b[^>]*?\slang\s*=\s*[\"']?\s*([a-z]{2,3})\b", re.I)

# The library's stop lists for the most common languages on the web, by ISO 639-1 code.
_STOP_LISTS = {
    "ar": "Arabic", "bg": "Bulgarian", "bn": "Bengali", "ca": "Catalan", "cs": "Czech",
    "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish",
    "et": "Estonian", "eu": "Basque", "fa": "Persian", "fi": "Finnish", "fr": "French",
    "gl": "Galician", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian",
    "id": "Indonesian", "it": "Italian", "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian",
    "ms": "Malay", "nb": "Norwegian_Bokmal", "nl": "Dutch", "nn": "Norwegian_Nynorsk",
    "no": "Norwegian_Bokmal", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian",
    "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish",
    "ta": "Tamil", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese",
}  # fmt: skip


class JusText(LibraryExtractor):
    """The good paragraphs, with the stop words of the language in ``<html lang>``.

    Pages that name no language are treated as English, as in the library's examples. For languages
    without a stop list, its language-independent mode is used, as by its command line.
    """

    name = "justext"

    def text_of(self, html: str, url: str | None) -> str:
        named = _LANGUAGE.search(html)
        stop_list = _STOP_LISTS.get(named[1].lower() if named else "en")
        if stop_list:
            paragraphs = justext.justext(html, justext.get_stoplist(stop_list))
        else:
            paragraphs = justext.justext(html, frozenset(), stopwords_low=0, stopwords_high=0)
        return "\n\n".join(
            paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate
        )
