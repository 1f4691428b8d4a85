"""The subcommands of ``python -m genre_model``. A new one is a module and a line here.

A module is imported when its subcommand is chosen, so that ``--help`` does not wait for TensorFlow.
"""

from __future__ import annotations

from collections.abc import Sequence

from corpus_commons.terminal import commands
from corpus_commons.terminal.commands import Entry, Group

COMMANDS = Group(
    {
        "predict": Entry("genre_model.commands.predict", "classify whole folders of pages"),
        "evaluate": Entry("genre_model.commands.evaluate", "score predictions on labelled pages"),
        "fit-fusion": Entry(
            "genre_model.commands.fit_fusion", "fit weights to combine classifiers"
        ),
        "fit-stacking": Entry(
            "genre_model.commands.fit_stacking", "fit how the extractor's page types are weighed"
        ),
        "train": Entry("genre_model.commands.train", "train the network on labelled screenshots"),
        "average": Entry("genre_model.commands.average", "average networks of one origin"),
        "train-html": Entry(
            "genre_model.commands.train_html", "train the HTML classifiers", "train"
        ),
        "train-url": Entry(
            "genre_model.commands.train_url", "fit what URLs say of their pages' types"
        ),
        "train-layout": Entry(
            "genre_model.commands.train_layout", "train trees over layout measures"
        ),
        "import-slim": Entry("genre_model.commands.import_slim", "convert a TF-Slim checkpoint"),
        "import-lite0": Entry(
            "genre_model.commands.import_lite0", "convert ImageNet weights of EfficientNet-Lite0"
        ),
        "synthesize": Entry(
            "genre_model.commands.synthesize", "render synthetic pages of known genre"
        ),
        "shoot": Entry(
            "genre_model.commands.shoot", "photograph and label the pages of static sites"
        ),
        "pretrain": Entry("genre_model.commands.pretrain", "pretrain a network on synthetic pages"),
    },
    summary="Classify pages by genre and page type, from screenshots, HTML, or both.",
    epilog="""exit codes:
  0    done
  1    an output cannot be written; or an error of the program, with a traceback
  2    the arguments, or the files they name, cannot be used
  3    done, but some pages could not be read, or have no prediction; the output says which
  130  interrupted by Ctrl-C; what was written so far is kept
""",
    logger="genre_model",
    extra="genre",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line ``argv`` (by default that of the process) and return the exit code."""
    return commands.main("python -m genre_model", COMMANDS, argv)
