"""Looking only at what changed finds what looking at everything finds."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.language import any_of, implies, negate, total
from properties.declaration import invariant, step, witness
from properties.watching import Violation, Watch
from tests.language import market
from tests.language.toy import GAME, Stones

CLAUSE = ("buy",)
MARKET = market.GAME.model(market.Setup())
# None of these always holds: each fails now and then, and is mended again.
PROPERTIES = [
    invariant("poor", "Nobody has five coins.", CLAUSE, over=("player",))(lambda state, who: state.coins[who] < 5),
    invariant("sum", "Few goods are held.", CLAUSE)(lambda state: total(state.held[0]) + total(state.held[1]) < 3),
    invariant("turn", "Ann's turn, or she has a fig.", CLAUSE)(lambda s: any_of(s.turn == 0, s.held[0][0] > 0)),
    invariant("branching", "Not traceable.", CLAUSE)(lambda state: state.coins[0] < 4 if state.turn else True),
    invariant("folded", "By its domain.", CLAUSE, over=("good",))(lambda state, good: state.stock[good] <= 3),
    invariant("never", "Folds to false.", CLAUSE)(lambda state: state.coins[0] > 99),
    step("spends", "Coins only fall.", CLAUSE, over=("player",))(lambda a, b, move, who: b.coins[who] <= a.coins[who]),
    step("by-ann", "Only Ann moves.", CLAUSE)(lambda a, b, move: move.values[0] == 0),
    step("changes", "The turn passes.", CLAUSE)(lambda a, b, move: a.turn != b.turn),
    step("guarded", "Bob's figs stay in Ann's turn.", CLAUSE)(
        lambda a, b, move: implies(a.turn == 0, a.held[1][0] == b.held[1][0])
    ),
    step("of-buying", "Nothing is bought.", CLAUSE, actions=("buy",))(lambda a, b, move: a.stock[0] == b.stock[0]),
]
WITNESSES = [
    witness("rich", "Somebody has six coins.", CLAUSE, over=("player",))(lambda state, who: state.coins[who] >= 6),
    witness("closed", "A kind is closed, the other not.", CLAUSE)(
        lambda state: any_of(state.closed[0] & negate(state.closed[1]), state.closed[1] & negate(state.closed[0]))
    ),
    witness("impossible", "Ten coins.", CLAUSE)(lambda state: state.coins[0] == 10),
]
WATCH = Watch(MARKET, [*PROPERTIES, *WITNESSES])


def told(violations: Any) -> set[tuple[str, str]]:
    return {(violation.property, violation.detail) for violation in violations}


def plainly(before: Any, move: Any, after: Any) -> set[tuple[str, str]]:
    """What fails by the plain meaning of the declarations, instance by instance, and what is reached."""
    found = set()
    for declared in [*PROPERTIES, *WITNESSES]:
        states = (after,) if declared.kind != "step" else (before, after, move)
        if declared.kind == "step" and (move is None or not declared.concerns(move)):
            continue
        for members in declared.members(MARKET):
            if bool(declared.function(*states, *members)) is (declared.kind == "witness"):
                labels = [MARKET.families[name].label[who] for name, who in zip(declared.over, members, strict=True)]
                found.add((declared.id, "" if declared.kind == "witness" else ", ".join(labels)))
    return found


@given(st.integers(0, 2**32))
def test_what_changed_is_enough_to_look_at(seed: int) -> None:
    chance = random.Random(seed)
    state, before = MARKET.initial(), MARKET.initial()
    known = plainly(None, None, state)
    looked = told(WATCH.violations(0, None, None, state)) | {(name, "") for name in WATCH.reached(state)}
    assert looked == known
    for number in range(1, 25):
        legal = MARKET.legal(state)
        if not legal:
            break
        move, changed = chance.choice(legal), set[int]()
        MARKET.apply(state, move, None, changed)
        pairs = enumerate(zip(before.vector(), state.vector(), strict=True))
        assert sorted(changed) == [slot for slot, (old, new) in pairs if old != new]
        looked = told(WATCH.violations(number, before, move, state, changed))
        looked |= {(name, "") for name in WATCH.reached(state, changed)}
        now = plainly(before, move, state)
        steps = {declared.id for declared in PROPERTIES if declared.kind == "step"}
        assert looked <= now  # nothing is made up
        assert {entry for entry in now if entry[0] in steps or entry not in known} <= looked  # and nothing overlooked
        MARKET.apply(before, move)
        known = now


def test_what_always_holds_is_never_looked_at() -> None:
    ids = {instance.declared.id for instance in WATCH._invariants.affected(None)}
    assert "folded" not in ids and {"poor", "branching", "never"} <= ids
    assert "impossible" not in {instance.declared.id for instance in WATCH._witnesses.affected(None)}


def test_only_readers_of_what_changed_are_looked_at() -> None:
    slot = next(s for s, cell in enumerate(MARKET.layout.slots) if cell.label == "coins[Bob]")
    looked = {(instance.declared.id, instance.members) for instance in WATCH._invariants.affected({slot})}
    assert looked == {("poor", (1,)), ("branching", ()), ("never", ())}


def test_a_property_that_cannot_be_computed_fails() -> None:
    watch = Watch(MARKET, [invariant("broken", "Broken.", CLAUSE)(lambda state: state.coins[7] == 0)])
    assert list(watch.violations(3, None, None, MARKET.initial())) == [
        Violation("broken", 3, "IndexError: list index out of range")
    ]


@pytest.mark.parametrize("setup", [Stones(), Stones(readings={"R-BLACK": "wild"})])
def test_readings_are_constants_when_playing(setup: Stones) -> None:
    model = GAME.model(setup)
    watch = Watch(model, [invariant("plain", "Plain.", CLAUSE)(lambda state: state.under("R-BLACK", "plain"))])
    assert bool(list(watch.violations(0, None, None, model.initial()))) is (setup.readings["R-BLACK"] == "wild")


@given(st.integers(0, 2**32))
def test_a_cell_written_with_its_own_value_has_not_changed(seed: int) -> None:
    model, chance = GAME.model(Stones()), random.Random(seed)
    state = model.initial()
    while legal := model.legal(state):
        before, changed = state.vector(), set[int]()
        model.apply(state, chance.choice(legal), None, changed)
        pairs = enumerate(zip(before, state.vector(), strict=True))
        assert sorted(changed) == [slot for slot, (old, new) in pairs if old != new]
