"""One row of a deck file: the words a card is written in, and the checks that make a row a card.

Pydantic validates each row strictly and forbids columns that its type of card does not have. Every fault is worded
here ("what is wrong; allowed: ..."); `deck_file` adds where it stands.
"""

import difflib
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, NoReturn, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainValidator, model_validator
from pydantic_core import PydanticCustomError

from model.fiftyfirst.vocabulary import GOODS, Ability, Asset, CardType, Colour, Cost, Gain, Icon, Kind, Trigger

Meaning = TypeVar("Meaning")

COLUMNS = (
    "type", "name", "copies", "distance", "icons", "spoils", "deal", "kind", "workers", "cost", "gain", "ability",
    "vp_token", "range", "trigger", "status", "note", "unsure",
)  # fmt: skip
OPTIONAL_COLUMNS = ("status", "note", "unsure")
NUMBER_COLUMNS = ("copies", "distance", "workers", "vp_token")
TYPES = tuple(kind.name.lower() for kind in CardType)

GAIN_SIZE = max(Gain) + 1
COST_SIZE = max(Cost) + 1
LARGEST_AMOUNT = 9
LONGEST_NAME = 60

ASSET_WORDS = {re.sub(r"_(\d)$", r":\1", asset.name.lower()): int(asset) for asset in Asset}
GAIN_WORDS = ASSET_WORDS | {gain.name.lower(): int(gain) for gain in Gain}
COST_WORDS = ASSET_WORDS | {cost.name.lower(): int(cost) for cost in Cost}
GOOD_WORDS = {good.name.lower(): int(good) for good in GOODS}
ICON_WORDS = {icon.name.lower(): int(icon) for icon in Icon}
KIND_WORDS = {kind.name.lower(): kind for kind in Kind if kind}
ABILITY_WORDS = {ability.name.lower(): ability for ability in Ability if ability}
TRIGGER_WORDS = {trigger.name.lower(): trigger for trigger in Trigger if trigger}
RANGE_WORDS = {
    f"{colour.name.lower()}:{size}": tuple(size if each is colour else 0 for each in Colour)
    for colour in Colour
    for size in (1, 2, 3)
} | {f"any:{size}": (size,) * len(Colour) for size in (1, 2, 3)}
STATUS_WORDS = ("known", "partial", "stand_in")

# The amount that the rulebook fixes for an ability, and what may stand on which kind of location.
FIXED_AMOUNT = {Ability.STORE: 3, Ability.SLOTS_ANY: 3, Ability.SLOTS_SPOILS: 3, Ability.STEAL: 1}
ABILITIES_OF_ACTION = (
    Ability.NONE, Ability.COMBO, Ability.STEAL, Ability.REDEVELOP, Ability.REDEVELOP_UNIVERSAL,
)  # fmt: skip
ABILITIES_OF_PRODUCTION = (Ability.NONE, Ability.ONCE)
ABILITIES_OF_FEATURE = tuple(ability for ability in Ability if ability not in ABILITIES_OF_ACTION)


def fault(what: str, allowed: str, column: str = "") -> NoReturn:
    """Refuse a value: `what` is wrong with it, what is `allowed`, and the `column` if it is not the one being read."""
    raise PydanticCustomError("deck", "{fault}", {"fault": f"{what}; allowed: {allowed}", "column": column})


def shown(value: object) -> str:
    """The value as a message quotes it: on one line and short."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return "a value too long to show"
    return text if len(text) <= 50 else text[:46] + "..." + text[-1]


def closest(word: str, words: Iterable[str]) -> str:
    """` (closest: x)` when some allowed word resembles the given one, else nothing."""
    found = difflib.get_close_matches(word[:100].lower(), list(words), 1, 0.5)
    return f" (closest: {found[0]})" if found else ""


def one_word(value: object, words: Mapping[str, Meaning], what: str) -> Meaning:
    """The meaning of a single word."""
    word = text_of(value)
    if word not in words:
        problem = f"unknown {what} {shown(word)}{closest(word, words)}" if word else f"no {what}"
        fault(problem, ", ".join(words))
    return words[word]


def text_of(value: object) -> str:
    """The value if it is text, without outer blanks."""
    if not isinstance(value, str):
        fault(f"{shown(value)} is not text", 'text in quotes, such as "1 scrap"')
    return value.strip()


def number(value: object, lowest: int, highest: int) -> int:
    """The value if it is a whole number of the range."""
    allowed = str(lowest) if lowest == highest else f"a whole number {lowest}..{highest}"
    if value == "":
        fault("no value", allowed)
    if type(value) is not int:
        fault(f"{shown(value)} is no whole number", allowed)
    if not lowest <= value <= highest:
        fault(f"{shown(value)} is out of range", allowed)
    return value


def amounts(value: object, words: Mapping[str, int], size: int) -> tuple[int, ...]:
    """Read `3 scrap + 1 card` into a tuple of `size` numbers; a word without a number counts 1."""
    result = [0] * size
    text = text_of(value)
    for part in text.split("+") if text else ():
        match = re.fullmatch(r"(?:(-?[0-9]+)\s+)?(.*)", part.strip(), re.DOTALL)
        assert match is not None  # every text matches
        digits, word = match.groups()
        if not word:
            fault(f"{shown(text)} has an empty part", "amounts joined by +, such as 3 scrap + 1 card")
        if word not in words:
            fault(f"unknown word {shown(word)}{closest(word, words)}", "amounts 1..9 of " + ", ".join(words))
        count = 1 if digits is None else int(digits[:6])
        result[words[word]] += count
        if count < 1 or result[words[word]] > LARGEST_AMOUNT:
            fault(f"amount in {shown(text)} is out of range", f"1..{LARGEST_AMOUNT} of a kind")
    return tuple(result)


@dataclass(frozen=True)
class AbilityText:
    """The ability column, read: which ability, its amount, and the goods, icons and gain that it names."""

    ability: Ability = Ability.NONE
    amount: int = 0
    combo: tuple[int, ...] = (0,) * len(GOODS)
    counts_icon: tuple[int, ...] = (0,) * len(Icon)
    gain: tuple[int, ...] = (0,) * GAIN_SIZE


@dataclass(frozen=True)
class CardFacts:
    """What play needs of one card, as plain integers: one entry of each table of a deck."""

    name: str
    type: int
    distance: int = 0
    icons: tuple[int, ...] = (0,) * len(Icon)
    spoils: tuple[int, ...] = (0,) * GAIN_SIZE
    deal: tuple[int, ...] = (0,) * GAIN_SIZE
    gain: tuple[int, ...] = (0,) * GAIN_SIZE
    cost: tuple[int, ...] = (0,) * COST_SIZE
    kind: int = int(Kind.NONE)
    workers: int = 0
    ability: int = int(Ability.NONE)
    counts_icon: tuple[int, ...] = (0,) * len(Icon)
    combo: tuple[int, ...] = (0,) * len(GOODS)
    amount: int = 0
    token: int = 0
    range: tuple[int, ...] = (0,) * len(Colour)
    trigger: int = int(Trigger.NONE)


def _unit(index: int, size: int) -> tuple[int, ...]:
    return tuple(int(place == index) for place in range(size))


def _name(value: object) -> str:
    name = text_of(value)
    if not name or len(name) > LONGEST_NAME or not name.isprintable() or "#" in name:
        fault(f"{shown(name)} is no name", f"1..{LONGEST_NAME} printable characters without #")
    return name


def _icons(value: object) -> tuple[int, ...]:
    words = text_of(value).split()
    if not words:
        fault("a location needs at least one icon", ", ".join(ICON_WORDS))
    for place, word in enumerate(words):
        one_word(word, ICON_WORDS, "icon")
        if word in words[:place]:
            fault(f"icon {shown(word)} stands twice", "each icon once")
    return tuple(int(icon in words) for icon in ICON_WORDS)


def _ability(value: object) -> AbilityText:
    text = text_of(value)
    word, _, rest = text.partition(" ")
    ability = one_word(word, ABILITY_WORDS, "ability")
    rest = rest.strip()
    if ability is Ability.COMBO:
        goods = amounts(rest, GOOD_WORDS, len(GOODS))
        if sum(goods) != 3:
            fault(f"{shown(text)} names {sum(goods)} goods", "three goods, such as combo fuel + scrap + brick")
        return AbilityText(ability, combo=goods)
    if ability is Ability.PER_ICON:
        icon, colon, gain = rest.partition(":")
        if not (colon and gain.strip()):
            fault(f"{shown(text)} names no icon with its gain", "per_icon ICON: GAIN, such as per_icon scrap: 1 scrap")
        counted = _unit(one_word(icon, ICON_WORDS, "icon"), len(Icon))
        return AbilityText(ability, counts_icon=counted, gain=amounts(gain, GAIN_WORDS, GAIN_SIZE))
    amount = FIXED_AMOUNT.get(ability, 0)
    if rest != (str(amount) if amount else ""):
        fault(f"{shown(text)} has a wrong amount", f"{word} {amount}" if amount else word)
    gained = {
        Ability.REDEVELOP: _unit(Asset.REDEVELOPMENT, GAIN_SIZE),
        Ability.REDEVELOP_UNIVERSAL: _unit(Asset.UNIVERSAL_REDEVELOPMENT, GAIN_SIZE),
    }.get(ability, (0,) * GAIN_SIZE)
    return AbilityText(ability, amount, gain=gained)


def _note(value: object) -> str:
    return text_of(value)


def _unsure(value: object) -> tuple[str, ...]:
    words = text_of(value).split()
    for word in words:
        one_word(word, dict.fromkeys(COLUMNS), "column")
    return tuple(words)


def _whole(lowest: int, highest: int) -> BeforeValidator:
    return BeforeValidator(lambda value: number(value, lowest, highest))


def _amounts_of(words: Mapping[str, int], size: int) -> PlainValidator:
    return PlainValidator(lambda value: amounts(value, words, size))


def _word_of(words: Mapping[str, object], what: str) -> PlainValidator:
    return PlainValidator(lambda value: one_word(value, words, what))


Numbers = tuple[int, ...]
GainAmounts = Annotated[Numbers, _amounts_of(GAIN_WORDS, GAIN_SIZE)]
AssetAmounts = Annotated[Numbers, _amounts_of(ASSET_WORDS, GAIN_SIZE)]
CostAmounts = Annotated[Numbers, _amounts_of(COST_WORDS, COST_SIZE)]
Range = Annotated[Numbers, _word_of(RANGE_WORDS, "range")]
Status = Annotated[str, _word_of({word: word for word in STATUS_WORDS}, "status")]
Name = Annotated[str, PlainValidator(_name)]
NO_GAIN: Numbers = (0,) * GAIN_SIZE
NO_COST: Numbers = (0,) * COST_SIZE


class StrictRow(BaseModel):
    """A validated row: strict types, no columns but its own, never changed."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class CardRow(StrictRow, ABC):
    """What every type of card has: a name, 1..9 copies, and how sure its facts are.

    `unsure` names the columns whose value is a stand-in or not certain. `status` is about the others together: `known`
    when nothing but the number of copies is unsure, `partial` when more is, `stand_in` when the card was made up for an
    ability that the rulebook describes.
    """

    name: Name
    copies: Annotated[int, _whole(1, 9)]
    status: Status = "known"
    note: Annotated[str, PlainValidator(_note)] = ""
    unsure: Annotated[tuple[str, ...], PlainValidator(_unsure)] = ()

    @abstractmethod
    def facts(self) -> CardFacts:
        """The card as plain integers."""


class LocationRow(CardRow):
    """A location: distance 1..3, at least one icon, and a grey part that fits its kind."""

    type: Literal["location"]
    distance: Annotated[int, _whole(1, 3)]
    icons: Annotated[Numbers, PlainValidator(_icons)]
    spoils: GainAmounts = NO_GAIN
    deal: GainAmounts = NO_GAIN
    kind: Annotated[Kind, _word_of(KIND_WORDS, "kind")]
    workers: Annotated[int, _whole(1, 2)] | None = None
    cost: CostAmounts = NO_COST
    gain: GainAmounts = NO_GAIN
    ability: Annotated[AbilityText, PlainValidator(_ability)] = AbilityText()
    vp_token: Annotated[int, _whole(1, 2)] | None = None

    @model_validator(mode="after")
    def check_grey_part(self) -> "LocationRow":
        """Refuse a grey part that contradicts the kind, or VP that are not one token."""
        ability, kind = self.ability.ability, self.kind.name.lower()
        word = ability.name.lower()
        if (self.kind is Kind.ACTION) != (self.workers is not None):
            what = "an action needs workers" if self.kind is Kind.ACTION else f"workers on kind {kind}"
            fault(what, "1 or 2" if self.kind is Kind.ACTION else "no value", "workers")
        choices = {Kind.ACTION: ABILITIES_OF_ACTION, Kind.FEATURE: ABILITIES_OF_FEATURE}.get(
            self.kind, ABILITIES_OF_PRODUCTION
        )
        if ability not in choices:
            what = f"ability {word} on kind {kind}" if ability else f"kind {kind} needs an ability"
            fault(what, ", ".join(each.name.lower() if each else "no value" for each in choices), "ability")
        may_cost = ability is Ability.DISCARD_FOR or (self.kind is Kind.ACTION and ability is not Ability.COMBO)
        if any(self.cost) and not may_cost:
            fault(f"kind {kind} with ability {word} has no cost", "no value", "cost")
        if ability is Ability.DISCARD_FOR and not any(self.cost):
            fault("discard_for needs what is discarded", "a cost such as 1 fuel", "cost")
        has_gain = ability in (Ability.NONE, Ability.ONCE, Ability.COMBO, Ability.DISCARD_FOR)
        if any(self.gain) != has_gain:
            what = f"kind {kind} needs a gain" if has_gain else f"ability {word} has no gain of its own"
            fault(what, "a gain such as 1 scrap" if has_gain else "no value", "gain")
        self.check_token()
        return self

    def check_token(self) -> None:
        """One use puts one VP token on the card: its face is the VP gained."""
        points = self.all_gain()[Gain.VP]
        if points > 2:
            column = "ability" if self.ability.gain[Gain.VP] else "gain"
            fault(f"{points} vp where one use puts one token on the card", "1 vp or 2 vp", column)
        if points != (self.vp_token or 0):
            what = "no value" if self.vp_token is None else f"face {self.vp_token}"
            fault(f"{what} where the card gains {points} vp", str(points) if points else "no value", "vp_token")

    def all_gain(self) -> Numbers:
        """The gain column or the one that the ability brings (a row has at most one of them)."""
        return self.gain if any(self.gain) else self.ability.gain

    def facts(self) -> CardFacts:
        return CardFacts(
            self.name,
            int(CardType.LOCATION),
            distance=self.distance,
            icons=self.icons,
            spoils=self.spoils,
            deal=self.deal,
            gain=self.all_gain(),
            cost=self.cost,
            kind=int(self.kind),
            workers=self.workers or 0,
            ability=int(self.ability.ability),
            counts_icon=self.ability.counts_icon,
            combo=self.ability.combo,
            amount=self.ability.amount,
            token=self.vp_token or 0,
        )


class ContactRow(CardRow):
    """A single-use contact: a range 1..3 in one colour, or in any (`any:3`)."""

    type: Literal["contact"]
    distance: Annotated[int, _whole(0, 0)] = 0
    range: Range

    def facts(self) -> CardFacts:
        return CardFacts(self.name, int(CardType.CONTACT), range=self.range)


class LeaderRow(CardRow):
    """A leader: distance 0, the goods it brings in `gain`, and the event it takes VP for."""

    type: Literal["leader"]
    distance: Annotated[int, _whole(0, 0)] = 0
    gain: AssetAmounts = NO_GAIN
    trigger: Annotated[Trigger, _word_of(TRIGGER_WORDS, "trigger")]

    def facts(self) -> CardFacts:
        return CardFacts(self.name, int(CardType.LEADER), gain=self.gain, trigger=int(self.trigger))


class FactionRow(StrictRow):
    """One permanent contact of a faction, with the good that the faction's base makes."""

    faction: Name
    base_good: Annotated[int, _word_of({good: GOOD_WORDS[good] for good in list(GOOD_WORDS)[:4]}, "good")]
    contact: Name
    price: CostAmounts = NO_COST
    range: Range
    disputed_range: Range | None = None
    status: Status
    note: Annotated[str, PlainValidator(_note)] = ""


ROW_OF_TYPE: dict[str, type[LocationRow] | type[ContactRow] | type[LeaderRow]] = {
    "location": LocationRow,
    "contact": ContactRow,
    "leader": LeaderRow,
}
