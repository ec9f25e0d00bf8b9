"""The table: every state variable of the game, and what the rules keep asking of it.

A card is in one zone with at most one owner; what is said of a card in play (its host, the tokens on it, its uses) is
indexed by card, so that each copy has its own. What a cell may hold follows from the card where that is known: a card
that can hold no guns has no variable for guns. Hidden hands are part of the table; `observe` is what one player sees.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Any

from model.fiftyfirst.setup import Setup
from model.fiftyfirst.vocabulary import GOODS, Ability, Asset, CardType, Colour, Kind
from model.language import (
    FLAG,
    Domain,
    Element,
    Family,
    Having,
    State,
    Variable,
    all_of,
    any_of,
    between,
    count_where,
    negate,
    one_of,
    where,
)  # fmt: skip

ASSETS = tuple(Asset)
CATEGORIES = ("goods", "workers", "contacts", "redevelopment")
BASE = -1
NOWHERE = -2


class Phase(IntEnum):
    """Where the round stands; Lookout in its parts (p.3)."""

    FACTIONS = 0
    DEAL = 1
    FIRST_PICK = 2
    SECOND_PICK = 3
    LEFTOVER = 4
    THIRD_DRAW = 5
    PRODUCTION = 6
    ACTION = 7
    VICTORY_POINTS = 8
    CLEANUP = 9
    END = 10


LOOKOUT = (Phase.FIRST_PICK, Phase.SECOND_PICK, Phase.LEFTOVER, Phase.THIRD_DRAW)


class Zone(IntEnum):
    """Where a card is. `ASIDE`: looked at in the third part of Lookout, before one is kept."""

    DECK = 0
    DISCARD = 1
    DISPLAY = 2
    HAND = 3
    SPOILS = 4
    DEAL = 5
    PLAY = 6
    ASIDE = 7


class Pending(IntEnum):
    """A decision that must be made before play goes on."""

    NOTHING = 0
    DENY = 1
    LOOK_AT_TWO = 2
    REDEVELOP = 3
    REDEVELOP_ANY = 4
    SURRENDER = 5
    REHOUSE = 6


class Table(State):
    """The state of a game; the declarations below say what each variable means."""

    setup: Setup
    phase: int
    first: int
    player: int
    last_round: bool
    winner: int
    draws: int
    drawer: int
    limited: bool
    pending: int
    chooser: int
    faction: list[int]
    passed: list[bool]
    redeveloped: list[bool]
    visits: list[int]
    base_vp: list[int]
    score: list[int]
    leftover: list[int]
    base: list[list[int]]
    contact_used: list[bool]
    zone: list[int]
    owner: list[int]
    host: list[int]
    tokens: list[int]
    given: list[int]
    used: list[int]
    visited: list[list[bool]]
    on_card: list[list[int]]
    paid: list[list[int]]
    laid: list[int]


def families(setup: Setup) -> dict[str, Family]:
    """The families that variables are indexed by and choices are made from."""
    deck, factions = setup.deck, setup.factions
    cards = [Element(number) for number in range(len(deck.type))]
    kinds = [CardType(kind).name for kind in deck.type]

    def some(name: str, numbers: list[int]) -> Family:
        members = [cards[number] for number in numbers]
        return Family(name, members, [deck.label[n] for n in numbers], [kinds[n] for n in numbers])

    hosts = [n for n in deck.locations if possibly(is_host(deck, n))]
    sources = [(BASE, asset) for asset in ASSETS]
    sources += [(cards[n], asset) for n in range(len(cards)) for asset in ASSETS if holds(setup, n, asset).high > 0]
    places: dict[int, str] = {BASE: "the base"}
    places.update((cards[n], deck.label[n]) for n in range(len(cards)))
    return {
        "player": Family("player", range(setup.players), [f"Player {seat + 1}" for seat in range(setup.players)]),
        "faction": Family("faction", range(len(factions.name)), factions.name),
        "asset": Family("asset", ASSETS, [named(asset) for asset in ASSETS]),
        "good": Family("good", GOODS[:4], [named(good) for good in GOODS[:4]]),
        "category": Family("category", range(4), CATEGORIES),
        "permanent": Family(
            "permanent", range(3 * len(factions.name)), [name for three in factions.contact_name for name in three]
        ),
        "card": some("card", list(range(len(cards)))),
        "location": some("location", deck.locations),
        "contact": some("contact", deck.contacts),
        "leader": some("leader", deck.leaders),
        "host": Family(
            "host",
            [BASE, *(cards[n] for n in hosts)],
            ["the base", *(deck.label[n] for n in hosts)],
            [None, *(kinds[n] for n in hosts)],
        ),
        "source": Family("source", sources, [f"{named(asset)} on {places[place]}" for place, asset in sources]),
    }


def named(asset: int) -> str:
    """An asset as decks and logs write it: `gun`, `conquest:2`."""
    name = Asset(asset).name.lower()
    head, _, tail = name.rpartition("_")
    return f"{head}:{tail}" if tail.isdigit() else name.replace("_", " ")


def possibly(condition: Any) -> bool:
    """Whether a condition is not plainly false: a symbolic one may hold."""
    return condition is not False


def is_host(deck: Any, card: int) -> Any:
    """Whether a location gives slots for spoils and deals (abl.slots)."""
    return any_of(deck.ability[card] == Ability.SLOTS_ANY, deck.ability[card] == Ability.SLOTS_SPOILS)


def holds(setup: Setup, card: int, asset: int) -> Domain:
    """How much of an asset can lie on a card: what it makes, stores, or was brought along with."""
    deck = setup.deck
    if deck.type[card] == CardType.CONTACT:
        return between(0, 0)
    kind, ability = deck.kind[card], deck.ability[card]
    if deck.type[card] == CardType.LEADER:
        most = deck.gain[card][asset] if isinstance(deck.gain[card][asset], int) else 9
    elif not isinstance(kind, int) or not isinstance(ability, int):
        most = 9
    elif kind in (Kind.OPEN, Kind.CLOSED) or ability == Ability.ONCE:
        most = deck.gain[card][asset]
    elif ability == Ability.STORE and asset in GOODS:
        most = deck.amount[card]
    elif ability == Ability.COMBO and asset in GOODS:
        most = deck.combo[card][asset]
    else:
        most = 0
    return between(0, most if isinstance(most, int) else 9)


def variables(setup: Setup, family: dict[str, Family]) -> list[Variable]:
    """Every state variable with its domain, its value at the start and its meaning."""
    deck, players = setup.deck, setup.players
    player, card = family["player"], family["card"]
    fixed = setup.seats
    begin = Phase.FACTIONS if fixed is None else Phase.DEAL if setup.deal else Phase.FIRST_PICK
    location = CardType.LOCATION
    most = between(0, setup.most)

    def base_domain(_: int, asset: int) -> Domain:
        return between(0, setup.most if asset <= Asset.WORKER else setup.most_contacts)

    def only(kind: CardType, domain: Domain) -> Any:
        return lambda number, *_: domain if deck.type[number] == kind else between(0, 0)

    def host_domain(number: int) -> Domain:
        greatest = max((int(host) for host in family["host"]), default=BASE)
        return between(NOWHERE, greatest) if deck.type[number] == location else between(NOWHERE, NOWHERE)

    def token_domain(number: int) -> Domain:
        return between(0, 0) if deck.type[number] == CardType.CONTACT else between(0, 6)

    def visit_domain(number: int, _: int) -> Domain:
        known = isinstance(deck.kind[number], int)
        can = deck.type[number] == location and (not known or deck.kind[number] == Kind.OPEN)
        return FLAG if can else Domain(0, 0, boolean=True)

    def paid_domain(number: int, asset: int) -> Domain:
        comes_back = asset in GOODS and not setup.settled("R-REDEV-TOKENS", "paid_too")
        needed = comes_back or not setup.settled("R-BANK", "box_only")
        return between(0, setup.most if needed and deck.type[number] == location else 0)

    def given_domain(number: int) -> Domain:
        deal = deck.type[number] == location and not setup.settled("R-CAP-DEAL", "three")
        leader = deck.type[number] == CardType.LEADER and not setup.settled("R-CAP-RETURN", "per_game")
        return between(0, 5 if leader else 3 if deal else 0)

    return [
        Variable("phase", one_of(Phase), initial=begin, meaning="where the round stands"),
        Variable("first", player_domain(players), meaning="who has the first-player marker"),
        Variable("player", player_domain(players), meaning="who is in turn"),
        Variable("last_round", FLAG, meaning="the game ends with this round"),
        Variable("winner", between(0, players), initial=players, meaning="the winner, or nobody"),
        Variable("draws", most, meaning="cards still to be drawn from the deck"),
        Variable("drawer", between(0, players), initial=players, meaning="who draws them, or nobody"),
        Variable("limited", FLAG, meaning="the draws fall under Lookout's hand limit"),
        Variable("pending", one_of(Pending), meaning="a decision that must come first"),
        Variable("chooser", between(0, players), initial=players, meaning="who makes it, or nobody"),
        Variable(
            "faction",
            (lambda seat: between(fixed[seat], fixed[seat])) if fixed else between(0, 4),
            (player,),
            initial=(lambda seat: fixed[seat]) if fixed else 4,
            meaning="the faction of each player; 4 before it is drawn",
        ),
        Variable("passed", FLAG, (player,), meaning="has passed in this action phase"),
        Variable("redeveloped", FLAG, (player,), meaning="has redeveloped with a brick this round"),
        Variable("visits", between(0, 3), (player,), meaning="faction markers laid on opponents' locations"),
        Variable("base_vp", most, (player,), meaning="VP on the base"),
        Variable("score", most, (player,), meaning="the marker on the VP track"),
        Variable("leftover", most, (player,), meaning="unused goods and workers, noted for the tie"),
        Variable("base", base_domain, (player, family["asset"]), meaning="tokens on the base"),
        Variable("contact_used", FLAG, (family["permanent"],), meaning="the permanent contact was used this round"),
        Variable("zone", one_of(Zone), (card,), meaning="where the card is"),
        Variable("owner", between(0, players), (card,), initial=players, meaning="whose it is; nobody's in the piles"),
        Variable(
            "host", host_domain, (card,), initial=NOWHERE, meaning="what the spoils or deal lies under", holds=card
        ),
        Variable("tokens", token_domain, (card,), meaning="VP tokens on the card"),
        Variable("given", given_domain, (card,), meaning="VP tokens the card has given, where a reading counts them"),
        Variable("used", only(location, between(0, 3)), (card,), meaning="uses this round"),
        Variable("visited", visit_domain, (card, player), meaning="carries the visitor's faction marker"),
        Variable("on_card", lambda n, asset: holds(setup, n, asset), (card, family["asset"]), meaning="tokens on it"),
        Variable("paid", paid_domain, (card, family["asset"]), meaning="tokens paid on it this round"),
        Variable(
            "laid",
            between(0, 0 if setup.settled("R-BANK", "box_only") else setup.most),
            (family["category"],),
            meaning="tokens out of the pile that lie on contacts as payment",
        ),
    ]


def player_domain(players: int) -> Domain:
    """A player."""
    return between(0, players - 1)


# -- what rules ask ------------------------------------------------------------------------------------------------
def held(state: Table, player: int, card: int, zone: Zone) -> Any:
    """Whether the card is the player's, in that zone."""
    return all_of(state.zone[card] == zone, state.owner[card] == player)


def cards_of(state: Table, player: int, zone: Zone, cards: Any) -> Iterator[tuple[Any, Any]]:
    """The cards that may be the player's in that zone, each with the condition that it is."""
    for card in cards:
        condition = held(state, player, card, zone)
        if possibly(condition):
            yield card, condition


def every_card(state: Table) -> tuple[Element, ...]:
    """All cards of the draw deck."""
    return elements(len(state.setup.deck.type))


def locations(state: Table) -> list[Element]:
    """All location cards."""
    everything = every_card(state)
    return [everything[number] for number in state.setup.deck.locations]


def leaders(state: Table) -> list[Element]:
    """All leader cards."""
    everything = every_card(state)
    return [everything[number] for number in state.setup.deck.leaders]


_elements: dict[int, tuple[Element, ...]] = {}


def elements(number: int) -> tuple[Element, ...]:
    """The cards 0..number-1 (made once)."""
    if number not in _elements:
        _elements[number] = tuple(Element(card) for card in range(number))
    return _elements[number]


def hand_size(state: Table, player: int) -> Any:
    """How many cards the player holds."""
    return count_where(state.zone, Zone.HAND, state.owner, player)


def in_zone(state: Table, zone: Zone) -> Any:
    """How many cards lie in a common zone."""
    return count_where(state.zone, zone)


def reshuffle_waits(state: Table) -> Any:
    """The empty deck must be filled before all else (R-RESHUFFLE `at_once`)."""
    at_once = state.under("R-RESHUFFLE", "at_once")
    if not possibly(at_once):
        return False
    return all_of(at_once, in_zone(state, Zone.DECK) == 0, in_zone(state, Zone.DISCARD) > 0)


def undisturbed(state: Table) -> Any:
    """No draw, no decision and no reshuffling is outstanding."""
    return all_of(state.draws == 0, state.pending == Pending.NOTHING, negate(reshuffle_waits(state)))


def in_turn(state: Table, player: int) -> Any:
    """The player is in turn."""
    return state.player == player


def choosing(state: Table, player: int) -> Any:
    """The player has to make the outstanding decision."""
    return state.chooser == player


def own(zone: Zone, also: Any = None) -> Having:
    """A `where` for the player's cards in a zone that pass a further condition."""
    return Having(also, zone=zone, owner="player")


in_hand = own(Zone.HAND)
in_play = own(Zone.PLAY)


def after(state: Table, player: int) -> int:
    """The next player clockwise."""
    return (player + 1) % state.setup.players


def put_away(state: Table, card: Any, condition: Any = True, zone: Zone = Zone.DISCARD) -> None:
    """Move the card to a pile (where the condition holds): nobody's, under nothing, as a deal forgotten."""
    state.zone[card] = where(condition, zone, state.zone[card])
    state.owner[card] = where(condition, state.setup.players, state.owner[card])
    state.host[card] = where(condition, NOWHERE, state.host[card])
    if state.setup.deck.type[card] == CardType.LOCATION and possibly(state.given[card] != 0):
        state.given[card] = where(condition, 0, state.given[card])


def observe(state: Table, player: int) -> dict[str, Any]:
    """What the player can see: not the faces of other hands, of the deck, of what another looks at (lookout.hidden)."""
    hidden = (Zone.HAND, Zone.ASIDE)
    deck = state.setup.deck
    seen: dict[str, Any] = {
        name: getattr(state, name)
        for name in (
            "phase", "first", "player", "last_round", "winner", "draws", "drawer", "limited", "pending", "chooser",
        )
    }  # fmt: skip
    for name in ("faction", "passed", "redeveloped", "visits", "base_vp", "score", "leftover", "contact_used", "laid"):
        seen[name] = list(getattr(state, name))
    seen["base"] = [list(row) for row in state.base]
    seen["hand_sizes"] = [hand_size(state, other) for other in range(state.setup.players)]
    seen["looked_at"] = in_zone(state, Zone.ASIDE)
    seen["deck_size"] = in_zone(state, Zone.DECK)
    seen["cards"] = {
        deck.label[card]: _card_view(state, card)
        for card in every_card(state)
        if state.zone[card] != Zone.DECK and not (state.zone[card] in hidden and state.owner[card] != player)
    }
    return seen


def _card_view(state: Table, card: Element) -> tuple[Any, ...]:
    return (
        state.zone[card], state.owner[card], state.host[card], state.tokens[card], state.used[card],
        tuple(state.visited[card]), tuple(state.on_card[card]), tuple(state.paid[card]), state.given[card],
    )  # fmt: skip


COLOURS = tuple(Colour)
