from argparse import ArgumentParser
from pathlib import Path

import pytest

from corpus_commons.terminal.arguments import Distinct


@pytest.fixture
def parser() -> ArgumentParser:
    made = ArgumentParser()
    made.add_argument("--data", nargs="+", type=Path, action=Distinct, default=[])
    return made


def test_files_that_are_not_the_same_are_taken_also_by_several_options(
    parser: ArgumentParser,
) -> None:
    assert parser.parse_args([]).data == []
    given = parser.parse_args(["--data", "a", "b", "--data", "c"]).data
    assert given == [Path("a"), Path("b"), Path("c")]


def test_a_file_that_is_given_twice_is_refused_however_it_is_spelt(
    parser: ArgumentParser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, link = tmp_path / "a", tmp_path / "link"
    link.symlink_to(file)
    for again in (file, tmp_path / "x/../a", link):
        with pytest.raises(SystemExit):
            parser.parse_args(["--data", str(file), "--data", str(again)])
        said = f"argument --data: {again} is given twice, and would count twice\n"
        assert capsys.readouterr().err.endswith(said)
