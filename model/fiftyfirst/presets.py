"""Set-ups: the printed game, a small one, and the `tiny` family that can be explored to the end.

Each tiny set-up takes a handful of cards and scales what makes the state space grow (workers, end score, display, dealt
cards, hand limit) to bring a few rules into reach; its purpose and what is scaled are stated with it. The rules are
the same, number for number, as in the printed game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from model.fiftyfirst.any_deck import any_deck
from model.fiftyfirst.deck import deck_of, load_deck, load_factions
from model.fiftyfirst.setup import Setup
from model.language import Catalogue, InputError, Preset, load_catalogue
from model.language.catalogue import closest


@cache
def catalogue() -> Catalogue:
    """The clauses and readings of the game."""
    return load_catalogue(Path(__file__).parent)


@dataclass(frozen=True)
class Tiny:
    """A tiny set-up: cards by name, what it is for, and its scale."""

    purpose: str
    cards: Mapping[str, int]
    seats: tuple[int, int] = (0, 3)
    deal: int = 0
    end_score: int = 2
    hand_limit: int = 10
    workers: int = 0
    display: tuple[int, int, int] = (2, 2, 1)
    readings: Mapping[str, str] = field(default_factory=dict)
    most: int = 15


TINY: dict[str, Tiny] = {}

PRESETS = {
    "tiny": Preset("tiny", tuple(TINY), "focused set-ups for two players, each explored to the end"),
    "small": Preset("small", ("small",), "two players, 16 cards, 12 VP"),
    "standard": Preset("standard", ("standard",), "the printed game"),
}

SMALL_CARDS = {
    "Scrap Trader": 1, "Petrol Station": 1, "Bunker": 1, "Bulldozer": 1, "Fuel Tank": 1, "Guardhouse": 1, "Quarry": 1,
    "Brickyard": 1, "Warehouse": 1, "Office Block": 1, "Thieves' Caravan": 1, "Noticeboard": 1, "Road": 2, "Punks": 1,
    "Pilgrims": 1, "Borgo the Almighty": 1, "Uncle Hammer": 1,
}  # fmt: skip


def setup(
    name: str,
    players: int | None = None,
    readings: Mapping[str, str] | None = None,
    deck: Path | None = None,
    symbolic: bool = False,
) -> Setup:
    """The parameters of a set-up.

    Args:
        name: `standard`, `small` or one of the tiny ones. players: 2..4; None: two.
        readings: chosen answers, the others default. deck: a user's deck in place of the printed one.
        symbolic: every printed value of the deck is left open, for proofs.

    Raises:
        InputError: unknown name, reading, number of players; a broken deck.
    """
    chosen = readings or {}
    count = 2 if players is None else players
    if not 2 <= count <= 4:
        raise InputError(f"--players {count}: the game is for 2, 3 or 4 (setup.players)")
    in_force = catalogue().readings_in_force({**(TINY[name].readings if name in TINY else {}), **chosen})
    if name in TINY:
        return _tiny(name, count, in_force)
    if name not in ("standard", "small"):
        raise InputError(f"there is no set-up {name!r}{closest(name, ['standard', 'small', *TINY])}")
    small = name == "small" and deck is None
    cards = deck_of(SMALL_CARDS) if small else load_deck(deck)
    assumptions: list[object] = []
    if symbolic:
        cards, assumptions = any_deck(cards)
    scaled = ("16 cards", "ends at 12 VP") if small else ()
    return Setup(
        name, count, cards, load_factions(), catalogue(), in_force, scaled=scaled, assumptions=assumptions,
        end_score=12 if small else 30, deal=2 if small else 4,
        purpose="a short game of the main rules" if small else "the printed game",
    )  # fmt: skip


def _tiny(name: str, players: int, readings: Mapping[str, str]) -> Setup:
    tiny = TINY[name]
    if players != 2:
        raise InputError(f"--players {players}: the tiny set-ups are for two")
    scaled = [f"{sum(tiny.cards.values())} cards", f"{tiny.deal} dealt", f"ends at {tiny.end_score} VP"]
    scaled += [f"hand limit {tiny.hand_limit}"] if tiny.hand_limit != 10 else []
    scaled += [f"{tiny.workers} workers from the base", f"display {'-'.join(map(str, tiny.display))}"]
    return Setup(
        name, 2, deck_of(tiny.cards), load_factions(), catalogue(), readings, seats=tiny.seats, deal=tiny.deal,
        end_score=tiny.end_score, hand_limit=tiny.hand_limit, workers=tiny.workers, display=tiny.display,
        most=tiny.most, purpose=tiny.purpose, scaled=tuple(scaled),
    )  # fmt: skip
