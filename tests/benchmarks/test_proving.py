"""The benchmark of the prover runs, compares like with like, and draws what it measured."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.benchmarks import proving
from tests.benchmarks.proving import Measured, plot
from tests.solver import large


def test_it_runs_at_a_tiny_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    proving.main(["--cards", "4", "3", "--processes", "2", "--plot", str(tmp_path / "new" / "proving.svg")])
    told = capsys.readouterr().out
    assert re.findall(r"^ +(\d+) .* (\d+) and (\d+) of (\d+)$", told, re.MULTILINE) == [
        ("3", "25", "25", "25"), ("4", "25", "25", "25")
    ]  # fmt: skip
    assert re.search(r"4 cards, by the clock: .* with 2: \d+\.\d\d times as fast \(25 and 25 proved\)", told)
    drawn = ElementTree.parse(tmp_path / "new" / "proving.svg").getroot()
    assert len(drawn.findall(".//{*}circle")) == 4


def test_what_is_not_done_in_time_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    series = proving.laziness([4], large.properties()[:1], 0.0, print)
    assert "at least" in capsys.readouterr().out
    assert not series["lazy hypotheses"][0].complete


def test_the_plot_shows_more_seconds_higher_and_what_is_incomplete_hollow() -> None:
    way = [Measured(5, 0.5, 3, 3), Measured(10, 40.0, 2, 3)]
    first, second = ElementTree.fromstring(plot({"one < other": way})).findall(".//{*}circle")
    assert float(first.attrib["cx"]) < float(second.attrib["cx"])
    assert float(first.attrib["cy"]) > float(second.attrib["cy"])
    assert (first.attrib["fill"] == "white", second.attrib["fill"] == "white") == (False, True)
