"""One semantics: what a rule does on plain values is what its traced paths say, under every evaluator.

Execution, proof, exploration and export are only as good as this. For one state and one move, the guard of exactly one
path must hold where the move is legal and of none where it is refused, and the path's updates must give the state
that execution gives, slot by slot. An evaluator is any function from terms and the values of their variables to
values: the plain one, NumPy columns, Z3 terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from model.language import Amounts, Model, Move, One, Selection, State
from model.language.evaluate import evaluate
from model.language.expression import Symbolic, Term, written
from model.language.trace import Path, trace

Evaluator = Callable[[Sequence[Term], Mapping[Any, Any]], Sequence[Any]]
PLAIN: Mapping[str, Evaluator] = {"plain": evaluate}


def variable_values(model: Model, state: State, move: Move) -> dict[tuple[Any, ...], Any]:
    """What the variables of traced terms stand for in this state and move, by variable name."""
    slots = zip(model.layout.slots, state.vector(), strict=True)
    values: dict[tuple[Any, ...], Any] = {("state", cell.label): value for cell, value in slots}
    for (name, choice), chosen in zip(move.action.choices.items(), move.values, strict=True):
        if not isinstance(choice, One):
            for member, label in model.families[choice.family].label.items():
                amount = chosen[member]
                values["choice", name, label] = int(amount) if isinstance(choice, Amounts) else bool(amount)
    return values


def covers(path: Path, move: Move) -> bool:
    """Whether the path is about this move: the same choices, or symbolic ones with room for what is chosen."""
    return path.action is move.action and all(
        _has_room(traced, chosen) for traced, chosen in zip(path.values, move.values, strict=True)
    )


def _has_room(traced: Any, chosen: Any) -> bool:
    if not isinstance(chosen, Selection):
        return bool(traced == chosen)
    if any(amount.__class__ is Symbolic for amount in traced.values()):
        return all(member in traced for member in chosen)
    return bool(traced == chosen)


def check_agreement(
    model: Model,
    state: State,
    move: Move,
    paths: Iterable[Path] | None = None,
    evaluators: Mapping[str, Evaluator] = PLAIN,
    parameters: Mapping[tuple[Any, ...], Any] | None = None,
) -> bool:
    """Compare execution with the traced paths under each evaluator; leaves the state as it is.

    Args:
        paths: of the move's action, concrete or symbolic in its selections; those of other choices are left aside.
            None: traced here for exactly this move.
        parameters: values of symbolic parameters, where the paths were traced with them: the model is then the
            concrete one that they describe.

    Returns:
        whether the move is legal.

    Raises:
        AssertionError: names the evaluator, the rule, the path or slot, and the values.
    """
    traced = trace(model, move.action, move.values) if paths is None else paths
    about = [path for path in traced if covers(path, move)]
    clause = model.refusal(state, move)
    after = state.copy()
    if clause is None:
        model.apply(after, move)
    values = {**variable_values(model, state, move), **(parameters or {})}
    for name, evaluator in evaluators.items():
        where = f"{name} evaluator, rule {move.action.name} ({move.action.place}), {model.describe(move)}"
        _compare(model, where, clause, about, evaluator, values, state.vector(), after.vector())
    return clause is None


def _compare(
    model: Model,
    where: str,
    clause: str | None,
    paths: Sequence[Path],
    evaluator: Evaluator,
    values: Mapping[Any, Any],
    before: Sequence[Any],
    after: Sequence[Any],
) -> None:
    holding = [path for path in paths if _guard_holds(path, evaluator, values)]
    if clause is not None:
        assert not holding, f"{where}: refused ({clause}), but a path's guard holds: {_guard(holding[0])}\n{before}"
        return
    assert holding, f"{where}: legal, but no path's guard holds; {_failing(paths, evaluator, values)}\n{before}"
    assert len(holding) == 1, (
        f"{where}: {len(holding)} paths hold at once: {' AND '.join(_guard(path) for path in holding)}\n{before}"
    )
    updates = holding[0].updates
    computed = dict(zip(updates, evaluator(list(updates.values()), values), strict=True))
    for slot, (old, new) in enumerate(zip(before, after, strict=True)):
        found = computed.get(slot, old)
        assert found == new, (
            f"{where}: slot {slot} ({model.layout.slots[slot].label}) was {old}; "
            f"execution makes it {new}, the path {found}: {written(updates.get(slot, old))}\n{before}"
        )


def _guard_holds(path: Path, evaluator: Evaluator, values: Mapping[Any, Any]) -> bool:
    return all(bool(held) for held in evaluator([part.condition for part in path.guard], values))


def _guard(path: Path) -> str:
    return " and ".join(repr(part.condition) for part in path.guard) or "true"


def _failing(paths: Sequence[Path], evaluator: Evaluator, values: Mapping[Any, Any]) -> str:
    """Where each path says no."""
    reasons = [
        f"{part.place} {part.condition!r}"
        for path in paths
        for part in path.guard
        if not bool(evaluator([part.condition], values)[0])
    ]
    return "false are: " + "; ".join(reasons[:8]) if reasons else f"there are {len(paths)} paths"
