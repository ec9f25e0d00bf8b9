"""Claims about the rules as a whole: no conflict, no leak, moves that commute, phases that end.

Each tiny set-up is explored for states in which two rules decide at once, and for states that look the same to a player
and do not offer the same moves. Beside that the printed size is reasoned about, for any deck: pairs of rules that are
never open together, moves that may be made in either order, a ranking function for each phase. What comes of it is told
like any other verdict; a claim made of many set-ups is refuted by one of them, and undetermined where one is.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from model.language import Model
from reports import parallel
from reports.document import PropertyResult, Verdict
from reports.exploring import own_readings
from reports.registry import EXPLORED, Entry
from reports.retelling import retold
from reports.terminal import Progress
from reports.wording import counted
from solver import termination
from solver.explorer.frozen import thawed
from solver.explorer.search import Exploration, Limits, search
from solver.induction import Prover
from solver.ranges import range_properties
from solver.relations import commutation, conflict
from solver.relations.secrecy import Secrecy, secrecy
from solver.ruling import Decision, Ruling

SECRECY = "secrecy"
STATES = 20_000  # of each set-up are looked at for conflicts
PRINTED = "the printed size"
PROVING = 0.6  # of the time, for proofs; what is then in hand is finished
VIEWS = 400  # and so many are compared by what players see
_WORST: Sequence[Verdict] = ("REFUTED", "UNDETERMINED", "HOLDS", "PROVED")


def whole_rules(
    entry: Entry, players: int, readings: Mapping[str, str], seconds: float, progress: Progress
) -> list[PropertyResult]:
    """A result for each claim, those about the printed size first.

    Args:
        players: how many, in what is proved. readings: the chosen ones.
        seconds: for everything; what is not decided by then is UNDETERMINED.
    """
    deadline = time.monotonic() + seconds
    names = entry.game.presets[EXPLORED].setups if EXPLORED in entry.game.presets else ()
    tasks = {PRINTED: partial(_proved, entry, players, readings, time.monotonic() + PROVING * seconds)}
    tasks |= {name: partial(_explored, entry, name, readings, deadline) for name in names}
    bar = progress.stage("Rules as a whole", len(tasks))
    found: dict[str, list[PropertyResult]] = {}
    failed: list[PropertyResult] = []
    for name, results in parallel.run(tasks, os.cpu_count() or 1, deadline):
        bar.advance(note=name)
        if isinstance(results, parallel.Failure):
            failed.append(_failed(name, results.reason))
            continue
        for result in results:
            found.setdefault(result.id, []).append(result)
    bar.finish()
    return [*(_together(results) for results in found.values()), *failed]


def _failed(name: str, reason: str) -> PropertyResult:
    """What is told of a task without results."""
    return PropertyResult(
        id=f"undecided.{name}", statement=f"What is asked about {name} could be decided.", clauses=[], kind="game",
        verdict="UNDETERMINED", method="proved" if name == PRINTED else "explored", detail=reason, scope=name,
        seconds=0, expected="PROVED",
    )  # fmt: skip


def _together(results: Sequence[PropertyResult]) -> PropertyResult:
    """What the same claim came to in several set-ups: the worst of it, over all of them."""
    worst = min(results, key=lambda result: _WORST.index(result.verdict))
    if len(results) == 1 or worst.verdict == "REFUTED":
        return worst
    open_ = [result.scope for result in results if result.verdict == "UNDETERMINED"]
    detail = f"In {counted(len(results), 'set-up')}" + (f", not to the end in {', '.join(open_)}" if open_ else "")
    return worst.model_copy(update={"scope": counted(len(results), "set-up"), "detail": detail})


# -- explored --------------------------------------------------------------------------------------------------------
def _explored(entry: Entry, name: str, readings: Mapping[str, str], deadline: float) -> list[PropertyResult]:
    players = entry.game.player_counts[0]
    setup = entry.setup(name, players, own_readings(entry, name, players, readings))
    exploration = Exploration(thawed(entry.game, setup))
    openings = conflict.Openings(exploration)
    limits = Limits(states=STATES, seconds=max(0.0, deadline - time.monotonic()))
    search(exploration, limits=limits, observers=[openings])
    looked = secrecy(exploration, VIEWS, deadline)
    rulings = [*conflict.rulings(openings, name), _secret(entry, looked, name)]
    return [_told(exploration.plain, ruling, "explored") for ruling in rulings]


def _secret(entry: Entry, looked: Secrecy, name: str) -> Ruling:
    statement = "What a player can't see makes no difference to what that player may do."
    leak = looked.leak
    if leak is None:
        verdict: Decision = "HOLDS" if looked.complete else "UNDETERMINED"
        detail = f"{looked.alike:,} of {counted(looked.views, 'view')} like an earlier one, offering the same moves"
        return Ruling(SECRECY, statement, (), verdict, name, detail)
    lines = (f"Looks the same to {leak.player}: {'; '.join(leak.open.log)}", f"Open there, and not here: {leak.move}")
    detail = f"`{leak.move}` is forbidden by {leak.clause} in one of two games that look the same to {leak.player}"
    return Ruling(
        SECRECY, statement, (leak.clause,) if leak.clause else (), "REFUTED", name, detail, counterexample=lines,
        setup=name, moves=leak.closed.moves,
    )


# -- proved ----------------------------------------------------------------------------------------------------------
def _proved(entry: Entry, players: int, readings: Mapping[str, str], deadline: float) -> list[PropertyResult]:
    name = entry.game.presets[entry.preset(None)].setups[0]
    model = entry.game.model(entry.setup(name, players, readings, None, symbolic=True))
    claims = [prop for prop in entry.properties if prop.kind != "witness" and prop.prove and not prop.thorough]
    prover = Prover(model, [*claims, *range_properties(model)])
    broken = frozenset(prop.id for prop in claims if prop.expected == "REFUTED")
    scope = f"every well-formed deck of that shape, set-up {name}, {players} players"
    return [
        _told(model, replace(ruling, scope=scope), "proved")
        for ruling in _rulings(prover, entry, broken, deadline)
    ]


def _rulings(prover: Prover, entry: Entry, without: frozenset[str], deadline: float) -> Iterator[Ruling]:
    for claim in entry.commuting:
        yield commutation.rule(prover, claim, without, deadline)
    for scope in termination.phases(prover.model):
        yield termination.rule(prover, scope, entry.measures, without, _share(deadline, 0.2))
    yield from conflict.prove(prover, without, deadline)


def _share(deadline: float, part: float) -> float:
    """A deadline after that part of the time left."""
    now = time.monotonic()
    return now + part * max(0.0, deadline - now)


def _told(model: Model, ruling: Ruling, method: str) -> PropertyResult:
    game = retold(model, ruling.moves, f"A shortest game, set-up {ruling.setup}") if ruling.moves else None
    return PropertyResult(
        id=ruling.id, statement=ruling.statement, clauses=list(ruling.clauses), kind="game", verdict=ruling.verdict,
        method=method, detail=ruling.detail or ruling.verdict.lower(), scope=ruling.scope or ruling.setup,
        seconds=ruling.seconds, hypotheses=sorted(ruling.hypotheses), expected=ruling.expected,
        explanation=ruling.explanation, game=game, counterexample=list(ruling.counterexample),
    )  # fmt: skip
