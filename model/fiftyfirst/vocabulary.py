"""The words of 51st State (2010): the enumerations every other module of the game speaks in.

They are plain integers, so that a rule can compare and index with them whichever way it is run; the order of each
enumeration is part of the data format and has no meaning in the game.
"""

from enum import IntEnum


class Asset(IntEnum):
    """What a token can be: the kinds that lie on a base or on a card (p.3, p.10)."""

    SCRAP = 0
    FUEL = 1
    GUN = 2
    BRICK = 3
    UNIVERSAL = 4
    WORKER = 5
    CONQUEST_1 = 6
    CONQUEST_2 = 7
    CONQUEST_3 = 8
    NEGOTIATION_1 = 9
    NEGOTIATION_2 = 10
    NEGOTIATION_3 = 11
    INCORPORATION_1 = 12
    INCORPORATION_2 = 13
    INCORPORATION_3 = 14
    ANY_1 = 15
    ANY_3 = 16
    REDEVELOPMENT = 17
    UNIVERSAL_REDEVELOPMENT = 18


class Gain(IntEnum):
    """What a card can give beside assets; continues the numbering of `Asset`."""

    CARD = 19
    VP = 20


class Cost(IntEnum):
    """What a card can ask for beside assets; continues the numbering of `Asset` (p.10)."""

    CARD = 19
    SPOILS = 20
    DEAL = 21
    SPOILS_OR_DEAL = 22


class Colour(IntEnum):
    """The three kinds of range (p.3, p.8)."""

    CONQUEST = 0
    NEGOTIATION = 1
    INCORPORATION = 2


class CardType(IntEnum):
    """The kinds of card in the draw deck (p.1)."""

    LOCATION = 0
    CONTACT = 1
    LEADER = 2


class Icon(IntEnum):
    """The type icons printed on location cards."""

    SCRAP = 0
    FUEL = 1
    GUN = 2
    BRICK = 3
    UNIVERSAL = 4
    WORKER = 5
    CONTACT = 6
    CARD = 7
    VP = 8


class Kind(IntEnum):
    """The four kinds of location, by their worker and factory icons (p.6); `NONE` for other cards."""

    NONE = 0
    ACTION = 1
    OPEN = 2
    CLOSED = 3
    FEATURE = 4


class Ability(IntEnum):
    """What the grey part does beyond turning a cost into a gain (p.6, p.11)."""

    NONE = 0
    ONCE = 1
    COMBO = 2
    STORE = 3
    SLOTS_ANY = 4
    SLOTS_SPOILS = 5
    PER_ICON = 6
    STEAL = 7
    REDEVELOP = 8
    REDEVELOP_UNIVERSAL = 9
    LOOKOUT_LEFTOVER = 10
    LOOKOUT_DECK = 11
    LOOKOUT_TWO = 12
    LOOKOUT_DENY = 13
    DISCARD_FOR = 14


class Trigger(IntEnum):
    """The event for which a leader takes a VP token (p.6, p.7, p.11); `NONE` for other cards."""

    NONE = 0
    CONQUEST = 1
    NEGOTIATION = 2
    CARD_SCRAP = 3
    CARD_FUEL = 4
    CARD_GUN = 5
    CARD_BRICK = 6
    REDEVELOPMENT = 7
    DISCARD_TWO = 8


GOODS = (Asset.SCRAP, Asset.FUEL, Asset.GUN, Asset.BRICK, Asset.UNIVERSAL)
BASIC_GOODS = GOODS[:4]
