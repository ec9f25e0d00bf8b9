"""The deck as tables of small integers, one entry a card.

A card is data that a few rules interpret. No card has code of its own: what its grey part does is one `Ability` with
numbers beside it (a cost, a gain, an amount, the goods of a combo, the icon it counts), and one rule an ability reads
them. A new deck is therefore a file and never a program, two cards with the same numbers cannot behave differently, and
a rule reads the same whether it is executed or traced: `deck.distance[card] <= reach`. For a proof about *every* deck
the same tables are built with symbolic entries instead of numbers; that is why `Deck` itself checks nothing. Checking
is done where people write: rows come from CSV or TOML, pydantic validates them (`card_row`), and the first fault is
told in one line (`deck_file`).

Each copy is a card of its own. Cards are numbered by type and then by name, whatever the order of the file, so decks
with equal `digest` have equal tables and a recorded game replays on either.
"""

import difflib
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from model.fiftyfirst.card_row import CardFacts, CardRow
from model.fiftyfirst.deck_file import DeckError, read_factions, read_rows
from model.fiftyfirst.vocabulary import CardType

__all__ = ["Deck", "DeckError", "Factions", "deck_of", "load_deck", "load_factions"]


@dataclass(frozen=True)
class Deck:
    """Tables indexed by card number 0..n-1; amounts are 0..9 and flags 0 or 1.

    Gain tables (`spoils`, `deal`, `gain`) have an entry for each `Asset`, then `Gain`; `cost` for each `Asset`, then
    `Cost`. `amount` is 3 for a storage and for slots, 1 for a theft, else 0; `token` is the face (1 or 2) of the VP
    token that a use puts on the card, else 0; `range[card]` has the contact's range by `Colour` (a universal contact
    has the same in all three, of which one is used).
    """

    name: list[str]
    label: list[str]
    type: list[int]
    distance: list[int]
    icons: list[list[int]]
    spoils: list[list[int]]
    deal: list[list[int]]
    gain: list[list[int]]
    cost: list[list[int]]
    kind: list[int]
    workers: list[int]
    ability: list[int]
    counts_icon: list[list[int]]
    combo: list[list[int]]
    amount: list[int]
    token: list[int]
    range: list[list[int]]
    trigger: list[int]
    locations: list[int]
    contacts: list[int]
    leaders: list[int]
    digest: str

    def printed_name(self, card: int) -> str:
        """The card's name, with ` #2` and so on for the further copies. `card`: 0..n-1, else `IndexError`."""
        if not 0 <= card < len(self.label):
            raise IndexError(f"no card {card}; allowed: 0..{len(self.label) - 1}")
        return self.label[card]


@dataclass(frozen=True)
class Factions:
    """Tables indexed by faction, then by which of its three permanent contacts (0..2).

    `price[f][k]` is indexed like a card's cost; `disputed_range` is the range under the reading R-MUTANTS `two` and
    equals `range` for every other contact.
    """

    name: list[str]
    base_good: list[int]
    contact_name: list[list[str]]
    price: list[list[list[int]]]
    range: list[list[list[int]]]
    disputed_range: list[list[list[int]]]


def load_deck(path: Path | None = None) -> Deck:
    """The deck of a CSV or TOML file; None is the printed deck.

    Raises `DeckError`: one line with the file, the row, the column, what is wrong and what is allowed.
    """
    return _deck(read_rows(path))


def deck_of(copies: Mapping[str, int]) -> Deck:
    """A deck of printed cards: how many copies (1..9) of each name, such as `{"Old Depot": 1, "Road": 2}`.

    Raises `DeckError` for a name that no printed card has, and for a number of copies out of range.
    """
    printed = _printed_rows()
    chosen = []
    for name, count in copies.items():
        if name not in printed:
            near = ", ".join(difflib.get_close_matches(name, printed)) or "none; see the names in printed.csv"
            raise DeckError(f"printed cards: no card is named {name!r}; closest: {near}")
        if type(count) is not int or not 1 <= count <= 9:
            raise DeckError(f"printed cards, {name}: {count!r} copies; allowed: 1..9")
        chosen.append(printed[name].model_copy(update={"copies": count}))
    return _deck(chosen)


def load_factions() -> Factions:
    """The printed factions, in the order of their file."""
    rows = read_factions()
    names = list(dict.fromkeys(row.faction for row in rows))
    contacts = [[row for row in rows if row.faction == name] for name in names]
    return Factions(
        name=names,
        base_good=[group[0].base_good for group in contacts],
        contact_name=[[row.contact for row in group] for group in contacts],
        price=[[list(row.price) for row in group] for group in contacts],
        range=[[list(row.range) for row in group] for group in contacts],
        disputed_range=[[list(row.disputed_range or row.range) for row in group] for group in contacts],
    )


@cache
def _printed_rows() -> dict[str, CardRow]:
    return {row.name: row for row in read_rows()}


def _deck(rows: Sequence[CardRow]) -> Deck:
    counted = sorted(((row.facts(), row.copies) for row in rows), key=lambda pair: (pair[0].type, pair[0].name))
    canonical = [{"copies": copies, **asdict(facts)} for facts, copies in counted]
    cards: list[CardFacts] = [facts for facts, copies in counted for _ in range(copies)]
    return Deck(
        name=[card.name for card in cards],
        label=[f"{facts.name} #{copy}" if copy > 1 else facts.name for facts, n in counted for copy in range(1, n + 1)],
        type=[card.type for card in cards],
        distance=[card.distance for card in cards],
        icons=[list(card.icons) for card in cards],
        spoils=[list(card.spoils) for card in cards],
        deal=[list(card.deal) for card in cards],
        gain=[list(card.gain) for card in cards],
        cost=[list(card.cost) for card in cards],
        kind=[card.kind for card in cards],
        workers=[card.workers for card in cards],
        ability=[card.ability for card in cards],
        counts_icon=[list(card.counts_icon) for card in cards],
        combo=[list(card.combo) for card in cards],
        amount=[card.amount for card in cards],
        token=[card.token for card in cards],
        range=[list(card.range) for card in cards],
        trigger=[card.trigger for card in cards],
        locations=[number for number, card in enumerate(cards) if card.type == CardType.LOCATION],
        contacts=[number for number, card in enumerate(cards) if card.type == CardType.CONTACT],
        leaders=[number for number, card in enumerate(cards) if card.type == CardType.LEADER],
        digest=hashlib.sha256(json.dumps(canonical, sort_keys=True).encode()).hexdigest(),
    )
