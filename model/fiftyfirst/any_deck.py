"""A deck of which only the shape is known: so many locations, contacts and leaders, every printed value symbolic.

What is proved with it holds for every deck of that shape that is well formed; `assumptions` says what that means, in
the same terms in which a user's deck file is checked.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from model.fiftyfirst.deck import Deck
from model.fiftyfirst.vocabulary import Ability, Asset, Cost, Gain, Kind, Trigger
from model.language import all_of, any_of
from model.language.expression import variable

GAINS = len(Asset) + len(Gain)
PAYABLE = (*range(Asset.WORKER + 1), Cost.CARD, Cost.SPOILS, Cost.DEAL, Cost.SPOILS_OR_DEAL)


def any_deck(shape: Deck) -> tuple[Deck, list[Any]]:
    """A symbolic deck of the same shape, and the assumptions that make it a well-formed one."""
    tables = {entry.name: list(getattr(shape, entry.name)) for entry in fields(Deck) if entry.name != "digest"}
    deck = replace(shape, digest="any", **tables)
    assumptions: list[Any] = []
    for card in shape.locations:
        _symbolic_location(deck, card)
        assumptions += well_formed(deck, card)
    for card in shape.contacts:
        deck.range[card] = [_parameter("range", deck.label[card], colour, 0, 3) for colour in range(3)]
    for card in shape.leaders:
        deck.trigger[card] = _parameter("trigger", deck.label[card], 0, 0, len(Trigger) - 1)
        label = deck.label[card]
        deck.gain[card] = [_parameter("gain", label, kind, 0, 9) if kind < len(Asset) else 0 for kind in range(GAINS)]
    return deck, assumptions


def _parameter(table: str, label: str, index: int, low: int, high: int) -> Any:
    return variable(("parameter", table, label, index), low, high)


def _symbolic_location(deck: Deck, card: int) -> None:
    label = deck.label[card]
    deck.distance[card] = _parameter("distance", label, 0, 1, 3)
    deck.kind[card] = _parameter("kind", label, 0, Kind.ACTION, Kind.FEATURE)
    deck.ability[card] = _parameter("ability", label, 0, 0, len(Ability) - 1)
    deck.workers[card] = _parameter("workers", label, 0, 0, 2)
    deck.amount[card] = _parameter("amount", label, 0, 0, 3)
    deck.token[card] = _parameter("token", label, 0, 0, 2)
    deck.icons[card] = [_parameter("icon", label, index, 0, 1) for index in range(len(deck.icons[card]))]
    deck.counts_icon[card] = [_parameter("counts", label, index, 0, 1) for index in range(len(deck.icons[card]))]
    deck.combo[card] = [_parameter("combo", label, good, 0, 3) for good in range(5)]
    for table in ("spoils", "deal", "gain"):
        getattr(deck, table)[card] = [_parameter(table, label, kind, 0, 9) for kind in range(GAINS)]
    deck.cost[card] = [
        _parameter("cost", label, kind, 0, 9) if kind in PAYABLE else 0 for kind in range(len(Asset) + len(Cost))
    ]


def well_formed(deck: Deck, card: int) -> list[Any]:
    """What every location card fulfils, symbolic or not."""
    kind, gain = deck.kind[card], deck.gain[card]
    action = kind == Kind.ACTION
    return [
        any_of(gain[Gain.VP] == 0, all_of(gain[Gain.VP] == deck.token[card])),
        any_of(gain[Gain.VP] != 0, deck.token[card] == 0),
        any_of(action, deck.workers[card] == 0),
        any_of(kind == Kind.FEATURE, *[deck.ability[card] != ability for ability in FEATURES]),
    ]


FEATURES = (Ability.STORE, Ability.SLOTS_ANY, Ability.SLOTS_SPOILS, Ability.PER_ICON, Ability.DISCARD_FOR)
