"""Random play finds planted mistakes of every kind, and shrinks them to the shortest game there is.

"The shortest" is not taken from a former run: breadth-first search over the toy game says what it is.
"""

import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis.stateful import run_state_machine_as_test

from model.language import Model, Move, Refused, action, require, where
from model.language.record import replay
from properties.campaign import Finding, campaign, shows_violation, shows_witness, shrink
from properties.declaration import Property, invariant, step, witness
from properties.playing import (
    CONTRACT,
    DECISION_OPEN,
    LISTED_ACCEPTED,
    LISTING_COMPLETE,
    REFUSAL_HARMLESS,
    RULES_TOTAL,
    Director,
    Policy,
    play_out,
    told,
)
from properties.stateful import machine
from properties.watching import Violation, Watch
from tests.language import market
from tests.language.toy import GAME, Phase, Place, Stones, Table, bank, draw, in_bag, in_turn, on_table

CLAUSE = ("bank.colour",)


@invariant("banked-is-in-bank", "As many stones are banked as lie in the bank.", CLAUSE)
def banked_is_in_bank(state: Any) -> Any:
    return state.banked[0] + state.banked[1] == sum(place == Place.BANK for place in state.place)


@invariant("at-most-two", "Nobody banks more than two stones.", CLAUSE, over=("player",))
def at_most_two(state: Any, player: int) -> Any:
    return state.banked[player] <= 2


@step("banks-grow", "A bank never shrinks.", CLAUSE, over=("player",))
def banks_grow(before: Any, after: Any, move: Any, player: int) -> Any:
    return after.banked[player] >= before.banked[player]


@step("one-at-a-time", "Nobody banks two stones at once.", CLAUSE, over=("player",), actions=("bank",))
def one_at_a_time(before: Any, after: Any, move: Any, player: int) -> Any:
    return after.banked[player] <= before.banked[player] + 1


@witness("both-greedy", "Both players banked nothing last time.", CLAUSE)
def both_greedy(state: Any) -> Any:
    return state.greedy[0] & state.greedy[1]


@witness("second-has-three", "The second player has banked three stones.", CLAUSE)
def second_has_three(state: Any) -> Any:
    return state.banked[1] >= 3


@witness("seven", "Somebody has banked seven of the six stones.", CLAUSE, over=("player",))
def seven(state: Any, player: int) -> Any:
    return state.banked[player] == 7


TRUE = [banked_is_in_bank, banks_grow]
WITNESSES = [both_greedy, second_has_three, seven]


def stones(*actions: Any) -> Model:
    return (replace(GAME, actions=actions) if actions else GAME).model(Stones())


def shortest(model: Model, shows: Callable[[Any, Move | None, Any], bool], limit: int = 8) -> int:
    """How many moves the shortest game has that shows it: breadth first."""
    frontier = [model.initial()]
    seen = {frontier[0].key()}
    for length in range(1, limit + 1):
        ahead = []
        for state in frontier:
            for move in model.legal(state):
                after = state.copy()
                model.apply(after, move)
                if shows(state, move, after):
                    return length
                if after.key() not in seen:
                    seen.add(after.key())
                    ahead.append(after)
        frontier = ahead
    raise AssertionError("not found")


# -- planted mistakes ----------------------------------------------------------------------------------------------
def forgetful_bank(state: Table, player: int, stones: Any) -> None:
    """Banks, but where two stones are banked at once, leaves them on the table."""
    require(stones.size() <= 2, "bank.colour")
    state.banked[player] = state.banked[player] + stones.size()
    for stone, chosen in stones.items():
        state.place[stone] = where(stones.size() == 2, Place.TABLE, where(chosen, Place.BANK, state.place[stone]))
    state.turn = 1 - player
    state.phase = where(sum(place == Place.BAG for place in state.place) == 0, Phase.END, Phase.DRAW)


def stuck_draw(state: Table, stone: Any) -> None:
    """Draws only while two stones and more are in the bag, though the game goes on."""
    require(sum(place == Place.BAG for place in state.place) > 1, "draw.stone")
    state.place[stone] = Place.TABLE


def overflowing_draw(state: Table, stone: Any) -> None:
    """Counts one too far when the fourth stone is drawn."""
    state.place[stone] = Place.TABLE
    state.turn = where(sum(place == Place.TABLE for place in state.place) == 4, 2, 0)


def like(rule: Any, function: Any, **changed: Any) -> Any:
    function.__name__ = rule.name
    return action(clauses=rule.clauses, phases=rule.phases, by=rule.by, **{**rule.choices, **changed})(function)


FORGETFUL = stones(draw, like(bank, forgetful_bank))
STUCK = stones(like(draw, stuck_draw))
OVERFLOWING = stones(like(draw, overflowing_draw))


def found(model: Model, properties: list[Property], seeds: int = 60) -> dict[str, Finding]:
    """The first violation of each property in some random games, with its game shrunk."""
    result = campaign(lambda: model, properties, range(seeds), 30, shrink_seconds=30)
    for finding in [*result.violations.values(), *result.witnesses.values()]:
        assert finding.shrunk and len(finding.moves) <= finding.length
    return {**result.violations, **result.witnesses}


def test_the_toy_game_has_no_violation() -> None:
    result = campaign(stones, [*TRUE, *WITNESSES], range(150), 30)
    assert result.games == 150 and not result.violations
    assert set(result.witnesses) == {"both-greedy", "second-has-three"}
    assert set(result.clauses) == set(GAME.catalogue.clauses)


def test_the_market_has_no_violation_and_every_clause_is_exercised() -> None:
    model = market.GAME.model(market.Setup())
    result = campaign(lambda: model, [], range(150), 30, max_moves=60)
    assert not result.violations
    assert set(result.clauses) == set(model.game.catalogue.clauses)
    assert set(result.refused) >= {"turn", "buy", "swap", "gift", "close"}
    assert set(result.actions) == set(model.actions)


@pytest.mark.parametrize("declared", [at_most_two, one_at_a_time, both_greedy, second_has_three], ids=lambda p: p.id)
def test_what_is_found_is_shrunk_to_the_shortest_game(declared: Property) -> None:
    model = stones()
    finding = found(model, [declared])[declared.id]
    shows = {
        "invariant": lambda before, move, after: not declared.holds(model, after),
        "step": lambda before, move, after: not declared.holds_for(model, before, after, move),
        "witness": lambda before, move, after: declared.holds(model, after),
    }[declared.kind]
    assert len(finding.moves) == shortest(model, shows)


def test_a_planted_bug_is_found_and_shrunk_to_the_shortest_game() -> None:
    finding = found(FORGETFUL, [banked_is_in_bank])["banked-is-in-bank"]
    bad = shortest(FORGETFUL, lambda before, move, after: not banked_is_in_bank.holds(FORGETFUL, after))
    assert len(finding.moves) == bad == 4
    *_, (_, _, state, _) = replay(FORGETFUL, finding.moves)  # every move is legal
    assert not banked_is_in_bank.holds(FORGETFUL, state)


def test_a_dead_end_is_found() -> None:
    finding = found(STUCK, [])[DECISION_OPEN]
    assert len(finding.moves) == 5
    *_, (_, _, state, _) = replay(STUCK, finding.moves)
    assert not STUCK.over(state) and not STUCK.legal(state)


def test_a_value_outside_its_domain_is_found_with_its_place() -> None:
    finding = found(OVERFLOWING, [])[RULES_TOTAL]
    assert finding.violation is not None
    assert len(finding.moves) == 4
    assert "turn is given 2, outside its domain (0..1)" in finding.violation.detail
    lines = told(OVERFLOWING, finding.moves).splitlines()
    assert len(lines) == 4 and lines[3].startswith("4. draw stone ") and "outside its domain" in lines[3]


class Forgetting(Model):
    """Lists one move too few, where there are several."""

    def legal(self, state: Any) -> list[Move]:
        moves = super().legal(state)
        return moves[:-1] if len(moves) > 1 else moves


class Inventing(Model):
    """Lists a move that is refused, from the second round on."""

    def legal(self, state: Any) -> list[Move]:
        drawn = [stone for stone in range(6) if state.place[stone] and state.phase == Phase.DRAW]
        return [*super().legal(state), *[Move(draw, (stone,)) for stone in drawn]]


class Leaking(Model):
    """Changes the state when it refuses a stone that lies on the table."""

    def refusal(self, state: Any, move: Move) -> str | None:
        clause = super().refusal(state, move)
        if clause and move.action is draw and state.place[move.values[0]] == Place.TABLE:
            object.__setattr__(state, "turn", 1 - state.turn)
        return clause


@pytest.mark.parametrize(
    ("kind", "broken", "length"),
    [(Forgetting, LISTING_COMPLETE, 0), (Inventing, LISTED_ACCEPTED, 3), (Leaking, REFUSAL_HARMLESS, 1)],
)
def test_broken_machinery_is_found(kind: type[Model], broken: str, length: int) -> None:
    finding = found(kind(GAME, Stones()), [], 200)[broken]
    assert len(finding.moves) == length
    assert finding.violation is not None and finding.violation.property == broken and broken in CONTRACT


def test_a_property_that_cannot_be_computed_is_a_violation() -> None:
    broken = invariant("broken", "Broken.", CLAUSE)(lambda state: state.place[99] == 0)
    violation = play_out(stones(), 0, None, [broken]).violations["broken"]
    assert violation.number == 0 and violation.detail.startswith("IndexError")


# -- shrinking -----------------------------------------------------------------------------------------------------
def test_a_long_game_is_shrunk_within_its_time() -> None:
    model = replace(market.GAME, actions=(market.buy, market.swap, market.gift)).model(market.Setup())  # never ends
    rich = witness("rich", "Both have nine.", ("buy",))(lambda state: (state.coins[0] == 9) & (state.coins[1] == 9))
    watch = Watch(model, [rich])
    games = (play_out(model, seed, None, watch, 400) for seed in range(400))
    played = next(game for game in games if game.witnesses.get("rich", 0) > 40)
    game = played.moves[: played.witnesses["rich"]]
    begun = time.monotonic()
    short = shrink(model, game, shows_witness(watch, rich), 10)
    assert time.monotonic() - begun < 15
    assert len(short) == shortest(model, lambda before, move, after: rich.holds(model, after), 16)
    *_, (_, _, state, _) = replay(model, short)
    assert rich.holds(model, state)
    assert shrink(model, game, shows_witness(watch, rich), 0) == game  # no time, no change


def test_a_game_that_does_not_show_it_is_left_alone() -> None:
    model = stones()
    watch = Watch(model, [at_most_two])
    moves = play_out(model, 1).moves[:2]
    assert shrink(model, moves, shows_violation(watch, Violation("at-most-two", 2))) == moves


# -- one game, many games ------------------------------------------------------------------------------------------
def test_a_seed_gives_one_game() -> None:
    model = stones()
    first, again, other = (play_out(model, seed, None, [*TRUE, *WITNESSES]) for seed in (5, 5, 6))
    assert first == again and first.moves != other.moves
    assert first.over and first.counts == Counter(move.action.name for move in first.moves)
    state = model.initial()
    for move in first.moves:
        model.apply(state, move)
    assert model.over(state)
    assert not play_out(model, 5, None, (), max_moves=3).over


def test_rare_actions_are_preferred() -> None:
    """Uniform play of the market mostly buys, since there are many ways to, and seldom swaps."""
    model = market.GAME.model(market.Setup())

    class Uniform(Policy):
        epsilon = 1.0

    def share_of_swaps(policy: Policy) -> float:
        counts: Counter[str] = Counter()
        for seed in range(60):
            counts += play_out(model, seed, policy, (), 40).counts
        return counts["swap"] / counts.total()

    assert share_of_swaps(Policy()) > 2 * share_of_swaps(Uniform())


def test_a_policy_directs_play() -> None:
    class Greed(Policy):
        def weight(self, state: Any, move: Move) -> float:
            return 50.0 if move.action is bank and not move.values[1] else 1.0

    def greedy_banks(policy: Policy) -> int:
        games = [play_out(stones(), seed, policy).moves for seed in range(30)]
        return sum(move.action is bank and not move.values[1] for moves in games for move in moves)

    assert greedy_banks(Greed()) > 1.5 * greedy_banks(Policy())


def test_a_director_follows_weights_and_leaves_out_what_has_none() -> None:
    class Never(Policy):
        epsilon = 0.0

        def weight(self, state: Any, move: Move) -> float:
            return 0.0 if move.values[0] == 0 else 1.0

    model, chance = stones(), random.Random(0)
    director = Director(Never())
    state = model.initial()
    chosen = Counter(director.choose(state, model.legal(state), chance.random).values[0] for _ in range(300))
    assert 0 not in chosen and len(chosen) == 5


def test_given_seeds_give_the_same_campaign_on_any_number_of_processes() -> None:
    properties = [*TRUE, at_most_two, *WITNESSES]
    one, two = (campaign(stones, properties, range(40), 60, processes=n, shrink_seconds=20) for n in (1, 2))
    for name in ("games", "finished", "decisions", "clauses", "refused", "actions"):
        assert getattr(one, name) == getattr(two, name)
    assert one.games == 40 and one.violations.keys() == {"at-most-two"}
    for ours, theirs in ((one.violations, two.violations), (one.witnesses, two.witnesses)):
        assert {k: (v.seed, v.length, len(v.moves)) for k, v in ours.items()} == {
            k: (v.seed, v.length, len(v.moves)) for k, v in theirs.items()
        }


@pytest.mark.parametrize("processes", [1, 2])
def test_a_campaign_ends_with_its_budget_and_reports_on_the_way(processes: int) -> None:
    heard: list[tuple[float, int, int]] = []
    begun = time.monotonic()
    result = campaign(stones, TRUE, None, 1.2, processes, lambda *news: heard.append(news))
    assert 1.1 < time.monotonic() - begun < 6
    assert result.games == heard[-1][1] > 10 and result.decisions == heard[-1][2]
    assert [done for done, *_ in heard] == sorted(done for done, *_ in heard) and heard[-1][0] <= 1
    assert not result.interrupted and result.finished == result.games


@pytest.mark.parametrize("processes", [1, 2])
def test_an_interrupted_campaign_keeps_what_it_knows(processes: int) -> None:
    def stop(done: float, games: int, decisions: int) -> None:
        raise KeyboardInterrupt

    begun = time.monotonic()
    result = campaign(stones, [at_most_two], None, 60, processes, stop)
    assert time.monotonic() - begun < 20
    assert result.interrupted and result.games > 0
    assert not result.violations["at-most-two"].shrunk
    list(replay(stones(), result.violations["at-most-two"].moves))


# -- the Hypothesis machine ----------------------------------------------------------------------------------------
Clean = machine(stones(), [*TRUE, *WITNESSES], games=15, max_moves=40)


def test_a_machine_plays_and_reaches_what_it_should() -> None:
    run_state_machine_as_test(Clean)
    assert set(Clean.taken) == {"draw", "bank"} and Clean.clauses == set(GAME.catalogue.clauses)
    assert Clean.refused >= {"draw.stone", "bank.colour"}
    assert Clean.reached["both-greedy"] > 0 and "seven" not in Clean.reached


def failure(made: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        run_state_machine_as_test(made)
    return str(caught.value)


def test_a_failing_machine_tells_a_short_game_as_a_log() -> None:
    """Hypothesis shrinks in its own way: not always to the shortest game, as `shrink` does, but to a short one."""
    lines = failure(machine(FORGETFUL, [banked_is_in_bank])).splitlines()
    assert lines[0] == "banked-is-in-bank fails: As many stones are banked as lie in the bank."
    game = [line for line in lines[1:] if line[:1].isdigit()]
    assert [line.split(".")[0] for line in game] == [str(number) for number in range(1, len(game) + 1)]
    assert game[0].startswith("1. draw stone ") and game[0].endswith("[draw.stone]")
    assert 4 <= len(game) <= 8


def test_a_machine_leaves_out_what_is_expected_to_fail() -> None:
    hole = replace(at_most_two, expected="REFUTED", explanation="The rulebook allows it.")
    run_state_machine_as_test(machine(stones(), [hole], games=5))


@pytest.mark.parametrize(
    ("model", "broken"),
    [
        (STUCK, DECISION_OPEN),
        (OVERFLOWING, RULES_TOTAL),
        (Forgetting(GAME, Stones()), LISTING_COMPLETE),
        (Inventing(GAME, Stones()), LISTED_ACCEPTED),
        (Leaking(GAME, Stones()), REFUSAL_HARMLESS),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_machine_finds_a_broken_contract(model: Model, broken: str) -> None:
    assert failure(machine(model, [])).startswith(f"{broken} fails: {CONTRACT[broken]}")


def test_steps_are_checked_by_the_machine() -> None:
    assert failure(machine(stones(), [one_at_a_time])).startswith("one-at-a-time fails: Nobody banks two stones at")


def test_the_planted_models_are_otherwise_sound() -> None:
    """What is tested above are the planted mistakes, not slips in planting them."""
    assert in_bag(stones().initial(), 0) and in_turn(stones().initial(), 0) and not on_table(stones().initial(), 0)
    with pytest.raises(Refused):
        STUCK.apply(STUCK.state([0, 0, 0, 1, 1, 1, 1, 1, 0, 0, False, False]), Move(STUCK.actions["draw"], (0,)))
