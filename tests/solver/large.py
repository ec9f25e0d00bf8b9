"""A game at printed size to measure the solver with: toy rules, but as many cards, cells and rules as a real one."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from model.language import (  # isort: skip
    CHANCE, FLAG, NATURAL, Amounts, Catalogue, Clause, Element, Family, Game, One, State, Subset, Variable, action,
    all_of, any_of, between, count, implies, minimum, negate, one_of, require, total, where,
)  # fmt: skip
from model.language.expression import variable
from properties.declaration import Property, invariant, step

Phase = IntEnum("Phase", ["DRAW", "ACT", "CLEANUP", "END"], start=0)
Place = IntEnum("Place", ["DECK", "HAND", "TABLE", "UNDER", "DISCARD"], start=0)
GOODS = ("guns", "fuel", "iron", "brick", "worker")
CLAUSES = ("turn", "draw", "build", "pay", "gain", "host", "end")
RULES = Catalogue({name: Clause(name, (1,), name) for name in CLAUSES}, {})


@dataclass(frozen=True)
class Box:
    cards: int = 94
    players: int = 4
    readings: dict[str, Any] = field(default_factory=dict)
    catalogue: Catalogue = RULES
    cost: list[Any] = field(default_factory=list)
    gift: list[list[Any]] = field(default_factory=list)

    def assumptions(self) -> list[Any]:
        """No card gives more than four goods."""
        return [total(gifts) <= 4 for gifts in self.gift]


def box(cards: int = 94, players: int = 4) -> Box:
    """A set-up whose cards' costs and gifts are symbolic."""
    cost = [variable(("parameter", "cost", f"card {i + 1}"), 0, 3) for i in range(cards)]
    gift = [[variable(("parameter", "gift", good, f"card {i + 1}"), 0, 3) for good in GOODS] for i in range(cards)]
    return Box(cards, players, cost=cost, gift=gift)


class Table(State):
    phase: int
    turn: int
    passed: list[bool]
    place: list[int]
    owner: list[int]
    used: list[bool]
    tokens: list[int]
    worked: list[list[bool]]
    goods: list[list[int]]
    score: list[int]
    visited: list[list[bool]]


def families(setup: Box) -> dict[str, Family]:
    cards = [Element(i) for i in range(setup.cards)]
    return {
        "player": Family("player", range(setup.players), [f"Player {i + 1}" for i in range(setup.players)]),
        "card": Family("card", cards, [f"card {i + 1}" for i in range(setup.cards)], ["card"] * len(cards)),
        "good": Family("good", range(len(GOODS)), GOODS),
    }


def variables(setup: Box, family: dict[str, Family]) -> list[Variable]:
    card, player, good = family["card"], family["player"], family["good"]
    return [
        Variable("phase", one_of(Phase)),
        Variable("turn", between(0, setup.players - 1)),
        Variable("passed", FLAG, (player,)),
        Variable("place", one_of(Place), (card,)),
        Variable("owner", between(0, setup.players), (card,), setup.players),
        Variable("used", between(0, 2), (card,)),
        Variable("tokens", between(0, 3), (card,)),
        Variable("worked", FLAG, (card, player)),
        Variable("visited", FLAG, (card, player)),
        Variable("goods", NATURAL, (player, good)),
        Variable("score", NATURAL, (player,)),
    ]


def mine(state: Table, player: int) -> Any:
    return all_of(state.turn == player, negate(state.passed[player]))


def in_deck(state: Table, card: Any) -> Any:
    return state.place[card] == Place.DECK


def in_my_hand(state: Table, player: int, card: Any) -> Any:
    return all_of(state.place[card] == Place.HAND, state.owner[card] == player)


def on_my_table(state: Table, player: int, card: Any) -> Any:
    return all_of(state.place[card] == Place.TABLE, state.owner[card] == player)


def on_table(state: Table, card: Any) -> Any:
    return state.place[card] == Place.TABLE


def hand(state: Table, player: int) -> Any:
    return count(in_my_hand(state, player, card) for card in range(len(state.place)))


def next_turn(state: Table, player: int) -> None:
    state.turn = (player + 1) % state.setup.players


@action(clauses=("draw",), phases=(Phase.DRAW,), by=CHANCE, player=One("player", mine), card=One("card", in_deck))
def draw(state: Table, player: int, card: Any) -> None:
    require(hand(state, player) < 10, "draw")
    state.place[card] = Place.HAND
    state.owner[card] = player
    state.phase = Phase.ACT


def _pay(state: Table, player: int, payment: Any, amount: Any) -> None:
    require(payment.size() >= amount, "pay")
    for good, spent in payment.items():
        state.goods[player][good] = state.goods[player][good] - spent


def stock(state: Table, player: int, good: int) -> Any:
    return state.goods[player][good]


@action(
    clauses=("build",), phases=(Phase.ACT,), player=One("player", mine), card=One("card", in_my_hand),
    payment=Amounts("good", limit=stock),
)  # fmt: skip
def build(state: Table, player: int, card: Any, payment: Any) -> None:
    _pay(state, player, payment, state.setup.cost[card])
    state.place[card] = Place.TABLE
    state.used[card] = 0
    next_turn(state, player)


@action(
    clauses=("host",), phases=(Phase.ACT,), player=One("player", mine), card=One("card", in_my_hand),
    base=One("card", on_my_table), sold=Subset("card", in_my_hand),
)  # fmt: skip
def redevelop(state: Table, player: int, card: Any, base: Any, sold: Any) -> None:
    require(card != base, "host")
    require(negate(sold[card]), "host")
    require(sold.size() == 2, "pay")
    state.place[base] = Place.UNDER
    state.tokens[base] = 0
    state.used[base] = 0
    for player_ in range(state.setup.players):
        state.visited[base][player_] = False
        state.worked[base][player_] = False
    for other, gone in sold.items():
        state.place[other] = where(gone, Place.DISCARD, state.place[other])
        state.owner[other] = where(gone, state.setup.players, state.owner[other])
    state.place[card] = Place.TABLE
    state.score[player] = state.score[player] + 1
    next_turn(state, player)


@action(clauses=("gain",), phases=(Phase.ACT,), player=One("player", mine), card=One("card", on_my_table))
def use(state: Table, player: int, card: Any) -> None:
    require(state.used[card] < 2, "gain")
    require(state.goods[player][4] >= 1, "pay")
    state.goods[player][4] = state.goods[player][4] - 1
    for good in range(4):
        state.goods[player][good] = minimum(state.goods[player][good] + state.setup.gift[card][good], 12)
    state.used[card] = state.used[card] + 1
    state.worked[card][player] = True
    if state.tokens[card] < 3:
        state.tokens[card] = state.tokens[card] + 1
        state.score[player] = state.score[player] + 1
    next_turn(state, player)


@action(
    clauses=("gain",), phases=(Phase.ACT,), player=One("player", mine), host=One("player"),
    card=One("card", on_table),
)  # fmt: skip
def visit(state: Table, player: int, host: int, card: Any) -> None:
    require(state.owner[card] == host, "host")
    require(player != host, "host")
    require(negate(state.visited[card][player]), "host")
    require(count(state.visited[card]) < 3, "host")
    require(state.goods[player][4] >= 1, "pay")
    state.goods[player][4] = state.goods[player][4] - 1
    state.goods[host][4] = minimum(state.goods[host][4] + 1, 12)
    state.visited[card][player] = True
    next_turn(state, player)


@action(clauses=("turn",), phases=(Phase.ACT,), player=One("player", mine))
def give_up(state: Table, player: int) -> None:
    state.passed[player] = True
    state.phase = where(all_of(state.passed), Phase.CLEANUP, state.phase)
    next_turn(state, player)


@action(clauses=("end",), phases=(Phase.CLEANUP,))
def clean_up(state: Table) -> None:
    for card in range(len(state.place)):
        state.used[card] = 0
        for player in range(state.setup.players):
            state.visited[card][player] = False
            state.worked[card][player] = False
    for player in range(state.setup.players):
        state.passed[player] = False
        for good in range(len(GOODS)):
            state.goods[player][good] = 0
    state.phase = where(any_of(score >= 30 for score in state.score), Phase.END, Phase.DRAW)


GAME = Game(
    id="large", title="Large", version="1", catalogue=RULES, phases=[phase.name for phase in Phase],
    actions=(draw, build, redevelop, use, visit, give_up, clean_up), presets={}, player_counts=(4,),
    setup=lambda *_: box(), families=families, variables=variables, state=Table,
    over=lambda state: state.phase == Phase.END, observe=lambda state, player: {}, turn_clause="turn",
)  # fmt: skip


def properties(players: int = 4) -> list[Property]:
    """Invariants of the kinds that a real game has: caps, zones, owners, counts over all cards."""

    @invariant("hand", "No hand holds more than ten cards.", ("draw",), over=("player",))
    def hand_limit(state: Any, player: int) -> Any:
        return hand(state, player) <= 10

    @invariant("owned", "A card is owned exactly when it is in a hand, on the table or under it.", (), over=("card",))
    def owned(state: Any, card: Any) -> Any:
        place = state.place[card]
        theirs = any_of(place == Place.HAND, place == Place.TABLE, place == Place.UNDER)
        return theirs == (state.owner[card] != players)

    @invariant("unused", "Only cards on the table are used.", (), over=("card",))
    def unused(state: Any, card: Any) -> Any:
        return implies(state.used[card] >= 1, state.place[card] == Place.TABLE)

    @invariant("visits", "A card is visited three times a round at most.", (), over=("card",))
    def visits(state: Any, card: Any) -> Any:
        return count(state.visited[card]) <= 3

    @invariant("visited", "Only cards on the table are visited.", (), over=("card", "player"))
    def visited(state: Any, card: Any, player: int) -> Any:
        return implies(state.visited[card][player], state.place[card] == Place.TABLE)

    @invariant("own", "Nobody visits himself.", (), over=("card", "player"))
    def own(state: Any, card: Any, player: int) -> Any:
        return implies(state.visited[card][player], state.owner[card] != player)

    @invariant("worked", "Only the owner works a card.", (), over=("card", "player"))
    def worked(state: Any, card: Any, player: int) -> Any:
        return implies(state.worked[card][player], state.owner[card] == player)

    @invariant("twice", "A worked card has been used.", (), over=("card", "player"))
    def twice(state: Any, card: Any, player: int) -> Any:
        return implies(state.worked[card][player], state.used[card] >= 1)

    @invariant("tokens", "Only cards on the table hold tokens.", (), over=("card",))
    def tokens(state: Any, card: Any) -> Any:
        return implies(state.tokens[card] >= 1, state.place[card] == Place.TABLE)

    @invariant("score", "All tokens on the table are within the scores.", ())
    def score(state: Any) -> Any:
        return total(state.tokens) <= total(state.score)

    @invariant("store", "No more than twelve of a good.", (), over=("player", "good"))
    def store(state: Any, player: int, good: int) -> Any:
        return state.goods[player][good] <= 12

    @invariant("drawn", "Somebody is in play while drawing.", ())
    def drawn(state: Any) -> Any:
        return implies(state.phase == Phase.DRAW, negate(all_of(state.passed)))

    @step("never.back", "A card never goes back to the deck.", (), over=("card",))
    def never_back(before: Any, after: Any, move: Any, card: Any) -> Any:
        return implies(before.place[card] != Place.DECK, after.place[card] != Place.DECK)

    @step("no.loss", "Scores never fall.", (), over=("player",))
    def no_loss(before: Any, after: Any, move: Any, player: int) -> Any:
        return after.score[player] >= before.score[player]

    return [
        hand_limit, owned, unused, visits, visited, own, worked, twice, tokens, score, store, drawn, never_back, no_loss
    ]  # fmt: skip
