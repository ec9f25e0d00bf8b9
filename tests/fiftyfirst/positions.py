"""Positions of the action phase, built and played by labels.

`table(...)` gives a position in which a player is in turn; `position.legal`, `play` and `refused` take an action and
its choices as a rulebook example would name them:

    position = table({"Old Depot": 1}, seats=(MUTANTS, GUILD), hands={0: ["Old Depot"]}, base={0: {"gun": 1}})
    position.play("conquest", card="Old Depot", permanents=["Mutants"], price={"gun": 1})
    assert position.refused("pass_turn", player=0) == "act.turns"
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from model.fiftyfirst.deck import Deck, deck_of
from model.fiftyfirst.game import GAME
from model.fiftyfirst.presets import APPALACHIA, GUILD, MUTANTS, NEW_YORK, setup
from model.fiftyfirst.table import Phase, Zone, named
from model.fiftyfirst.vocabulary import Asset
from model.language import Amounts, Move, One, Selection
from tests.fiftyfirst.staging import Stage

__all__ = ["APPALACHIA", "GUILD", "MUTANTS", "NEW_YORK", "Position", "table"]

ASSET = {named(asset): asset for asset in Asset}
Labels = Mapping[int, Sequence[str]]


class Position(Stage):
    """A stage whose moves are named by their choices.

    A choice of one member is its label; of several, a list of labels; of amounts, numbers by label. For tokens the
    label is `gun on Hideout`, or `gun` wherever it lies (on the base, when a move is built to be refused).
    """

    def __init__(self, deck: Deck, players: int, readings: Mapping[str, str], scale: Mapping[str, Any]) -> None:
        printed = setup("standard", players, readings)
        self.model = GAME.model(replace(printed, deck=deck, **scale))
        self.state: Any = self.model.initial()
        self.moves: list[Move] = []

    # -- moves -----------------------------------------------------------------------------------------------------
    def legal(self, name: str, **choices: Any) -> list[Move]:
        """The legal moves of an action with these choices; choices not given may be any."""
        return [
            move
            for move in self.model.legal(self.state)
            if move.action.name == name
            and all(self._is(move, choice, wanted) for choice, wanted in choices.items())
        ]

    def _is(self, move: Move, name: str, wanted: Any) -> bool:
        choice = move.action.choices[name]
        value = dict(zip(move.action.choices, move.values, strict=True))[name]
        label = self.model.families[choice.family].label
        if isinstance(choice, One):
            return wanted in (value, label[value])
        if not isinstance(choice, Amounts):
            return sorted(label[member] for member in value) == sorted(wanted)
        chosen = {label[member]: amount for member, amount in value.items()}
        if not all(" on " in token for token in wanted):
            by_kind: dict[str, int] = {}
            for token, amount in chosen.items():
                kind = token.split(" on ")[0]
                by_kind[kind] = by_kind.get(kind, 0) + amount
            chosen = by_kind
        return chosen == dict(wanted)

    def play(self, name: str, **choices: Any) -> Move:
        """Make the first legal move of that name and choices."""
        found = self.legal(name, **choices)
        assert found, f"no legal {name} {choices}; legal: {sorted(self.names())}"
        self.make(found[0])
        return found[0]

    def move(self, name: str, **choices: Any) -> Move:
        """The move, legal or not: nothing for several and amounts that are not given, the player in turn."""
        action = self.model.actions[name]
        values = []
        for key, choice in action.choices.items():
            family = self.model.families[choice.family]
            wanted = choices.pop(key, None)
            if isinstance(choice, One):
                wanted = self.state.player if wanted is None and key == "player" else wanted
                card = self.model.families["card"].by_label.get(wanted)  # maybe not of the family
                values.append(family.by_label.get(wanted, card) if isinstance(wanted, str) else wanted)
            elif isinstance(choice, Amounts):
                on = " on the base" if choice.family == "source" else ""
                given = {(key if " on " in key else key + on): n for key, n in (wanted or {}).items()}
                values.append(Selection({family.by_label[key]: n for key, n in given.items()}))
            else:
                values.append(Selection({family.by_label[key]: True for key in wanted or ()}, False))
        assert not choices, f"{name} has no choice {sorted(choices)}"
        return Move(action, tuple(values))

    def refused(self, name: str, **choices: Any) -> str | None:
        """The clause that forbids the move, or None; the state stays as it is."""
        return self.model.refusal(self.state, self.move(name, **choices))

    # -- what lies where -------------------------------------------------------------------------------------------
    def has(self, player: int) -> dict[str, int]:
        """The tokens on the player's base."""
        return {named(asset): n for asset, n in zip(Asset, self.state.base[player], strict=True) if n}

    def lying(self, label: str) -> dict[str, int]:
        """The tokens on a card."""
        row = self.state.on_card[self.card(label)]
        return {named(asset): n for asset, n in zip(Asset, row, strict=True) if n}

    def vp(self, label: str) -> int:
        """The number of VP tokens on a card."""
        return int(self.state.tokens[self.card(label)])

    def zone(self, label: str) -> Zone:
        """Where the card is."""
        return Zone(self.state.zone[self.card(label)])

    def used(self, contact: str) -> bool:
        """Whether the permanent contact was used this round."""
        return bool(self.state.contact_used[self.model.families["permanent"].by_label[contact]])

    def put_tokens(self, player: int, **amounts: int) -> None:
        """Set tokens on the base."""
        for name, amount in amounts.items():
            self.state.base[player][ASSET[name]] = amount

    def turn(self, player: int) -> None:
        """Let the player be in turn."""
        self.state.player = player


def table(
    deck: Mapping[str, int],
    players: int = 2,
    readings: Mapping[str, str] | None = None,
    hands: Labels | None = None,
    in_play: Labels | None = None,
    spoils: Labels | None = None,
    deals: Labels | None = None,
    base: Mapping[int, Mapping[str, int]] | None = None,
    on_card: Mapping[str, Mapping[str, int]] | None = None,
    tokens: Mapping[str, int] | None = None,
    discard: Sequence[str] = (),
    passed: Sequence[int] = (),
    player: int = 0,
    phase: Phase = Phase.ACTION,
    printed: Callable[[Deck], None] | None = None,
    **scale: Any,
) -> Position:
    """A position in which `player` is in turn.

    Args:
        deck: copies by name; the cards not placed stay in the deck. readings: those that are not default.
        hands, in_play, spoils, deals: labels by player; a card `A under B` lies under the location B.
        base: tokens by player. on_card: tokens by card. tokens: VP tokens by card. passed: who has passed.
        printed: changes the deck's tables first, for cards that are not printed.
        scale: further fields of `Setup`, such as `seats` (factions; default the first ones in order).
    """
    cards = deck_of(deck)
    if printed is not None:
        printed(cards)
    scale.setdefault("seats", tuple(range(players)))
    position = Position(cards, players, readings or {}, scale)
    state = position.state
    places = ((Zone.HAND, hands), (Zone.PLAY, in_play), (Zone.SPOILS, spoils), (Zone.DEAL, deals))
    for zone, labels in places:
        for owner, entries in (labels or {}).items():
            for entry in entries:
                label, _, host = entry.partition(" under ")
                position.put(zone, label, owner=owner, host=host or None)
    position.put(Zone.DISCARD, *discard)
    for owner, amounts in (base or {}).items():
        for name, amount in amounts.items():
            state.base[owner][ASSET[name]] = amount
    for label, amounts in (on_card or {}).items():
        for name, amount in amounts.items():
            state.on_card[position.card(label)][ASSET[name]] = amount
    for label, amount in (tokens or {}).items():
        state.tokens[position.card(label)] = amount
    for seat in passed:
        state.passed[seat] = True
    position.phase(phase, player)
    return position
