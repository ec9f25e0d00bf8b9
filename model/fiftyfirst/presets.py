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


NEW_YORK, GUILD, APPALACHIA, MUTANTS = range(4)


@dataclass(frozen=True)
class Tiny:
    """A tiny set-up: cards by name, what it is for, and its scale."""

    purpose: str
    cards: Mapping[str, int]
    seats: tuple[int, int] | None = (NEW_YORK, MUTANTS)
    deal: int = 0
    end_score: int = 2
    hand_limit: int = 10
    workers: int = 0
    display: tuple[int, int, int] = (2, 2, 1)
    readings: Mapping[str, str] = field(default_factory=dict)
    most: int = 15
    most_contacts: int = 1


TINY: dict[str, Tiny] = {
    "factions": Tiny(
        "drawing factions and being dealt cards",
        {"Old Depot": 1, "Punks": 1}, seats=None, deal=1, end_score=1,
    ),
    "short-deal": Tiny(
        "dealing from a deck that ends before everybody has been dealt a hand",
        {"Road": 1, "Punks": 1}, seats=(NEW_YORK, GUILD), deal=2, end_score=1,
    ),
    "picks": Tiny(
        "the parts of Lookout, drawing from the deck instead, the leftover card",
        {"Scouts' Camp": 1, "Noticeboard": 1, "Punks": 4}, display=(3, 3, 3), hand_limit=1,
    ),
    "denial": Tiny(
        "denying a face-up card in Lookout",
        {"Saboteurs' Den": 1, "Locked Pump": 1, "Punks": 3}, seats=(APPALACHIA, GUILD), hand_limit=2,
    ),
    "two-cards": Tiny(
        "looking at two cards in the third part of Lookout",
        {"Observatory": 1, "Road": 1, "Punks": 4}, seats=(APPALACHIA, GUILD), deal=2, hand_limit=2,
    ),
    "display-trimmed": Tiny(
        "R-DISPLAY-LEFT next_pick: the display is cut down after a draw from the deck",
        {"Scouts' Camp": 1, "Punks": 4}, display=(2, 1, 1), readings={"R-DISPLAY-LEFT": "next_pick"},
    ),
    "hand-limit": Tiny(
        "a full hand in Lookout, and entering it with more",
        {"Pub": 1, "Old Depot": 2}, seats=(MUTANTS, NEW_YORK), hand_limit=1,
    ),
    "hand-limit-down": Tiny(
        "R-HAND discard_down: entering Lookout with too many cards",
        {"Pub": 1, "Old Depot": 2}, seats=(MUTANTS, NEW_YORK), hand_limit=1, readings={"R-HAND": "discard_down"},
    ),
    "three-slots": Tiny(
        "filling the base: conquest, negotiation, cashing and dropping",
        {"Old Depot": 2, "Fuel Tank": 2}, seats=(MUTANTS, GUILD), end_score=1,
    ),
    "slots-unpaid": Tiny(
        "R-CASH drop_unpaid: spoils dropped for nothing outside Production",
        {"Old Depot": 2}, seats=(MUTANTS, GUILD), end_score=1, readings={"R-CASH": "drop_unpaid"},
    ),
    "any-slots": Tiny(
        "a feature with slots for spoils and deals alike",
        {"Office Block": 1, "Old Depot": 1, "Road": 1}, seats=(GUILD, NEW_YORK),
    ),
    "hosts": Tiny(
        "a location as host, and its redevelopment with cards under it",
        {"Hideout": 1, "Cutthroats' Dive": 1, "Punks": 1, "Uncle Hammer": 1}, seats=(NEW_YORK, GUILD), end_score=3,
    ),
    "hosts-moved": Tiny(
        "R-ATTACHED moved: new hosts for what lay under a redeveloped one",
        {"Hideout": 1, "Cutthroats' Dive": 2, "Punks": 1, "Uncle Hammer": 1}, seats=(NEW_YORK, GUILD), end_score=3,
        readings={"R-ATTACHED": "moved"},
    ),
    "rebuilding": Tiny(
        "redevelopment by brick, and the contact that costs a card",
        {"Quarry": 1, "Brickyard": 1, "Locked Armoury": 1}, seats=(APPALACHIA, NEW_YORK), end_score=3,
    ),
    "machines": Tiny(
        "redevelopment tokens, plain and universal",
        {"Excavator": 1, "Bulldozer": 1, "Road": 1}, seats=(APPALACHIA, NEW_YORK), workers=1, end_score=3,
    ),
    "machines-at-once": Tiny(
        "R-REDEV-ICON at_once: a redevelopment as part of the action",
        {"Bulldozer": 1, "Quarry": 1, "Road": 1}, seats=(APPALACHIA, NEW_YORK), workers=1, end_score=3,
        readings={"R-REDEV-ICON": "at_once"},
    ),
    "leaders": Tiny(
        "putting a leader into play, replacing it, its trigger and goods",
        {"Tommy the Gun": 1, "Borgo the Almighty": 1, "Cutthroats' Dive": 1}, seats=(MUTANTS, NEW_YORK), end_score=3,
    ),
    "baby-swift": Tiny(
        "Baby Swift's action and the cap of a leader",
        {"Baby Swift": 1, "Punks": 3}, end_score=6,
    ),
    "workers": Tiny(
        "first and second use of an action location, the cap of VP tokens, trading workers",
        {"Scrap Trader": 1, "Old Depot": 1}, workers=3, end_score=4,
    ),
    "visits": Tiny(
        "visiting an opponent's open production, which closed production does not allow",
        {"Old Depot": 1, "Scrapyard": 1}, seats=(NEW_YORK, GUILD), workers=1, end_score=2,
    ),
    "thieves": Tiny(
        "stealing goods, from whom and from where",
        {"Thieves' Caravan": 1, "Road": 1, "Fuel Tank": 1}, seats=(NEW_YORK, GUILD), workers=2, end_score=2,
    ),
    "thieves-victim": Tiny(
        "R-STEAL-WHICH victim: the robbed player chooses the good",
        {"Thieves' Caravan": 1, "Road": 1}, seats=(NEW_YORK, GUILD), workers=2,
        readings={"R-STEAL-WHICH": "victim"},
    ),
    "combo": Tiny(
        "placing goods on a combo and turning the set in",
        {"Bunker": 1, "Road": 1}, seats=(NEW_YORK, GUILD), workers=5, end_score=4,
    ),
    "storage": Tiny(
        "goods in and out of storage, kept from round to round",
        {"Warehouse": 1, "Locked Pump": 1}, seats=(NEW_YORK, GUILD), end_score=2,
    ),
    "icons": Tiny(
        "a feature that gives VP for each card of a type",
        {"Refinery": 1, "Fuel Tank": 1, "Road": 2}, seats=(NEW_YORK, GUILD), end_score=4,
    ),
    "icon-goods": Tiny(
        "a feature that gives goods for each card of a type",
        {"Old Parking Lot": 1, "Scrapyard": 1, "Road": 1}, seats=(NEW_YORK, GUILD), end_score=2,
    ),
    "toll": Tiny(
        "a feature that turns a good into a contact token, and contact tokens as range",
        {"Toll Gate": 1, "Locked Pump": 1}, seats=(NEW_YORK, GUILD), end_score=2, most_contacts=3,
    ),
    "broker": Tiny(
        "a price paid with a deal",
        {"Deal Broker": 1, "Fuel Tank": 1, "Road": 1}, seats=(GUILD, MUTANTS), workers=1, end_score=3,
    ),
    "tokens": Tiny(
        "contact tokens made by open production",
        {"Heavy Gear": 1, "Old Depot": 1, "Road": 1}, seats=(NEW_YORK, APPALACHIA), end_score=2, most_contacts=3,
    ),
    "ties": Tiny(
        "the ranking, a tie to the end",
        {"Borgo the Almighty": 1, "Greedy Pete": 1}, end_score=1,
    ),
    "leftover-at-end": Tiny(
        "R-LEFTOVER at_end and R-LIMIT-CARD discard_display: a face-up card during the third part",
        {"Noticeboard": 1, "Punks": 5}, hand_limit=1, display=(3, 3, 3),
        readings={"R-LEFTOVER": "at_end", "R-LIMIT-CARD": "discard_display"},
    ),
    "hosts-kept": Tiny(
        "R-ATTACHED stay: one host redeveloped into another with cards under it",
        {"Hideout": 1, "Old Slaughterhouse": 1, "Punks": 1, "Quarry": 1}, seats=(APPALACHIA, GUILD),
    ),
    "mixed-slots": Tiny(
        "R-SLOTS-KIND: a host for spoils, and a deal to make",
        {"Hideout": 1, "Fuel Tank": 1, "Road": 1}, seats=(GUILD, MUTANTS),
    ),
    "spoils-for-ever": Tiny(
        "spoils that bring back the card and the contact to conquer it",
        {"Guardhouse": 1, "Punks": 1}, seats=(MUTANTS, GUILD), end_score=1, most_contacts=3,
    ),
    "two-leftovers": Tiny(
        "two players with a claim to the leftover card, and two copies of a location",
        {"Noticeboard": 2, "Road": 1}, seats=(NEW_YORK, GUILD), display=(2, 2, 2),
    ),
    "president": Tiny(
        "redevelopment tokens on a leader, and more of them than the box has (R-BANK, R-LEADER-TOKEN)",
        {"Mr. President": 1, "Excavator": 1, "Road": 1}, seats=(APPALACHIA, NEW_YORK), workers=1, end_score=3,
        most_contacts=3,
    ),
    "school": Tiny(
        "a location redeveloped with an unused worker on it (R-REDEV-TOKENS)",
        {"School": 1, "Quarry": 1, "Uncle Hammer": 1}, seats=(NEW_YORK, GUILD), end_score=3,
    ),
    "traders": Tiny(
        "an action location redeveloped after its use",
        {"Scrap Trader": 1, "Oil Trader": 1, "Uncle Hammer": 1}, seats=(NEW_YORK, GUILD), workers=1, end_score=3,
    ),
    "market": Tiny(
        "a price printed with the universal icon (R-UNIVERSAL)",
        {"Market": 1, "Road": 1}, seats=(NEW_YORK, GUILD), workers=1,
    ),
    "toll-and-leader": Tiny(
        "a feature's exchange while others still play (R-DISCARD-FOR)",
        {"Toll Gate": 1, "Greedy Pete": 1, "Locked Pump": 1}, seats=(NEW_YORK, GUILD), end_score=3, most_contacts=3,
    ),
    "robbed-leader": Tiny(
        "goods on a leader, and a thief (R-STEAL-FROM)",
        {"Thieves' Caravan": 1, "Road": 1, "Junky Joe": 1}, seats=(NEW_YORK, GUILD), workers=2, end_score=1,
    ),
    "combo-full": Tiny(
        "a complete combo, universal goods on it, its redevelopment (R-COMBO-FULL)",
        {"Bunker": 1, "Road": 1, "Baby Swift": 1, "Old Depot": 1}, seats=(NEW_YORK, GUILD),
    ),
    "counted-again": Tiny(
        "a card that a feature counts is redeveloped",
        {"Brickyard": 1, "Quarry": 1, "Old Depot": 1}, seats=(APPALACHIA, GUILD), end_score=3,
    ),
    "leader-returns": Tiny(
        "a leader full of tokens leaves and comes back (R-CAP-RETURN, R-TRIGGER-CAP)",
        {"Baby Swift": 1, "Tommy the Gun": 1, "Punks": 2}, end_score=9,
    ),
}  # fmt: skip

# What is there for the sake of an answer other than the default, or of a hole; the rules in it are explored elsewhere.
QUESTIONS = (
    "hosts-kept", "mixed-slots", "two-leftovers", "president", "school", "traders", "market", "toll-and-leader",
    "robbed-leader", "combo-full", "counted-again", "leader-returns",
)  # fmt: skip

PRESETS = {
    "tiny": Preset(
        "tiny", tuple(name for name in TINY if name not in QUESTIONS),
        "focused set-ups for two players, each explored to the end",
    ),
    "questions": Preset("questions", QUESTIONS, "further ones, for the open questions of the rulebook"),
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
        most=tiny.most, most_contacts=tiny.most_contacts, purpose=tiny.purpose, scaled=tuple(scaled),
    )  # fmt: skip
