"""What README and ARCHITECTURE say is so: their commands are those of CI, their game runs, is explored and proved."""

import re
from pathlib import Path

from model.language import Model
from properties.declaration import invariant
from solver.explorer.frozen import thawed
from solver.explorer.search import explore
from solver.induction import Prover

ROOT = Path(__file__).parent.parent


def code(document: str, language: str) -> list[str]:
    """The code blocks of a document."""
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / document).read_text("utf-8"), re.DOTALL)


def test_ci_runs_the_test_command_of_the_readme() -> None:
    commands = [block.strip() for block in code("README.md", "")]
    (tests,) = [command for command in commands if "-m pytest" in command and command.startswith("python3 -m venv")]
    assert "\n" not in tests
    assert tests in (ROOT / ".ci/run").read_text("utf-8").splitlines()


def test_the_first_command_is_one_line_that_verifies() -> None:
    first = code("README.md", "")[0].strip()
    assert first.startswith("python3 -m venv") and first.endswith("ruleproof verify") and "\n" not in first


def test_the_game_of_the_architecture_runs_in_every_way() -> None:
    (text,) = code("ARCHITECTURE.md", "python")
    names: dict[str, object] = {"__name__": "heap"}
    exec(compile(text, "ARCHITECTURE.md", "exec"), names)
    game, heap = names["GAME"], names["Heap"]()  # type: ignore[operator]
    assert len([line for line in text.splitlines() if line.strip()]) <= 50

    model: Model = game.model(heap)  # type: ignore[attr-defined]
    state = model.initial()
    while not model.over(state):
        model.apply(state, model.legal(state)[-1])
    assert state.heap == 0 and state.winner == 1 - state.turn

    result, _ = explore(thawed(game, heap))  # type: ignore[arg-type]
    # Heaps 7..1 with either in turn, but 7 and 6 with one each, and an end for each winner.
    assert (result.states, result.deadlocks, result.terminal) == (14, 0, 2)

    @invariant("heap.winner", "Nobody has won while stones are left.", ("end.last",))
    def no_early_winner(state: object) -> object:
        return (state.heap == 0) | (state.winner == 2)  # type: ignore[attr-defined]

    assert Prover(model, [no_early_winner]).examine(no_early_winner).proved
