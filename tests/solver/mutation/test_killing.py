"""What kills a mutant: its property by name, in a game that the mutated rules allow; what makes no difference stays."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from model.language.expression import variable
from model.language.record import decode
from properties.playing import DECISION_OPEN, RULES_TOTAL, Policy
from solver.mutation import killing
from solver.mutation.corpus import Corpus, World, record
from solver.mutation.equivalence import Ground, equivalence
from solver.mutation.killing import ACTION_ENABLED, Attempt, attempt
from solver.mutation.mutants import Mutant, Planted, mutants
from tests.solver.mutation import coins

MUTANTS = mutants(coins.GAME)
FILES = frozenset({coins.__file__})
WORLD = World("six", 2, {}, coins.GAME, coins.Setup(), coins.PROPERTIES, [coins.full])


def some(old: str, new: str) -> Mutant:
    return next(each for each in MUTANTS if each.mutation == f"{old} -> {new}")


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    made = Corpus()
    made.add(WORLD, record(WORLD, FILES, Policy(), 0, 120))
    return made


@pytest.mark.parametrize(
    ("old", "new", "killer"),
    [
        ("state.owner[coin] = player", "(nothing)", "owned"),
        ("state.place[coin] = Place.PURSE", "state.place[coin] = Place.LOST", "owned"),
        ("state.place[coin] = Place.LOST", "state.place[coin] = Place.POT", "named"),
        ("require(held(state, player) < HOLDS, 'take.room')", "(nothing)", "room"),
        ("state.turn = 1 - player", "state.turn = 2 - player", RULES_TOTAL),
        ("state.turn = 1 - player", "(nothing)", "alternate"),
        ("when=lambda state: state.turn == 0", "when=lambda state: state.turn == -1", DECISION_OPEN),
        ("phases=(Phase.TAKE,)", "phases=(Phase.COUNT,)", ACTION_ENABLED),
        ("require(held(state, player) < HOLDS, 'take.room')", "require(held(state, player) < HOLDS - 1, 'take.room')",
         "full"),
        ("over=lambda state: state.phase == Phase.END", "over=lambda state: state.phase == Phase.TAKE", DECISION_OPEN),
        ("over=lambda state: state.phase == Phase.END", "over=lambda state: state.phase != Phase.END", DECISION_OPEN),
        ("return state.turn == player", "return state.turn != player", "alternate"),
        ("in_pot = Having(place=Place.POT)", "in_pot = Having(place=Place.PURSE)", "named"),
        ("when=lambda state: state.turn == 0", "when=lambda state: state.turn != 0", DECISION_OPEN),
    ],
)  # fmt: skip
def test_a_property_notices(corpus: Corpus, old: str, new: str, killer: str) -> None:
    kill = attempt(some(old, new), corpus).kill
    assert kill is not None and kill.property == killer


def test_the_game_of_a_kill_is_one_of_the_mutated_rules(corpus: Corpus) -> None:
    mutant = some("require(held(state, player) < HOLDS, 'take.room')", "(nothing)")
    kill = attempt(mutant, corpus).kill
    assert kill is not None and kill.whole
    state = WORLD.model.initial()
    with Planted(mutant):
        for entry in kill.moves:
            assert coins.room.holds(WORLD.model, state)
            WORLD.model.apply(state, decode(WORLD.model, entry))
    assert not coins.room.holds(WORLD.model, state)


def test_what_no_property_notices_is_seen_to_differ(corpus: Corpus) -> None:
    """Nothing is said of the score."""
    tried = attempt(some("state.score[player] = minimum(5, held(state, player))", "(nothing)"), corpus)
    assert tried.kill is None and "count up" in tried.differs and "does something else" in tried.differs


def test_what_makes_no_difference_is_never_seen_to(corpus: Corpus) -> None:
    tried = attempt(some("require(held(state, player) <= HOLDS, 'take.room')", "(nothing)"), corpus)
    assert tried == Attempt(tried=tried.tried) and tried.tried > 5


def test_the_properties_are_asked_without_the_mistake(corpus: Corpus) -> None:
    """A mistake in what a property asks too is still noticed: the measure stays as it was."""
    for mutant in MUTANTS:
        attempt(mutant, corpus)
        assert coins.take.function.__code__.co_filename == coins.__file__
        assert WORLD.model.legal(WORLD.model.initial())


# -- equivalence -----------------------------------------------------------------------------------------------------
def ground(reading: object = "strict") -> Ground:
    setup = replace(coins.Setup(), readings={"R-GREED": reading})
    return Ground("six coins", coins.GAME, setup, coins.PROPERTIES)


def test_a_requirement_that_another_implies_is_proved_to_make_no_difference() -> None:
    dropped = some("require(held(state, player) <= HOLDS, 'take.room')", "(nothing)")
    assert equivalence(dropped, [ground()], time.monotonic() + 20).shown


def test_what_a_property_rules_out_makes_no_difference() -> None:
    """A purse never holds more than two: to take no more than five of them when counting changes nothing."""
    more = some(
        "state.score[player] = minimum(5, held(state, player))", "state.score[player] = minimum(6, held(state, player))"
    )
    found = equivalence(more, [ground()], time.monotonic() + 20)
    assert found.shown and found.hypotheses == {"room"}
    free = variable(("parameter", "R-GREED"), 0, 1)
    assert not equivalence(more, [ground(), ground(free)], time.monotonic() + 20).shown


def test_a_difference_is_never_proved_away() -> None:
    """Whatever some property notices, or was seen to differ, Z3 tells apart as well."""
    corpus = Corpus()
    corpus.add(WORLD, record(WORLD, FILES, Policy(), 0, 120))
    grounds, shown = [ground()], 0
    for mutant in MUTANTS:
        tried = attempt(mutant, corpus)
        proved = equivalence(mutant, grounds, time.monotonic() + 20).shown
        shown += proved
        assert not (proved and (tried.kill or tried.differs)), mutant.mutation
    assert shown >= 2


def test_a_mutant_that_takes_too_long_is_left(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing of it stays behind."""
    mutant = some("state.owner[coin] = player", "(nothing)")

    def endless(trial: killing._Trial, _: Corpus) -> None:
        with trial.planted:
            while True:
                pass

    with monkeypatch.context() as patched:
        patched.setattr(killing._Trial, "run", endless)
        assert attempt(mutant, corpus, seconds=0.05).late
    assert WORLD.model.legal(WORLD.model.initial())
    assert not any(play.states for play in corpus.plays)
    kill = attempt(mutant, corpus).kill
    assert kill is not None and kill.property == "owned"
