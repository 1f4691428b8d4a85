"""Victor: training."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import numpy as np
import orjson
import pycrfsuite
import pytest
import zstandard

from extraction.__main__ import main
from extraction.labelled import LabelledPage
from extraction.methods.victor.binning import Binning
from extraction.methods.victor.crf import LABELS, Crf, load
from extraction.methods.victor.extractor import labels_of
from extraction.methods.victor.training import Settings, example_of, fit


def page(number: int) -> LabelledPage:
    """A page of a made-up site: a menu, a title, paragraphs and an imprint."""
    body = [f"Sentence {i} of page {number} says something new. It does." for i in range(4)]
    html = (
        "<div><a href=/>Home</a> <a href=/n>News</a></div>"
        f"<h1>Page {number} of the book</h1>"
        + "".join(f"<p>{text}</p>" for text in body)
        + "<div><a href=/i>Imprint</a> <a href=/t>Terms</a></div>"
    )
    gold = f"<h> Page {number} of the book " + " ".join(f"<p> {text}" for text in body)
    return LabelledPage(str(number), html, gold, gold_tagged=gold)


def written(folder: Path, *, w2t: str) -> Path:
    """A file with four pages of the site, in this part of Web2Text's split."""
    records = [
        {"id": made.id, "html": made.html, "gold_text": made.gold_text}
        | {"gold_tagged": made.gold_tagged, "meta": {"w2t": w2t}}
        for made in map(page, range(4))
    ]
    path = folder / "site.jsonl.zst"
    path.write_bytes(zstandard.compress(b"\n".join(map(orjson.dumps, records))))
    return path


class TestTraining:
    def test_it_learns_a_site_reproducibly(self) -> None:
        told = Settings(window=1, c1=0.1, c2=0.1, iterations=30)
        examples = [example_of(page(number), told.binning) for number in range(6)]
        crf = fit(examples, told)
        unseen = example_of(page(99), told.binning)
        for decoding in ("marginal", "viterbi"):
            labels, _ = labels_of(crf, unseen.classes, decoding)
            assert labels.tolist() == unseen.labels.tolist()
        assert np.array_equal(crf.weights, fit(examples, told).weights)

    def test_pages_without_a_test_part_make_a_model(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level("INFO")
        data, out = written(tmp_path, w2t="train"), tmp_path / "model.npz"
        main(f"train victor --data {data} --out {out}".split())
        assert load(out).names
        assert set(orjson.loads((tmp_path / "model.json").read_bytes())) == {"settings", "train"}
        assert re.search(
            r"train: accuracy [01]\.\d{3}, .*, label accuracy [01]\.\d{3}\n", caplog.text
        )
        assert f"wrote {out} and {tmp_path / 'model.json'}\n" in caplog.text

    @pytest.mark.parametrize(
        ("w2t", "options", "message"),
        [
            ("none", "", 'no page has both meta.w2t = "train" and gold_tagged'),
            ("train", "--cross-validate 500", "4 pages are too few for 500 folds"),
            ("train", "--cross-validate 1", "--cross-validate: must be at least 2"),
            ("train", "--iterations 0", "--iterations: must be at least 1"),
        ],
    )
    def test_unusable_data_is_a_one_line_error(
        self,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        w2t: str,
        options: str,
        message: str,
    ) -> None:
        data, out = written(tmp_path, w2t=w2t), tmp_path / "model.npz"
        with pytest.raises(SystemExit) as stopped:
            main(f"train victor --data {data} --out {out} {options}".split())
        assert stopped.value.code == 2
        assert message in capsys.readouterr().err
        assert not out.exists()

    def test_our_decoding_is_crfsuites(self, tmp_path: Path) -> None:
        trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
        trainer.set_params({"c2": 0.5, "feature.possible_transitions": True})
        generator = np.random.default_rng(7)
        classes = generator.integers(0, 3, size=(40, 2)).astype(np.int32)
        symbols = [[f"{f}:{c}" for f, c in enumerate(row)] for row in classes.tolist()]
        trainer.append(symbols, [str(label) for label in generator.integers(0, 5, size=40)])
        trainer.train(str(tmp_path / "crf"))
        tagger = pycrfsuite.Tagger()
        tagger.open(str(tmp_path / "crf"))
        learnt = tagger.info()
        weights = np.zeros((6, 1, len(LABELS)))
        for (symbol, label), weight in learnt.state_features.items():
            feature, value = map(int, symbol.split(":"))
            weights[3 * feature + value, 0, int(label)] = weight
        transitions = np.zeros((len(LABELS), len(LABELS)))
        for (label, following), weight in learnt.transitions.items():
            transitions[int(label), int(following)] = weight
        crf = Crf(("a", "b"), (3, 3), weights, transitions, Binning())
        emissions = crf.emissions(classes)
        assert list(map(str, crf.best_labels(emissions).tolist())) == tagger.tag(symbols)
        marginals = crf.marginals(emissions)
        for t, label in product(range(40), range(len(LABELS))):
            assert marginals[t, label] == pytest.approx(tagger.marginal(str(label), t), abs=1e-6)
