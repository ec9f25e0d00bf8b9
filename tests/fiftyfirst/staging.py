"""Positions for tests: a table with a few cards, put where a test wants them, and moves chosen by their labels."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from model.fiftyfirst.deck import deck_of
from model.fiftyfirst.game import GAME
from model.fiftyfirst.presets import setup
from model.fiftyfirst.table import BASE, NOWHERE, Phase, Table, Zone
from model.fiftyfirst.vocabulary import Asset
from model.language import CHANCE, PLAYER, Model, Move

PILES = (Zone.DECK, Zone.DISCARD, Zone.DISPLAY)


class Stage:
    """A game of chosen cards (None: the printed deck) and the state it is in; `moves` are those played.

    Args:
        cards: copies by name. players: 2..4. readings: those that are not default. scale: further fields of `Setup`.
    """

    def __init__(
        self,
        cards: Mapping[str, int] | None = None,
        players: int = 2,
        readings: Mapping[str, str] | None = None,
        **scale: Any,
    ) -> None:
        printed = setup("standard", players, readings)
        deck = printed.deck if cards is None else deck_of(cards)
        seats = scale.pop("seats", tuple(range(players)))
        self.model: Model = GAME.model(replace(printed, deck=deck, seats=seats, **scale))
        self.state: Any = self.model.initial()
        self.moves: list[Move] = []

    def card(self, label: str) -> Any:
        """The card of that label."""
        return self.model.families["card"].by_label[label]

    def put(self, zone: Zone, *labels: str, owner: int | None = None, host: int | str | None = None) -> None:
        """Move cards to a zone, at once."""
        state: Table = self.state
        for label in labels:
            card = self.card(label)
            state.zone[card] = zone
            state.owner[card] = state.setup.players if zone in PILES else owner if owner is not None else 0
            under = zone in (Zone.SPOILS, Zone.DEAL)
            place = self.card(host) if isinstance(host, str) else BASE
            state.host[card] = place if under else NOWHERE

    def hand(self, player: int, number: int) -> None:
        """Give the player so many cards out of the deck."""
        for card in [card for card in self.model.families["card"] if self.state.zone[card] == Zone.DECK][:number]:
            self.state.zone[card], self.state.owner[card] = Zone.HAND, player

    def phase(self, phase: Phase, player: int = 0, first: int = 0) -> None:
        """Where the round stands and who is in turn."""
        self.state.phase, self.state.player, self.state.first = phase, player, first

    def give(self, player: int, asset: Asset, number: int) -> None:
        """Put tokens on the player's base."""
        self.state.base[player][asset] = number

    def size(self, zone: Zone, owner: int | None = None) -> int:
        """How many cards lie in the zone."""
        pairs = zip(self.state.zone, self.state.owner, strict=True)
        return sum(1 for where, whose in pairs if where == zone and owner in (None, whose))

    def where(self, label: str) -> tuple[int, int]:
        """The zone and the owner of a card."""
        return self.state.zone[self.card(label)], self.state.owner[self.card(label)]

    def names(self) -> set[str]:
        """The actions that are legal."""
        return {move.action.name for move in self.model.legal(self.state)}

    def options(self, name: str, *words: str) -> list[Move]:
        """The legal moves of an action whose log line has the words."""
        return [
            move
            for move in self.model.legal(self.state)
            if move.action.name == name and all(word in self.model.describe(move) for word in words)
        ]

    def do(self, name: str, *words: str) -> Move:
        """Make the first such move."""
        found = self.options(name, *words)
        assert found, f"no legal {name} {words}; legal: {self.names()}"
        self.make(found[0])
        return found[0]

    def make(self, move: Move) -> None:
        self.model.apply(self.state, move)
        self.moves.append(move)

    def refusal(self, name: str, *values: Any) -> str | None:
        """The clause that forbids a move."""
        return self.model.refusal(self.state, Move(self.model.actions[name], values))

    def settle(self, seed: int = 0) -> None:
        """Let chance and the rules go on until a player decides, or the game is over."""
        chance = random.Random(seed)
        while not self.model.over(self.state):
            legal = self.model.legal(self.state)
            if any(move.action.by == PLAYER for move in legal):
                return
            self.make(chance.choice(legal))

    def draw_all(self, seed: int = 0) -> None:
        """Let chance deal and the rules shuffle until no draw is owed."""
        chance = random.Random(seed)
        while self.state.draws:
            rules = ("reshuffle", "go_without")
            legal = [m for m in self.model.legal(self.state) if m.action.by == CHANCE or m.action.name in rules]
            self.make(chance.choice(legal))
