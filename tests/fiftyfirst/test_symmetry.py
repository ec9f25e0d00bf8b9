"""The rules treat equal cards and all seats alike, and what a player cannot see makes no difference to that player."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.fiftyfirst import cleanup, lookout
from model.fiftyfirst.deck import deck_of
from model.fiftyfirst.game import GAME
from model.fiftyfirst.presets import setup
from model.fiftyfirst.setup import Setup
from model.fiftyfirst.table import Phase, Zone, observe
from model.language import PLAYER, Model, Move, One, Selection
from properties.playing import Director, Policy

COPIES = {
    "Old Depot": 3, "Fuel Tank": 2, "Thieves' Caravan": 2, "Hideout": 2, "Noticeboard": 2, "Scrap Trader": 2, "Pub": 2,
    "Bunker": 2, "Warehouse": 2, "Punks": 4, "Road": 4, "Pilgrims": 3, "Observatory": 2,
}  # fmt: skip
LEADERS = {"Borgo the Almighty": 1, "Uncle Hammer": 1, "Mr. President": 1}


def game(players: int, cards: dict[str, int], deal: int = 4, **readings: str) -> Model:
    printed = setup("standard", players, readings)
    fields = {name: getattr(printed, name) for name in printed.__dataclass_fields__}
    return GAME.model(Setup(**{**fields, "deck": deck_of(cards), "deal": deal}))


READINGS: list[dict[str, str]] = [
    {},
    {"R-HAND": "discard_down", "R-LEFTOVER": "at_end", "R-RESHUFFLE": "at_once", "R-DISPLAY-LEFT": "next_pick"},
    {"R-ANY-TIME": "always", "R-STEAL-WHICH": "victim", "R-BANK": "box_only", "R-REDEV-ICON": "at_once"},
    {"R-CAP-DEAL": "three", "R-CAP-RETURN": "per_game", "R-ICON-PAY": "each_production", "R-VISITS": "per_game"},
]
MODELS = {(n, i): game(n, COPIES | LEADERS, **chosen) for n in (2, 3, 4) for i, chosen in enumerate(READINGS)}
SEEDS = given(st.integers(0, 2**32), st.sampled_from(sorted(MODELS)))


def reached(model: Model, chance: random.Random, most: int = 120) -> tuple[Any, list[Move]]:
    """A state some directed random moves from the start, and the legal moves there."""
    director, state = Director(Policy()), model.initial()
    legal = model.legal(state)
    for _ in range(chance.randrange(most)):
        model.apply(state, director.choose(state, legal, chance.random))
        legal = model.legal(state)
        if not legal:
            break
    return state, legal


# -- renaming --------------------------------------------------------------------------------------------------------
class Renaming:
    """A permutation of cards and of seats, applied to states and moves."""

    def __init__(self, model: Model, cards: dict[Any, Any], seat: Callable[[int], int]) -> None:
        self.model, self.cards, self.seat = model, cards, seat

    def member(self, family: str, member: Any) -> Any:
        if family == "player":
            return self.seat(member)
        if family == "source":
            place, asset = member
            return (self.cards.get(place, place), asset)
        return self.cards.get(member, member) if family in ("card", "location", "contact", "leader", "host") else member

    def value(self, name: str, value: Any) -> Any:
        if name in ("first", "player", "winner", "drawer", "chooser", "owner"):
            return self.seat(value) if value < self.model.setup.players else value
        return self.cards.get(value, value) if name == "host" and value >= 0 else value

    def state(self, state: Any) -> Any:
        values = dict[tuple[Any, ...], Any]()
        for cell, value in zip(self.model.layout.cells, state.all_values(), strict=True):
            families = [family.name for family in cell.variable.over]
            indices = [self.member(name, index) for name, index in zip(families, cell.indices, strict=True)]
            values[(cell.variable.name, *indices)] = self.value(cell.variable.name, value)
        return self.model.state([values[(cell.variable.name, *cell.indices)] for cell in self.model.layout.slots])

    def move(self, move: Move) -> Move:
        values = []
        for choice, value in zip(move.action.choices.values(), move.values, strict=True):
            if isinstance(choice, One):
                values.append(self.member(choice.family, value))
            else:
                amounts = {self.member(choice.family, member): amount for member, amount in value.items()}
                values.append(Selection(amounts, value[object()]))
        return Move(move.action, tuple(values))


def check_commutes(model: Model, renaming: Renaming, state: Any, legal: list[Move], chance: random.Random) -> None:
    """Renaming the legal moves gives those of the renamed state, and making one gives the renamed result."""
    renamed = renaming.state(state)
    assert {renaming.move(move) for move in legal} == set(model.legal(renamed))
    for move in chance.sample(legal, min(3, len(legal))):
        plain, other = state.copy(), renamed.copy()
        model.apply(plain, move)
        model.apply(other, renaming.move(move))
        assert renaming.state(plain).key() == other.key(), model.describe(move)


def swapped_copies(model: Model, chance: random.Random) -> dict[Any, Any]:
    """A permutation of the cards that moves only copies of the same card."""
    groups: dict[str, list[Any]] = {}
    for card in model.families["card"]:
        groups.setdefault(model.setup.deck.name[card], []).append(card)
    renamed = {}
    for group in groups.values():
        renamed.update(zip(group, chance.sample(group, len(group)), strict=True))
    return renamed


@settings(max_examples=20, deadline=None)
@SEEDS
def test_copies_of_a_card_are_interchangeable(seed: int, which: tuple[int, int]) -> None:
    model, chance = MODELS[which], random.Random(seed)
    state, legal = reached(model, chance)
    renaming = Renaming(model, swapped_copies(model, chance), lambda seat: seat)
    check_commutes(model, renaming, state, legal, chance)


@settings(max_examples=20, deadline=None)
@SEEDS
def test_seats_are_interchangeable(seed: int, which: tuple[int, int]) -> None:
    """A rotation of the whole table, factions and first-player marker included: only the names of the seats change."""
    model, chance = MODELS[which], random.Random(seed)
    players = model.setup.players
    state, legal = reached(model, chance)
    turn = chance.randrange(1, players)
    renaming = Renaming(model, {}, lambda seat: (seat + turn) % players)
    check_commutes(model, renaming, state, legal, chance)


def test_a_rule_that_favours_a_seat_or_a_copy_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two tests above can fail."""
    model, chance = MODELS[2, 0], random.Random(5)
    state = model.initial()
    state.phase, state.last_round = Phase.CLEANUP, True
    turned = Renaming(model, {}, lambda seat: 1 - seat)
    copies = {model.families["card"].by_label[a]: model.families["card"].by_label[b]
              for a, b in [("Old Depot", "Old Depot #2"), ("Old Depot #2", "Old Depot")]}  # fmt: skip
    swapped = Renaming(model, copies, lambda seat: seat)
    for renaming in (turned, swapped):
        check_commutes(model, renaming, state, model.legal(state), chance)
    with monkeypatch.context() as patch:
        patch.setattr(cleanup, "beats", lambda state, one, other, hands: one == 0)
        with pytest.raises(AssertionError):
            check_commutes(model, turned, state, model.legal(state), chance)
    depot = model.families["card"].by_label["Old Depot"]
    state.zone[depot], state.owner[depot] = Zone.PLAY, 0
    with monkeypatch.context() as patch:
        patch.setattr(cleanup, "hand_size", lambda state, player: int(state.zone[depot] == Zone.PLAY and player == 0))
        with pytest.raises(AssertionError):
            check_commutes(model, swapped, state, model.legal(state), chance)


# -- hidden information --------------------------------------------------------------------------------------------
def reshuffled_unseen(model: Model, state: Any, player: int, chance: random.Random) -> Any:
    """Another state that looks the same to the player: the faces hidden from him are permuted."""
    zones = (Zone.DECK, Zone.HAND, Zone.ASIDE)
    unseen = [
        card
        for card in model.families["card"]
        if state.zone[card] in zones and (state.zone[card] == Zone.DECK or state.owner[card] != player)
    ]
    other = state.copy()
    for card, source in zip(unseen, chance.sample(unseen, len(unseen)), strict=True):
        other.zone[card], other.owner[card] = state.zone[source], state.owner[source]
    return other


def own_moves(model: Model, state: Any, player: int) -> set[Move]:
    """What the player may decide; the first choice of such an action is who acts."""
    return {m for m in model.legal(state) if m.action.by == PLAYER and m.values[:1] == (player,)}


@settings(max_examples=30, deadline=None)
@SEEDS
def test_what_is_hidden_makes_no_difference(seed: int, which: tuple[int, int]) -> None:
    """lookout.hidden: a player's view and options depend on the own hand and the open state only"""
    model, chance = MODELS[which], random.Random(seed)
    state, _ = reached(model, chance)
    for player in range(model.setup.players):
        other = reshuffled_unseen(model, state, player, chance)
        assert observe(other, player) == observe(state, player)
        assert own_moves(model, other, player) == own_moves(model, state, player)


def test_a_player_sees_the_own_hand_and_all_that_lies_open() -> None:
    """lookout.hidden"""
    model = game(2, COPIES)
    state: Any = model.initial()
    by_label = model.families["card"].by_label
    places = {"Old Depot": (Zone.HAND, 0), "Old Depot #2": (Zone.HAND, 1), "Fuel Tank": (Zone.DISPLAY, 2),
              "Fuel Tank #2": (Zone.DISCARD, 2), "Pub": (Zone.ASIDE, 0), "Pub #2": (Zone.ASIDE, 1),
              "Hideout": (Zone.PLAY, 1)}  # fmt: skip
    for label, (zone, owner) in places.items():
        state.zone[by_label[label]], state.owner[by_label[label]] = zone, owner
    seen = observe(state, 0)
    assert set(seen["cards"]) == {"Old Depot", "Fuel Tank", "Fuel Tank #2", "Pub", "Hideout"}
    assert (seen["hand_sizes"], seen["looked_at"]) == ([1, 1], 2)
    assert seen["deck_size"] == sum(COPIES.values()) - len(places)
    assert set(observe(state, 1)["cards"]) == {"Old Depot #2", "Fuel Tank", "Fuel Tank #2", "Pub #2", "Hideout"}


def test_every_open_variable_is_seen() -> None:
    """lookout.hidden: all else is open. Changing any cell that is not about a hidden card changes what one sees."""
    model = game(2, {"Old Depot": 1, "Bunker": 1}, **{"R-BANK": "box_only", "R-REDEV-TOKENS": "paid_too",
                                                      "R-CAP-DEAL": "three"})  # fmt: skip
    state: Any = model.initial()
    for card in model.families["card"]:
        state.zone[card], state.owner[card] = Zone.PLAY, 0
    before = observe(state, 1)
    vector = state.vector()
    for cell in model.layout.slots:
        changed = list(vector)
        low, high = cell.domain.low, cell.domain.high
        assert cell.slot is not None
        value = vector[cell.slot]
        changed[cell.slot] = (not value) if cell.domain.boolean else (value + 1 if value < high else low)
        assert observe(model.state(changed), 1) != before, cell.label


def test_a_leak_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test of hidden information can fail: with a rule that looks into the other hand."""
    model, chance = game(2, COPIES), random.Random(3)
    state: Any = model.initial()
    for player, card in enumerate(model.families["card"].members[:2]):
        state.zone[card], state.owner[card] = Zone.HAND, player
    for card in model.families["card"].members[4:9]:
        state.zone[card] = Zone.DISPLAY
    state.phase = Phase.FIRST_PICK
    spied = model.families["card"].members[1]
    monkeypatch.setattr(lookout, "owns", lambda state, player, ability: state.zone[spied] == Zone.HAND)
    seen = own_moves(model, state, 0)
    assert any(own_moves(model, reshuffled_unseen(model, state, 0, chance), 0) != seen for _ in range(20))
