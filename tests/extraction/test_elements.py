"""The element classifier: its elements, its features, and what it keeps."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import orjson
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus_commons.markup.dom import parse
from extraction.__main__ import main
from extraction.labelled import LabelledPage
from extraction.methods.elements import Elements
from extraction.methods.elements.ancestry import GROUPS, Ancestry, bucket
from extraction.methods.elements.experiment import Experiment
from extraction.methods.elements.fitting import Settings, fit, row_weights
from extraction.methods.elements.image_features import NAMES as IMAGE_NAMES
from extraction.methods.elements.labels import image_labels, marked_images, text_labels
from extraction.methods.elements.model import load
from extraction.methods.elements.page_view import PageView
from extraction.methods.elements.samples import group_of, size_group
from extraction.methods.elements.text_elements import KINDS, text_elements
from extraction.methods.elements.text_features import NAMES as TEXT_NAMES
from extraction.page.addresses import base_url
from extraction.page.images import address, declared_size, image_at, image_nodes
from extraction.registry import extractor
from extraction.result import Extraction
from tests.cpu_time import bounded_time

SENTENCE = "The council voted on Tuesday to restore the old bridge, and work will begin in spring. "
ARTICLE = f"""
<html><head><title>Old bridge to be restored</title></head><body>
<nav class="site-nav"><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li></ul></nav>
<main><article class="post-content">
<h1>Old bridge to be restored</h1>
<figure><img src="/bridge.jpg" width="800" height="600" alt="The  bridge"></figure>
{"".join(f"<p>{SENTENCE * 3}</p>" for _ in range(8))}
</article></main>
<aside class="related"><h3>Related</h3><ul><li><a href="/a">Ten best bridges</a></li></ul></aside>
<footer class="footer"><img src="/logo.png" width="20" height="20" alt="logo">
<p>© 2024 The Paper. All rights reserved.</p></footer></body></html>
"""


@pytest.fixture(scope="module")
def classifier():
    return Elements()


def kinds_of(html):
    elements = text_elements(parse(html))
    return [
        (KINDS[kind], text)
        for kind, text in zip(elements.kinds.tolist(), elements.texts, strict=True)
    ]


class TestTextElements:
    def test_the_kinds_of_the_thesis(self):
        html = "<h2>A</h2><p>B</p><div>C</div><ul><li>D</ul><table><tr><th>E<td>F</table>"
        assert kinds_of(html) == [
            ("heading", "A"),
            ("p", "B"),
            ("div", "C"),
            ("li", "D"),
            ("cell", "E"),
            ("cell", "F"),
        ]

    def test_a_div_around_paragraphs_is_no_element_but_its_own_text_is_classified(self):
        assert kinds_of("<div>loose <p>inside</p> ends</div>") == [
            ("other", "loose ends"),
            ("p", "inside"),
        ]

    def test_a_list_item_is_one_whatever_it_holds(self):
        assert kinds_of("<li>item <p>inside</p></li>") == [("li", "item"), ("p", "inside")]

    def test_inline_markup_does_not_split_an_element(self):
        assert kinds_of("<p>one <b>two <i>three</i></b></p>") == [("p", "one two three")]

    def test_hidden_and_blank_text_belongs_to_no_element(self):
        assert kinds_of("<div style='display:none'>x</div><p> \n </p><script>y</script>") == []

    @given(st.text(alphabet="<>/pdivltr h1x='\"& ", max_size=200))
    def test_every_visible_text_belongs_to_exactly_one_element(self, html):
        dom = parse(html)
        elements = text_elements(dom)
        for node in np.flatnonzero(dom.is_text & dom.visible).tolist():
            assert (elements.element_of[node] >= 0) == bool(dom.texts[node].strip())
        assert len(set(elements.nodes.tolist())) == len(elements)


class TestAncestry:
    def in_groups(self, html, text):
        dom = parse(html)
        flags = Ancestry(dom).flags[dom.texts.index(text)]
        return {group for bit, group in enumerate(GROUPS) if flags >> bit & 1}

    def test_tag_names_and_class_words_of_all_ancestors_count(self):
        html = "<section id=userComments><div class='cookie-notice x'><p>here</p></div></section>"
        assert {"section", "comment", "cookie"} <= self.in_groups(html, "here")

    def test_siblings_do_not_count(self):
        html = "<footer>f</footer><nav>n</nav><p>here</p>"
        assert not {"footer", "nav"} & self.in_groups(html, "here")

    def test_buckets_are_the_same_in_every_process(self):
        assert bucket("comment") == 21_100

    def test_values_are_handed_down_along_every_path(self):
        dom = parse("<div><p>a</p></div><p>b</p>")
        depths = Ancestry(dom).handed_down(np.ones(len(dom)), np.add) - 1
        assert depths.tolist() == dom.depths.tolist()


class TestFeatures:
    def test_one_row_per_element_and_one_column_per_name(self):
        page = PageView(parse(ARTICLE))
        assert page.text_rows.shape == (len(page.elements), len(TEXT_NAMES))
        rows = page.image_rows(np.zeros(len(page.elements)))
        assert rows.shape == (len(page.images), len(IMAGE_NAMES))

    def test_labels_left_in_the_page_are_not_seen(self):
        marked = ARTICLE.replace("<p>", "<p __label=main>")
        assert np.array_equal(
            PageView(parse(ARTICLE)).text_rows, PageView(parse(marked)).text_rows, equal_nan=True
        )


class TestImages:
    def image(self, attributes, around="{}"):
        dom = parse(around.format(f"<img {attributes}>"))
        return dom, int(image_nodes(dom)[0])

    @pytest.mark.parametrize(
        ("attributes", "expected"),
        [
            ('src="a.jpg"', "a.jpg"),
            ('src="blank.gif" data-src="a.jpg"', "a.jpg"),
            ('src="data:image/gif;base64,R0" data-lazy-src="a.jpg"', "a.jpg"),
            ('src="data:image/gif;base64,R0" srcset="s.jpg 1x, a.jpg 2x"', "a.jpg"),
            ('data-srcset="s.jpg 320w, a.jpg 1280w"', "a.jpg"),
            ('src="/img/placeholder.gif" srcset="s.jpg 320w, a.jpg 1280w"', "a.jpg"),
            ('src="lazy_blank.png?v=1"', "lazy_blank.png?v=1"),
            ('src="a.jpg" srcset="a-320.jpg 320w"', "a.jpg"),
            ('src="data:image/gif;base64,R0"', ""),
            ("alt=nothing", ""),
        ],
    )
    def test_lazy_loading_is_honoured(self, attributes, expected):
        assert address(*self.image(attributes)) == expected

    @pytest.mark.parametrize(
        ("late", "is_address"),
        [
            ('data-lazy="true"', False),
            ('data-image="hero-123"', False),
            ('data-src="Photo: AP/Reuters"', False),
            ("data-image='[\"b/c.jpg\"]'", False),
            ('data-image="b c.JPG"', True),
            ('data-src="b.webp?w=9"', True),
            ('data-src="//b.example/1"', True),
        ],
    )
    def test_late_attributes_count_where_they_hold_an_address(self, late, is_address):
        dom, node = self.image(f'src="a.jpg" {late}')
        assert (address(dom, node) != "a.jpg") == is_address

    def test_addresses_are_recognised_in_linear_time(self):
        with bounded_time():
            for value in ("/" * 3_999 + " x", ".png?" * 799 + "\n", "/blank.-" * 500, ".jpg" * 999):
                address(*self.image(f'data-src="{value}" src="{value}"'))

    @pytest.mark.parametrize("sources", ["srcset", "data-srcset"])
    @pytest.mark.parametrize("attributes", ["alt=x", "src=placeholder.svg"])
    def test_a_picture_without_src_takes_its_source(self, sources, attributes):
        around = f"<picture><source {sources}='a.webp 1x'>{{}}</picture>"
        assert address(*self.image(attributes, around)) == "a.webp"

    def test_a_picture_of_any_number_of_images_is_read_in_linear_time(self):
        dom = parse("<picture>" + "<img>" * 60_000)
        with bounded_time():
            assert {address(dom, node) for node in image_nodes(dom).tolist()} == {""}

    def test_an_amp_image_is_one(self):
        dom = parse("<amp-img src=a.jpg width=9><noscript><img src=a.jpg></noscript></amp-img><p>a")
        [node] = image_nodes(dom)
        assert address(dom, node) == "a.jpg"

    def test_sizes_are_as_declared(self):
        assert declared_size({"width": "300px", "height": "200"}) == (300, 200)
        assert declared_size({"style": "max-width:9px; width: 640.5px"}) == (640, None)
        assert declared_size({"width": "100%", "height": "auto"}) == (None, None)
        assert declared_size({"width": None}) == (None, None)

    @pytest.mark.parametrize(
        ("size", "group"),
        [
            ((200, 200), "small or medium"),
            ((200, 201), "large"),
            ((None, 10), "unknown"),
        ],
    )
    def test_large_is_beyond_40000_pixels(self, size, group):
        assert size_group(size) == group

    def test_urls_are_resolved_against_base_and_page(self):
        dom, node = self.image("src=b.jpg width=9 alt=' a  b\x1b '", "<base href='/img/'>{}")
        found = image_at(dom, node, base_url(dom, "https://example.org/x/y"), 0.9)
        assert (found.url, found.alt, found.width) == ("https://example.org/img/b.jpg", "a b", 9)

    @pytest.mark.parametrize("source", ["data:image/png;base64,AA", "javascript:x", "http://[", ""])
    def test_what_cannot_be_fetched_is_no_image(self, source):
        dom, node = self.image(f'src="{source}"')
        assert image_at(dom, node, "https://example.org/", 0.9) is None


class TestLabels:
    def test_an_element_is_main_if_the_gold_holds_half_its_words(self):
        elements = text_elements(parse("<p>alpha beta gamma</p><p>beta x y z</p><p>—</p>"))
        assert text_labels(elements, "alpha beta gamma").tolist() == [1, 0, -1]

    def test_node_labels_take_precedence_over_gold_text(self):
        dom = parse("<div __label=main><p>a</p><p __label=comment>b</p></div><p>c</p>")
        assert text_labels(text_elements(dom), "c").tolist() == [1, 0, 0]

    def test_marked_images(self):
        dom = parse("<div __label=main><img></div><img __label=image><img><img __label=author>")
        assert marked_images(dom, image_nodes(dom)).tolist() == [1, 1, 0, 0]

    def test_an_image_is_main_if_its_context_is(self):
        context = SENTENCE * 2
        dom = parse(
            f"<article><p>{context}</p><figure><img></figure><img width=16 height=16></article>"
            f"<aside><img>{context}</aside>"
        )
        elements, images = text_elements(dom), image_nodes(dom)
        sizes = [declared_size(dom.attributes[node]) for node in images.tolist()]
        found = image_labels(elements, np.array([1, 0], np.int8), images, sizes)
        assert found.tolist() == [1, 0, 0]


class TestExtraction:
    def test_an_article_is_kept_and_its_surroundings_dropped(self, classifier):
        found = classifier.extract(ARTICLE, url="https://example.org/news/1")
        assert found.text.count("The council voted") == 24
        assert "All rights reserved" not in found.text
        assert "Ten best bridges" not in found.text
        assert found.method == "elements"
        assert found.confidence > 0.8
        assert all(block.probability >= 0.4 for block in found.blocks)

    def test_kept_images_come_out_resolved(self, classifier):
        found = classifier.extract(ARTICLE, url="https://example.org/news/1")
        assert [image.url for image in found.images] == ["https://example.org/bridge.jpg"]
        image = found.images[0]
        assert (image.alt, image.width, image.height) == ("The bridge", 800, 600)
        assert image.probability >= 0.5

    def test_text_outside_the_thesis_elements_can_be_left_out(self, classifier):
        html = ARTICLE.replace("<p>", "<blockquote>").replace("</p>", "</blockquote>")
        literal = Elements(classifier.model, other_text=False).extract(html)
        assert "The council voted" in classifier.extract(html).text
        assert "The council voted" not in literal.text

    def test_the_registry_knows_it(self):
        assert isinstance(extractor("elements"), Elements)

    @pytest.mark.parametrize("html", ["", "   ", "<p>", b"\xff\x00", "<img>", "<img src=a.jpg>"])
    def test_pages_with_nothing_give_no_text(self, classifier, html):
        assert classifier.extract(html).text in ("", "�")

    @settings(max_examples=60)
    @given(st.one_of(st.text(max_size=300), st.binary(max_size=300)))
    def test_any_input_gives_an_extraction(self, classifier, html):
        assert isinstance(classifier.extract(html, url="http://[bad"), Extraction)

    def test_deep_and_wide_pages_are_bounded(self, classifier):
        for html in ("<div>" * 20_000 + "x", "<li class=a>x" * 20_000, "<img src=a>" * 5_000):
            assert isinstance(classifier.extract(html), Extraction)


class TestModel:
    def test_it_survives_saving(self, classifier, tmp_path):
        classifier.model.save(tmp_path)
        page = PageView(parse(ARTICLE))
        again = load(tmp_path)
        assert again.text.threshold == classifier.model.text.threshold
        probabilities = classifier.model.text_probabilities(page)
        assert np.array_equal(again.text_probabilities(page), probabilities)
        assert np.array_equal(
            again.image_probabilities(page, probabilities),
            classifier.model.image_probabilities(page, probabilities),
        )

    def test_it_needs_neither_the_package_lightgbm_nor_what_that_brings(self):
        program = (
            "import sys; from extraction import extract; "
            "extract('<p>text', method='elements'); "
            "sys.exit(bool({'lightgbm', 'scipy', 'sklearn'} & set(sys.modules)))"
        )
        assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0  # noqa: S603

    def test_a_missing_model_is_named(self, tmp_path):
        with pytest.raises(FileNotFoundError, match="thresholds"):
            load(tmp_path)


class TestTraining:
    def test_a_model_is_trained_on_labelled_pages(self, tmp_path):
        data = tmp_path / "small.of-mine.jsonl.zst"
        write_pages(data, small_set())
        experiment = Experiment([data], 1)
        scores = experiment.scores()["small"]
        assert scores["text"]["p"]["by_text"]["f1"] > 0.95
        assert scores["text"]["li"]["by_element"]["precision"] is None  # none kept
        assert scores["images"]["large"]["by_element"]["f1"] > 0.95
        experiment.model().save(tmp_path / "model")
        found = Elements(load(tmp_path / "model")).extract(ARTICLE)
        assert "The council voted" in found.text
        experiment.write_texts(tmp_path / "texts.jsonl")
        lines = (tmp_path / "texts.jsonl").read_bytes().splitlines()
        assert [orjson.loads(line)["id"] for line in lines] == [page.id for page in small_set()]
        with pytest.raises(OSError, match="'/dev/full'"):
            experiment.write_texts(Path("/dev/full"))

    def test_too_few_sites_are_a_one_line_error(self, tmp_path, capsys):
        data = tmp_path / "small.jsonl.zst"
        write_pages(data, small_set()[:1])
        with pytest.raises(SystemExit) as stopped:
            main(f"train elements --data {data} --out {tmp_path / 'model'}".split())
        assert stopped.value.code == 2
        assert "too few sites with labelled text" in capsys.readouterr().err

    def test_an_output_that_is_a_file_is_refused_before_the_data_are_read(self, tmp_path, capsys):
        out = tmp_path / "model.zst"
        out.touch()
        with pytest.raises(SystemExit) as stopped:
            main(f"train elements --data {tmp_path / 'none'} --out {out}".split())
        assert stopped.value.code == 2
        assert "model.zst" in capsys.readouterr().err

    def test_fitting_twice_gives_the_same_judge(self, tmp_path):
        data = tmp_path / "small.jsonl.zst"
        write_pages(data, small_set())
        texts = Experiment([data], 1).texts
        first, second = (fit(texts, Settings("text", 0.5, 1)) for _ in range(2))
        assert first.trees.text == second.trees.text
        assert np.array_equal(first.weights.path, second.weights.path)

    def test_pages_of_one_site_are_one_group(self):
        pages = [
            LabelledPage("1", "", "", url="https://news.site.co.uk/a"),
            LabelledPage("2", "<link rel=canonical href='http://www.site.co.uk/b'>", ""),
            LabelledPage("3", "<p>", ""),
        ]
        assert [group_of(page) for page in pages] == ["site.co.uk", "site.co.uk", "3"]

    def test_a_page_without_gold_is_not_trained_on(self, tmp_path):
        data = tmp_path / "small.jsonl.zst"
        write_pages(data, [LabelledPage("1", "<p>some text</p>", " ")])
        sample = Experiment([data], 1).texts[0]
        assert sample.labels.tolist() == [-1]
        assert not row_weights(sample).any()


def small_set():
    """Pages of sixty sites, each with an article between a menu and a footer."""
    gold = "\n".join(SENTENCE * 3 for _ in range(8))
    return [
        LabelledPage(
            id=str(number),
            url=f"https://www.site{number}.org/page",
            html=ARTICLE.replace("post-content", f"post-content c{number}"),
            gold_text=f"Old bridge to be restored\n{gold}",
        )
        for number in range(60)
    ]


def write_pages(path, pages):
    lines = [
        orjson.dumps(
            {"id": p.id, "url": p.url, "html": p.html, "gold_text": p.gold_text, "meta": {}}
        )
        for p in pages
    ]
    path.write_bytes(zstandard.compress(b"\n".join(lines) + b"\n"))
