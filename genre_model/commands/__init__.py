"""The subcommands of ``python -m genre_model``. A new one is a module and a line here.

A module is imported when its subcommand is chosen, so that ``--help`` does not wait for TensorFlow.
"""

from __future__ import annotations

from corpus_commons.terminal.commands import Entry

COMMANDS: dict[str, Entry] = {
    "predict": Entry("genre_model.commands.predict", "classify whole folders of pages"),
    "evaluate": Entry("genre_model.commands.evaluate", "score predictions on labelled pages"),
    "fit-fusion": Entry("genre_model.commands.fit_fusion", "fit weights to combine classifiers"),
    "train": Entry("genre_model.commands.train", "train the network on labelled screenshots"),
    "train-html": Entry("genre_model.commands.train_html", "train the HTML classifiers"),
    "train-layout": Entry("genre_model.commands.train_layout", "train trees over layout measures"),
    "import-slim": Entry("genre_model.commands.import_slim", "convert a TF-Slim checkpoint"),
    "synthesize": Entry("genre_model.commands.synthesize", "render synthetic pages of known genre"),
    "pretrain": Entry("genre_model.commands.pretrain", "pretrain a network on synthetic pages"),
}
