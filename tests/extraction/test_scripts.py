"""Text in scripts without spaces between words, and in scripts whose letters join."""

from __future__ import annotations

import pytest

from extraction import extract, parse
from extraction.page.segmentation import segment

TORN = {
    "words of Chinese, by an editor that wraps every stretch": (
        "<p><span>在北京</span><span>2024</span><span>年召开，</span><a>人口</a><span>很多。</span>",
        "在北京2024年召开，人口很多。",
    ),
    "words of Thai in a long stretch": (
        "<p><span>กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย</span><a>และ</a><span>เป็นศูนย์กลาง</span>",
        "กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทยและเป็นศูนย์กลาง",
    ),
    "stretches between which a line may be broken": (
        "<div><span>กรุงเทพ</span><wbr><span>มหานคร</span></div>",
        "กรุงเทพมหานคร",
    ),
    "marks and the letters below them": (
        "<div><span>ש</span><span>ָ</span><span>לום</span></div>",
        "שָלום",
    ),
    "letters that are told not to join": (
        "<div><span>می\u200c</span><span>خواهم</span></div>",
        "می\u200cخواهم",
    ),
    "quotation marks and what they quote": (
        "<p>Компания <span>«</span><span>Газпром</span><span>»</span> заявила",
        "Компания «Газпром» заявила",
    ),
    "a word and its comma": ("<div><a>أن</a><span>،</span><a>لكن</a></div>", "أن، لكن"),
    "a sentence and its end": ("<div><a>क्या</a><span>?</span> <a>हाँ</a><i>।</i></div>", "क्या? हाँ।"),
}
LABELS = {
    "Chinese": ("<li><a>北京新闻</a><a>上海新闻</a><a>广州新闻</a>", "北京新闻 上海新闻 广州新闻"),
    "Thai": ("<p><a>ข่าว</a><a>กีฬา</a>", "ข่าว กีฬา"),
    "a label where a line may be broken": (
        "<dt><a>Local<wbr>Runtime</a><wbr><span>unstable</span></dt>",
        "LocalRuntime unstable",
    ),
    "a breadcrumb": ("<p><a>Home</a><span>»</span><a>News</a>", "Home » News"),
}
BROKEN = {
    "Chinese": ("<p>中国位于亚洲\n东部，太平洋\n  西岸。", "中国位于亚洲东部，太平洋西岸。"),
    "Chinese, in elements": ("<p>中国\n<b>位于</b>\n亚洲", "中国位于亚洲"),
    "Japanese with readings": (
        "<p>私は<ruby>\n 東京\n <rt>とうきょう</rt>\n</ruby>に",
        "私は東京（とうきょう）に",
    ),
    "a space that is meant": ("<p>東京 大阪", "東京 大阪"),
    "Chinese beside Latin": ("<p>使用\nPython\n编程", "使用 Python 编程"),
    "Korean": ("<p>한국은\n아시아", "한국은 아시아"),
    "a line of code": ("<pre>中\n国</pre>", "中\n国"),
}
# A sentence in each language, without spaces.
SENTENCES = {
    "Thai": "กรุงเทพมหานครเป็นเมืองหลวงและนครที่มีประชากรมากที่สุดของประเทศไทย",
    "Lao": "ນະຄອນຫຼວງວຽງຈັນເປັນເມືອງຫຼວງແລະເມືອງທີ່ໃຫຍ່ທີ່ສຸດຂອງປະເທດລາວ",
    "Khmer": "ភ្នំពេញជារាជធានីនិងជាទីក្រុងធំជាងគេបំផុតនៃព្រះរាជាណាចក្រកម្ពុជា",
    "Burmese": "ရန်ကုန်မြို့သည်မြန်မာနိုင်ငံ၏အကြီးဆုံးမြို့တော်ဖြစ်ပြီးစီးပွားရေးဗဟိုချက်ဖြစ်သည်",
}


@pytest.mark.parametrize(("body", "expected"), TORN.values(), ids=TORN.keys())
def test_what_belongs_together_is_not_torn(body: str, expected: str) -> None:
    assert text(body) == expected


@pytest.mark.parametrize(("body", "expected"), LABELS.values(), ids=LABELS.keys())
def test_labels_that_touch_are_set_apart(body: str, expected: str) -> None:
    assert text(body) == expected


@pytest.mark.parametrize(("body", "expected"), BROKEN.values(), ids=BROKEN.keys())
def test_line_breaks_of_the_source_are_spaces_where_the_script_has_spaces(
    body: str, expected: str
) -> None:
    assert text(body) == expected


@pytest.mark.parametrize("sentence", SENTENCES.values(), ids=SENTENCES.keys())
def test_an_article_without_spaces_is_kept(sentence: str) -> None:
    navigation = "".join(f"<li><a href=/{n}>{sentence[n : n + 6]}</a>" for n in range(9))
    paragraphs = "".join(f"<p>{sentence * 3}{n}</p>" for n in range(6))
    found = extract(
        f"<title>{sentence[:20]}</title><nav><ul>{navigation}</ul></nav>"
        f"<article><h1>{sentence[:20]}</h1>{paragraphs}</article>"
        f"<footer><p>© 2024 <a href=/c>{sentence[:9]}</a></footer>"
    )
    assert found.text.count(sentence * 3) == 6
    assert sentence[3:9] not in found.text.splitlines()
    assert found.confidence is not None
    assert found.confidence > 0.7


def text(body: str) -> str:
    segmentation = segment(parse(body))
    [found] = segmentation.texts_of(segmentation.block_of >= 0)
    return found
