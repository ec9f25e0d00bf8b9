"""Induction on the toy game: what it proves, what it needs for that, and how it says that it can't."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from model.language import Model, RuleError, between, implies
from model.language.expression import choose, conjunction, disjunction, equal, less, linear, negation, variable
from properties.declaration import Property, invariant, step
from solver.guards import DEEP, Guard, cases
from solver.hypotheses import DECK, Hypothesis
from solver.induction import Prover, Verdict
from solver.ranges import range_properties
from solver.sums import Sums
from solver.terms import Terms
from tests.language.toy import GAME, Place, Stones
from tests.solver import large, stones
from tests.solver.stones import any_stones


def examined(*properties: Property, model: Model | None = None, **how: Any) -> dict[str, Verdict]:
    prover = Prover(model or any_stones(), properties, **how)
    return {prop.id: prover.examine(prop) for prop in properties}


def range_of(name: str, model: Model | None = None) -> Property:
    return next(prop for prop in range_properties(model or any_stones()) if prop.id == f"range.{name}")


# -- what is proved ------------------------------------------------------------------------------------------------
def test_true_properties_are_proved() -> None:
    verdicts = examined(*stones.TRUE, *range_properties(any_stones()))
    assert {name for name, verdict in verdicts.items() if not verdict.proved} == set()


def test_the_help_that_a_proof_needed_is_reported() -> None:
    verdicts = examined(stones.counted, stones.kept, stones.drawn, range_of("banked"))
    assert verdicts["range.banked"].hypotheses == {"counted"}
    assert verdicts["counted"].hypotheses == frozenset()


def test_help_can_be_forbidden() -> None:
    range_banked = range_of("banked")
    prover = Prover(any_stones(), [stones.counted, range_banked])
    assert prover.examine(range_banked).proved
    assert not prover.examine(range_banked, without={"counted"}).proved


def test_lazy_and_eager_hypotheses_give_the_same_verdicts() -> None:
    properties = [*stones.TRUE, stones.modest, stones.always_turn, *range_properties(any_stones())]
    lazy, eager = examined(*properties), examined(*properties, lazy=False)
    assert {n: v.verdict for n, v in lazy.items()} == {n: v.verdict for n, v in eager.items()}
    assert eager["range.banked"].checks < lazy["range.banked"].checks


def test_paths_that_cannot_matter_are_skipped() -> None:
    verdicts = examined(stones.modest, stones.drawn)
    assert verdicts["modest"].skipped == 1  # drawing a stone banks nothing
    assert verdicts["drawn"].checks <= 2


def test_a_path_that_changes_what_is_read_is_not_skipped() -> None:
    assert examined(stones.quiet)["quiet"].rule == "bank"


# -- what is not ---------------------------------------------------------------------------------------------------
def test_a_false_invariant_is_undetermined_with_a_readable_counterexample() -> None:
    verdict = examined(stones.counted, stones.modest)["modest"]
    assert (verdict.verdict, verdict.rule) == ("UNDETERMINED", "bank")
    text = "\n".join(verdict.counterexample)
    assert "Before: phase = DECIDE" in text
    assert "Move: bank Player" in text
    assert any(line.startswith("Change: banked[Player") for line in verdict.counterexample)
    assert verdict.counterexample[-1].startswith("Breaks: Nobody banks more than four stones. (Player ")


def test_the_cells_that_do_not_matter_are_left_out() -> None:
    lines = examined(stones.always_turn)["always.turn"].counterexample
    assert "Move: draw stone 1" in lines
    assert not any("banked" in line or "greedy" in line or "colour" in line for line in lines)


def test_a_step_property_that_one_action_breaks_is_undetermined() -> None:
    verdicts = examined(stones.turn_changes, stones.always_turn)
    assert verdicts["turn.changes"].proved
    assert (verdicts["always.turn"].verdict, verdicts["always.turn"].rule) == ("UNDETERMINED", "draw")


def test_cards_that_a_rule_does_not_touch_are_looked_at_too() -> None:
    @step("emptied", "Drawing empties the bag.", (), over=("stone",), actions=("draw",))
    def emptied(before: Any, after: Any, move: Any, stone: Any) -> Any:
        return after.place[stone] != Place.BAG

    lines = examined(emptied)["emptied"].counterexample
    assert "Move: draw stone 1" in lines
    assert lines[-1] == "Breaks: Drawing empties the bag. (stone 2)"


def test_what_does_not_hold_at_the_start_is_said_to() -> None:
    verdict = examined(stones.restless)["restless"]
    assert verdict.reason == "does not hold at the start"
    assert verdict.counterexample[-1] == "Breaks: The first move is made. (stone 1)"


def test_no_time_is_undetermined() -> None:
    assert examined(stones.counted, check_seconds=0.0)["counted"].reason == "out of time on draw"
    prover = Prover(any_stones(), [stones.counted])
    verdict = prover.examine(stones.counted, deadline=time.monotonic() - 1)
    assert (verdict.verdict, verdict.reason) == ("UNDETERMINED", "out of time")


def test_a_property_that_branches_is_named() -> None:
    with pytest.raises(RuleError, match=r"property branching branches on the state.*`where`"):
        examined(stones.branching)


def test_a_property_that_is_no_condition_is_named() -> None:
    @invariant("number", "A number.", ())
    def number(state: Any) -> Any:
        return state.turn + 1

    with pytest.raises(RuleError, match="property number yields"):
        examined(number)


def test_a_constant_cell_that_a_rule_changes_leaves_its_range() -> None:
    model = GAME.model(any_stones().setup, frozenset({"turn"}))
    assert not examined(range_of("turn", model), model=model)["range.turn"].proved
    assert examined(range_of("greedy", model), model=model)["range.greedy"].proved


# -- decks ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class FairStones(Stones):
    """Stones of which something is known."""

    fair: Sequence[Any] = ()

    def assumptions(self) -> list[Any]:
        return list(self.fair)


def fair_stones(*conditions: Any) -> Model:
    setup = any_stones().setup
    return GAME.model(FairStones(setup.players, setup.colour, setup.readings, fair=conditions))


@invariant("plain", "No black stone leaves the bag.", (), over=("stone",))
def plain(state: Any, stone: Any) -> Any:
    return implies(state.setup.colour[stone] == 2, state.place[stone] == Place.BAG)


def test_the_assumption_about_the_deck_is_used_and_reported() -> None:
    colours = any_stones().setup.colour
    without_black = [colour != 2 for colour in colours]
    assert not examined(plain)["plain"].proved
    verdict = examined(plain, model=fair_stones(*without_black))["plain"]
    assert (verdict.verdict, verdict.hypotheses) == ("PROVED", {DECK})


def test_a_counterexample_names_the_deck_it_needs() -> None:
    assert "Given: colour stone 1 = 2" in examined(plain)["plain"].counterexample


def test_an_assumption_is_a_hypothesis_of_the_start_too() -> None:
    @invariant("first", "The first stone is not black.", ())
    def first(state: Any) -> Any:
        return state.setup.colour[0] != 2

    assert examined(first)["first"].reason == "does not hold at the start"
    assert examined(first, model=fair_stones(any_stones().setup.colour[0] != 2))["first"].hypotheses == {DECK}


def test_assumptions_that_contradict_each_other_prove_nothing() -> None:
    colour = any_stones().setup.colour[0]
    with pytest.raises(RuleError, match="contradict"):
        examined(plain, model=fair_stones(colour == 1, colour == 2))


# -- sums ----------------------------------------------------------------------------------------------------------
def _counts(cards: int) -> tuple[Any, Any]:
    place = [variable(("state", f"sum place {i}"), 0, 4) for i in range(cards)]
    gone = [variable(("choice", "sum gone", i), 0, 1, boolean=True) for i in range(cards)]
    before = linear((1, equal(p, 1)) for p in place)
    after = linear((1, conjunction((equal(p, 1), negation(g)))) for p, g in zip(place, gone, strict=True))
    return before, after


def test_summands_that_never_grow_yield_a_lemma_each_and_no_other() -> None:
    before, after = _counts(5)
    lemmas = list(Sums(Terms()).lemmas([less(before, 4), less(after, 4)]))
    assert {lemma.term.number for lemma in lemmas} == {
        negation(less(left, right)).number for left, right in zip(before.arguments, after.arguments, strict=True)
    }


def test_summands_that_may_grow_yield_none() -> None:
    one, two, three = (variable(("state", f"sum {name}"), 0, 3) for name in ("one", "two", "three"))
    flag = variable(("choice", "sum flag"), 0, 1, boolean=True)
    before, after = linear(((1, one), (1, two), (1, three))), linear(((1, choose(flag, 2, one)), (1, two), (1, three)))
    assert list(Sums(Terms()).lemmas([less(before, 4), less(after, 4)])) == []


def _never_less(lesser: Any, greater: Any) -> set[int]:
    pairs = zip(lesser.arguments, greater.arguments, strict=True)
    return {negation(less(high, low)).number for low, high in pairs}


def test_a_guard_and_invariants_make_summands_comparable_and_are_named() -> None:
    """What is discarded comes from elsewhere; no marker exceeds three: each lemma says what it rests on."""
    place = [variable(("state", f"lemma place {i}"), 0, 4) for i in range(3)]
    gone = [variable(("choice", "lemma gone", i), 0, 1, boolean=True) for i in range(3)]
    tokens = [variable(("state", f"lemma tokens {i}"), 0, 9) for i in range(3)]
    left = linear((1, choose(equal(p, 1), t, 0)) for p, t in zip(place, tokens, strict=True))
    guarded = linear(
        (1, choose(conjunction((equal(p, 1), negation(g))), t, 0)) for p, g, t in zip(place, gone, tokens, strict=True)
    )
    capped = linear((1, choose(equal(p, 1), choose(less(t, 4), t, 3), 0)) for p, t in zip(place, tokens, strict=True))
    guard = Guard(small=[disjunction((negation(g), equal(p, 2))) for p, g in zip(place, gone, strict=True)])
    cap = {t.number: Hypothesis("cap", less(t, 4)) for t in tokens}
    sums = Sums(Terms(), lambda said: [known for number, known in cap.items() if number in said])

    never_less = _never_less(left, guarded)
    claim = [less(left, 4), less(guarded, 4)]
    assert never_less.isdisjoint(lemma.term.number for lemma in sums.lemmas(claim))
    assert never_less <= {lemma.term.number for lemma in sums.lemmas(claim, guard) if not lemma.sources}

    never_less = _never_less(left, capped)
    claim = [less(left, 4), less(capped, 4)]
    assert never_less <= {lemma.term.number for lemma in sums.lemmas(claim) if lemma.sources == {"cap"}}
    assert never_less.isdisjoint(lemma.term.number for lemma in sums.lemmas(claim, None, {"cap"}))


def test_a_hand_limit_over_many_cards_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    model, hand = large.GAME.model(large.box(60)), large.properties()[0]
    assert Prover(model, [hand], check_seconds=20.0).examine(hand).proved
    monkeypatch.setattr(Sums, "lemmas", lambda self, *given: iter(()))
    assert Prover(model, [hand], check_seconds=1.0).examine(hand).reason == "out of time on redevelop"


def test_all_of_a_game_at_printed_size_is_proved() -> None:
    model = large.GAME.model(large.box(94))
    properties = [*large.properties(), *range_properties(model)]
    prover = Prover(model, properties)
    assert [prop.id for prop in properties if not prover.examine(prop).proved] == []


def test_the_false_neighbours_of_true_properties_are_not_proved() -> None:
    """A limit that is one too low, and a zone that is forgotten, on the game at printed size."""
    model = large.GAME.model(large.box(94))

    @invariant("hand", "No hand holds more than nine cards.", (), over=("player",))
    def nine(state: Any, player: int) -> Any:
        return large.hand(state, player) <= 9

    owned = large.properties()[1]
    forgotten = replace(owned, function=lambda state, card: (state.place[card] == 2) == (state.owner[card] != 4))
    hand_limit, ownership = examined(nine, model=model)["hand"], examined(forgotten, model=model)["owned"]
    assert (hand_limit.rule, ownership.rule) == ("draw", "draw")
    assert max(len(hand_limit.counterexample), len(ownership.counterexample)) < 40
    assert any("cells as at the start" in line for line in hand_limit.counterexample)


# -- claims and ranges ---------------------------------------------------------------------------------------------
def test_a_claim_is_taken_apart_only_so_deep() -> None:
    """A long choice would otherwise yield ever longer cases, more than any machine has room for."""
    flags = [variable(("state", f"case {i}"), 0, 1, boolean=True) for i in range(80)]
    term: Any = flags[0]
    for flag in flags[1:]:
        term = disjunction((flag, conjunction((negation(flag), term))))
    assert len(list(cases(term))) <= 2 * DEEP
    assert len(list(cases(disjunction((flags[0], conjunction(flags[1:4])))))) == 3


def test_a_range_is_claimed_of_representatives_only_where_their_domains_agree() -> None:
    model = any_stones()
    claimed = {prop.id: prop for prop in range_properties(model)}
    assert claimed["range.place"].over == ("stone",)
    layout = model.layout
    narrow = next(cell for cell in layout.cells if cell.variable.name == "place")
    layout.cells[layout.cells.index(narrow)] = replace(narrow, domain=between(0, 1))
    apart = {prop.id: prop for prop in range_properties(model)}["range.place"]
    assert apart.over == ()
    assert not apart.function(model.state([2 if cell is not None and cell.label == narrow.label else cell.domain.low
                                           for cell in layout.slots]))  # fmt: skip


def test_what_plainly_holds_is_told_from_what_nothing_can_touch() -> None:
    @invariant("turn", "It is somebody's turn.", ())
    def touched(state: Any) -> Any:
        return implies(state.phase == 0, state.turn < 2)

    found = examined(stones.counted, model=any_stones())["counted"]
    assert found.proved and found.checks + found.plain > 0
    trivial = examined(touched, model=any_stones())["turn"]
    assert (trivial.checks, trivial.plain) == (0, 0)


def test_what_says_more_is_more_work() -> None:
    model = large.GAME.model(large.box(60))
    hand, owned = large.properties()[:2]
    prover = Prover(model, [hand, owned])
    assert prover.work(hand) > prover.work(owned) > 0
