"""Set-up asks the packages themselves what is missing."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
QUESTIONS = re.findall(r"\$\(BIN\)/python -c '([^']+)'", (ROOT / "Makefile").read_text())


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_of_the_makefile_is_answered(question: str) -> None:
    """An error would be taken for a no, and something installed, or asked for, that is there."""
    asked = [sys.executable, "-c", question]
    done = subprocess.run(  # noqa: S603 - ours
        asked, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode in (0, 1), done.stderr) == (True, "")


def test_there_are_such_questions() -> None:
    assert len(QUESTIONS) == 2
