"""Decks: what a file says is what the tables hold, and every broken value is told in one line that names its place."""

import csv
import io
import json
import tempfile
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.fiftyfirst.card_row import (
    ASSET_WORDS,
    COLUMNS,
    COST_WORDS,
    GAIN_WORDS,
    ICON_WORDS,
    NUMBER_COLUMNS,
    RANGE_WORDS,
    TRIGGER_WORDS,
)
from model.fiftyfirst.deck import DeckError, deck_of, load_deck, load_factions
from model.fiftyfirst.deck_file import PRINTED, read_rows
from model.fiftyfirst.vocabulary import Ability, Asset, CardType, Colour, Cost, Gain, Icon, Kind, Trigger

Row = dict[str, object]
PATIENT = settings(deadline=None)  # a busy machine is no failure
DIGEST = "8df6228d0a7b8dc8206575497ae6d732f7eabd7cf4633b0b2bbaab4b84a5e016"


# Writing decks -------------------------------------------------------------------------------------------------------


def as_csv(rows: list[Row], columns: tuple[str, ...] = COLUMNS) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def as_toml(rows: list[Row]) -> str:
    lines = []
    for row in rows:
        lines.append(f"[[{row['type']}]]")
        # A JSON string or integer is a TOML one too.
        lines += [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in row.items() if key != "type"]
    return "\n".join(lines) + "\n"


def load(text: str | bytes, ending: str):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"deck{ending}"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return load_deck(path)


def refusal(text: str | bytes, ending: str) -> str:
    with pytest.raises(DeckError) as caught:
        load(text, ending)
    message = str(caught.value)
    assert message.splitlines() == [message] and "; allowed: " in message
    assert "Traceback" not in message and "pydantic" not in message
    place = message.split("deck" + ending, 1)[1]
    return place.removeprefix(", ").removeprefix(": ")


# Random valid decks --------------------------------------------------------------------------------------------------

NAMES = st.text(st.characters(codec="utf-8", categories=("L", "N", "P")), min_size=1, max_size=12).filter(
    lambda name: "#" not in name and name.isprintable()
)
SURENESS = st.fixed_dictionaries(
    {},
    optional={
        "status": st.sampled_from(["known", "partial", "stand_in"]),
        "note": st.sampled_from(["", "a, b", 'say "so"']),
        "unsure": st.sampled_from(["", "copies", "name distance"]),
    },
)


def written(words: dict[str, int], most: int = 3, least: int = 0) -> st.SearchStrategy[str]:
    parts = st.dictionaries(st.sampled_from(sorted(words)), st.integers(1, 9), min_size=least, max_size=most)
    return parts.map(lambda amounts: " + ".join(f"{count} {word}" for word, count in amounts.items()))


NO_VP = {word: index for word, index in GAIN_WORDS.items() if word != "vp"}
GAINS = st.one_of(
    written(NO_VP, least=1).map(lambda gain: {"gain": gain}),
    st.integers(1, 2).map(lambda face: {"gain": f"{face} vp + 1 card", "vp_token": face}),
)
COSTS = written(COST_WORDS, 2).map(lambda cost: {"cost": cost})
ICON_NAMES = st.sampled_from(sorted(ICON_WORDS))
COMBOS = st.lists(st.sampled_from(["scrap", "fuel", "gun", "brick", "universal"]), min_size=3, max_size=3)
WORKERS = st.sampled_from([{"workers": 1}, {"workers": 2}])


def merged(*parts: st.SearchStrategy[Row]) -> st.SearchStrategy[Row]:
    return st.tuples(*parts).map(lambda rows: {key: value for row in rows for key, value in row.items()})


ACTIONS = merged(
    st.just({"kind": "action"}),
    WORKERS,
    st.one_of(
        merged(COSTS, GAINS),
        merged(GAINS, COMBOS.map(lambda goods: {"ability": "combo " + " + ".join(goods)})),
        merged(COSTS, st.sampled_from(["steal 1", "redevelop", "redevelop_universal"]).map(lambda a: {"ability": a})),
    ),
)
PRODUCTIONS = merged(
    st.sampled_from([{"kind": "open"}, {"kind": "closed"}]), GAINS, st.sampled_from([{}, {"ability": "once"}])
)
PLAIN_FEATURES = [
    "store 3", "slots_any 3", "slots_spoils 3", "lookout_leftover", "lookout_deck", "lookout_two", "lookout_deny",
]  # fmt: skip
FEATURES = merged(
    st.just({"kind": "feature"}),
    st.one_of(
        st.sampled_from(PLAIN_FEATURES).map(lambda ability: {"ability": ability}),
        st.tuples(ICON_NAMES, written(NO_VP, 1, 1)).map(lambda pair: {"ability": f"per_icon {pair[0]}: {pair[1]}"}),
        st.tuples(ICON_NAMES, st.integers(1, 2)).map(
            lambda pair: {"ability": f"per_icon {pair[0]}: {pair[1]} vp", "vp_token": pair[1]}
        ),
        merged(GAINS, st.just({"ability": "once"})),
        merged(GAINS, written(COST_WORDS, 2, 1).map(lambda cost: {"cost": cost}), st.just({"ability": "discard_for"})),
    ),
)
LOCATIONS = merged(
    st.fixed_dictionaries(
        {
            "type": st.just("location"),
            "copies": st.integers(1, 9),
            "distance": st.integers(1, 3),
            "icons": st.lists(ICON_NAMES, min_size=1, max_size=9, unique=True).map(" ".join),
            "spoils": written(GAIN_WORDS),
            "deal": written(GAIN_WORDS),
        }
    ),
    st.one_of(ACTIONS, PRODUCTIONS, FEATURES),
    SURENESS,
)
CONTACTS = merged(
    st.fixed_dictionaries(
        {"type": st.just("contact"), "copies": st.integers(1, 9), "range": st.sampled_from(sorted(RANGE_WORDS))}
    ),
    SURENESS,
)
LEADERS = merged(
    st.fixed_dictionaries(
        {
            "type": st.just("leader"),
            "copies": st.integers(1, 9),
            "distance": st.just(0),
            "gain": written(ASSET_WORDS),
            "trigger": st.sampled_from(sorted(TRIGGER_WORDS)),
        }
    ),
    SURENESS,
)


@st.composite
def decks(draw: st.DrawFn) -> list[Row]:
    rows = draw(st.lists(st.one_of(LOCATIONS, CONTACTS, LEADERS), min_size=1, max_size=5))
    names = draw(st.lists(NAMES, min_size=len(rows), max_size=len(rows), unique_by=str.casefold))
    return [row | {"name": name} for row, name in zip(rows, names, strict=True)]


@PATIENT
@given(decks(), st.randoms())
def test_csv_and_toml_in_any_order_give_the_same_tables(rows, random):
    deck = load(as_csv(rows), ".csv")
    shuffled = random.sample(rows, len(rows))
    columns = tuple(random.sample(COLUMNS, len(COLUMNS)))
    assert load(as_toml(rows), ".toml") == deck
    assert load(as_csv(shuffled, columns), ".csv") == deck
    assert load(as_toml(shuffled), ".toml") == deck


@PATIENT
@given(decks())
def test_tables_hold_what_the_rows_say(rows):
    deck = load(as_toml(rows), ".toml")
    assert sorted(set(deck.name)) == sorted(row["name"] for row in rows)
    assert sorted(deck.locations + deck.contacts + deck.leaders) == list(range(len(deck.name)))
    assert len(set(deck.label)) == len(deck.name) == sum(row["copies"] for row in rows)
    for row in rows:
        cards = [card for card, name in enumerate(deck.name) if name == row["name"]]
        assert len(cards) == row["copies"]
        for copy, card in enumerate(cards, 1):
            assert deck.printed_name(card) == deck.label[card] == row["name"] + (f" #{copy}" if copy > 1 else "")
            assert CardType(deck.type[card]).name.lower() == row["type"]
            assert deck.distance[card] == row.get("distance", 0)
            assert deck.icons[card] == [int(icon.name.lower() in row.get("icons", "").split()) for icon in Icon]
            assert Kind(deck.kind[card]).name.lower() == row.get("kind", "none")
            assert deck.workers[card] == row.get("workers", 0)
            assert Ability(deck.ability[card]).name.lower() == row.get("ability", "none").split()[0]
            assert Trigger(deck.trigger[card]).name.lower() == row.get("trigger", "none")
            assert deck.token[card] == row.get("vp_token", 0)
            for column, words in (("spoils", GAIN_WORDS), ("deal", GAIN_WORDS), ("cost", COST_WORDS)):
                expected = [0] * len(words)
                for part in filter(None, str(row.get(column, "")).split(" + ")):
                    count, word = part.split()
                    expected[words[word]] = int(count)
                assert getattr(deck, column)[card] == expected


@PATIENT
@given(decks())
def test_tables_are_plain_integers_of_one_shape(rows):
    deck = asdict(load(as_csv(rows), ".csv"))
    sizes = {"icons": 9, "spoils": 21, "deal": 21, "gain": 21, "cost": 23, "counts_icon": 9, "combo": 5, "range": 3}
    for table, entries in deck.items():
        if table in ("name", "label", "digest"):
            continue
        if table not in ("locations", "contacts", "leaders"):
            assert len(entries) == len(deck["name"])
        for entry in entries:
            values = entry if table in sizes else [entry]
            assert table not in sizes or len(entry) == sizes[table]
            assert all(type(value) is int and value >= 0 for value in values)


@PATIENT
@given(decks(), st.data())
def test_digests_tell_decks_apart(rows, data):
    number = data.draw(st.integers(0, len(rows) - 1))
    changed = [dict(row) for row in rows]
    changed[number]["copies"] = data.draw(st.integers(1, 9))
    same = changed == rows
    assert (load(as_csv(changed), ".csv").digest == load(as_csv(rows), ".csv").digest) is same


# Broken decks --------------------------------------------------------------------------------------------------------

LOCATION: Row = {
    "type": "location", "name": "Mill", "copies": 2, "distance": 1, "icons": "scrap vp", "spoils": "3 scrap + 1 card",
    "deal": "1 scrap", "kind": "action", "workers": 1, "cost": "1 scrap", "gain": "1 vp", "vp_token": 1,
}  # fmt: skip
STORAGE: Row = {"kind": "feature", "workers": "", "cost": "", "gain": "", "vp_token": "", "ability": "store 3"}
PRODUCTION: Row = {"kind": "open", "workers": "", "cost": "", "gain": "1 scrap", "vp_token": ""}
CONTACT: Row = {"type": "contact", "name": "Messengers", "copies": 3, "range": "any:2"}
LEADER: Row = {"type": "leader", "name": "Boss", "copies": 1, "distance": 0, "gain": "2 gun", "trigger": "conquest"}

# row to break, the broken values, the column blamed, words of the message
BROKEN: list[tuple[Row, Row, str, str]] = [
    (LOCATION, {"name": ""}, "name", "no name"),
    (LOCATION, {"name": "Mill #2"}, "name", "without #"),
    (LOCATION, {"name": "x" * 61}, "name", "1..60"),
    (LOCATION, {"name": "two\nlines"}, "name", "printable"),
    (LOCATION, {"copies": ""}, "copies", "no value; allowed: a whole number 1..9"),
    (LOCATION, {"copies": 0}, "copies", "0 is out of range; allowed: a whole number 1..9"),
    (LOCATION, {"copies": 10}, "copies", "1..9"),
    (LOCATION, {"copies": "two"}, "copies", "'two' is no whole number"),
    (LOCATION, {"copies": "1.5"}, "copies", "no whole number"),
    (LOCATION, {"copies": 10**17}, "copies", "out of range"),
    (LOCATION, {"distance": -1}, "distance", "-1 is out of range; allowed: a whole number 1..3"),
    (LOCATION, {"distance": 0}, "distance", "1..3"),
    (LOCATION, {"distance": 4}, "distance", "1..3"),
    (LOCATION, {"icons": ""}, "icons", "at least one icon"),
    (LOCATION, {"icons": "scarp"}, "icons", "unknown icon 'scarp' (closest: scrap)"),
    (LOCATION, {"icons": "vp vp"}, "icons", "twice"),
    (LOCATION, {"spoils": "3 scarp"}, "spoils", "unknown word 'scarp' (closest: scrap)"),
    (LOCATION, {"spoils": "0 scrap"}, "spoils", "1..9"),
    (LOCATION, {"spoils": "-2 scrap"}, "spoils", "1..9"),
    (LOCATION, {"spoils": "5 scrap + 5 scrap"}, "spoils", "1..9"),
    (LOCATION, {"spoils": "1 scrap +"}, "spoils", "empty part"),
    (LOCATION, {"spoils": "1 deal"}, "spoils", "unknown word 'deal'"),
    (LOCATION, {"deal": "9999999999 scrap"}, "deal", "1..9"),
    (LOCATION, {"deal": "1 conquest:4"}, "deal", "closest: conquest:"),
    (LOCATION, {"kind": ""}, "kind", "no kind; allowed: action, open, closed, feature"),
    (LOCATION, {"kind": "opn"}, "kind", "closest: open"),
    (LOCATION, {"workers": ""}, "workers", "an action needs workers; allowed: 1 or 2"),
    (LOCATION, {"workers": 3}, "workers", "1..2"),
    (LOCATION, {"cost": "1 vp"}, "cost", "unknown word 'vp'"),
    (LOCATION, {"gain": "", "vp_token": ""}, "gain", "needs a gain"),
    (LOCATION, {"ability": "combbo"}, "ability", "closest: combo"),
    (LOCATION, {"ability": "none"}, "ability", "unknown ability"),
    (LOCATION, {"ability": "combo scrap + fuel", "cost": ""}, "ability", "names 2 goods"),
    (LOCATION, {"ability": "combo scrap + fuel + card", "cost": ""}, "ability", "unknown word 'card'"),
    (LOCATION, {"ability": "combo scrap + fuel + gun"}, "cost", "no cost"),
    (LOCATION, {"ability": "store 3"}, "ability", "ability store on kind action"),
    (LOCATION, {"ability": "steal 1"}, "gain", "no gain of its own"),
    (LOCATION, {"ability": "steal 2"}, "ability", "steal 1"),
    (LOCATION, {"vp_token": ""}, "vp_token", "no value where the card gains 1 vp; allowed: 1"),
    (LOCATION, {"vp_token": 2}, "vp_token", "allowed: 1"),
    (LOCATION, {"gain": "1 card"}, "vp_token", "allowed: no value"),
    (LOCATION, {"gain": "3 vp"}, "gain", "1 vp or 2 vp"),
    (LOCATION, {"range": "any:1"}, "range", "a location has no range"),
    (LOCATION, {"trigger": "conquest"}, "trigger", "a location has no trigger"),
    (LOCATION, {"status": "sure"}, "status", "known, partial, stand_in"),
    (LOCATION, {"unsure": "distnace"}, "unsure", "closest: distance"),
    (LOCATION | STORAGE, {"workers": 1}, "workers", "workers on kind feature"),
    (LOCATION | STORAGE, {"ability": ""}, "ability", "kind feature needs an ability"),
    (LOCATION | STORAGE, {"ability": "store 4"}, "ability", "allowed: store 3"),
    (LOCATION | STORAGE, {"ability": "store"}, "ability", "allowed: store 3"),
    (LOCATION | STORAGE, {"ability": "combo fuel + gun + gun"}, "ability", "on kind feature"),
    (LOCATION | STORAGE, {"cost": "1 fuel"}, "cost", "no cost"),
    (LOCATION | STORAGE, {"gain": "1 fuel"}, "gain", "no gain of its own"),
    (LOCATION | STORAGE, {"ability": "per_icon scrap"}, "ability", "per_icon ICON: GAIN"),
    (LOCATION | STORAGE, {"ability": "per_icon scarp: 1 fuel"}, "ability", "closest: scrap"),
    (LOCATION | STORAGE, {"ability": "per_icon scrap: 3 vp"}, "ability", "1 vp or 2 vp"),
    (LOCATION | STORAGE, {"ability": "per_icon scrap: 1 vp"}, "vp_token", "allowed: 1"),
    (LOCATION | STORAGE, {"ability": "discard_for", "gain": "1 fuel"}, "cost", "what is discarded"),
    (LOCATION | PRODUCTION, {"gain": ""}, "gain", "kind open needs a gain"),
    (LOCATION | PRODUCTION, {"cost": "1 fuel"}, "cost", "no cost"),
    (LOCATION | PRODUCTION, {"workers": 1}, "workers", "workers on kind open"),
    (LOCATION | PRODUCTION, {"ability": "store 3"}, "ability", "on kind open"),
    (CONTACT, {"range": ""}, "range", "no range"),
    (CONTACT, {"range": "conquest:0"}, "range", "conquest:1, conquest:2"),
    (CONTACT, {"range": "any:4"}, "range", "any:3"),
    (CONTACT, {"distance": 1}, "distance", "allowed: 0"),
    (CONTACT, {"gain": "1 fuel"}, "gain", "a contact has no gain"),
    (LEADER, {"trigger": ""}, "trigger", "no trigger"),
    (LEADER, {"trigger": "conqest"}, "trigger", "closest: conquest"),
    (LEADER, {"distance": 1}, "distance", "1 is out of range; allowed: 0"),
    (LEADER, {"gain": "1 vp"}, "gain", "unknown word 'vp'"),
    (LEADER, {"icons": "gun"}, "icons", "a leader has no icons"),
]


@pytest.mark.parametrize("row", [LOCATION, LOCATION | STORAGE, LOCATION | PRODUCTION, CONTACT, LEADER])
def test_the_rows_to_break_are_whole(row):
    assert load(as_csv([row]), ".csv") == load(as_toml([row]), ".toml")


@PATIENT
@given(before=decks(), after=decks(), breaking=st.sampled_from(BROKEN))
def test_a_broken_value_is_told_with_its_row_and_column(before, after, breaking):
    base, wrong, column, words = breaking
    before = [row for row in before if str(row["name"]).casefold() != str(base["name"]).casefold()]
    rows = [*before, base | wrong, *after]
    # Notes of the random rows hold no line break, so every row is one line.
    place = refusal(as_csv(rows), ".csv")
    assert place.startswith(f"row {len(before) + 2}, column {column}: ") and words in place
    number = sum(row["type"] == base["type"] for row in before) + 1
    first = [row for row in rows if row["type"] == base["type"]] + [row for row in rows if row["type"] != base["type"]]
    place = refusal(as_toml(first), ".toml")
    assert place.startswith(f"[[{base['type']}]] number {number}, key {column}: ") and words in place


@pytest.mark.parametrize("breaking", BROKEN, ids=lambda breaking: f"{breaking[2]}-{breaking[3][:20]}")
def test_each_broken_value_is_told(breaking):
    base, wrong, column, words = breaking
    assert refusal(as_csv([base | wrong]), ".csv").startswith(f"row 2, column {column}: ")
    assert words in refusal(as_csv([base | wrong]), ".csv")
    assert refusal(as_toml([base | wrong]), ".toml").startswith(f"[[{base['type']}]] number 1, key {column}: ")


@pytest.mark.parametrize("column", ["type", "name", "copies", "distance", "range", "gain"])
def test_a_missing_or_misspelt_column_is_told(column):
    columns = tuple(each for each in COLUMNS if each != column)
    row = {key: value for key, value in LOCATION.items() if key != column}
    place = refusal(as_csv([row], columns), ".csv")
    assert place.startswith(f"row 1, column {column}: the column is missing")
    place = refusal(as_csv([row], (column[:-1], *columns)), ".csv")
    assert place.startswith(f"row 1, column 1: unknown column '{column[:-1]}' (closest: {column})")
    place = refusal(as_csv([row], (*columns, "name")), ".csv")
    if column != "name":
        assert place.startswith("row 1, column name: the column stands twice")


@pytest.mark.parametrize(
    ("text", "ending", "start"),
    [
        (b"", ".csv", "the file is empty"),
        (b" \n\n", ".toml", "the file is empty"),
        (b"type,name\nlocation,M\xfchle\n", ".csv", "row 2: not UTF-8"),
        (b"type;name;copies\n", ".csv", "row 1, column 1: columns separated by semicolons"),
        (as_csv([]), ".csv", "no cards"),
        (as_csv([LOCATION]).replace("Mill,2", "Mill,2,7"), ".csv", "row 2, column unsure: 19 values under 18 columns"),
        (as_csv([LOCATION]) + "location,X\n", ".csv", "row 3, column copies: 2 values under 18 columns"),
        (as_csv([LOCATION]) + '"Mill\n', ".csv", "row 3: not CSV"),
        (as_csv([LOCATION, CONTACT | {"type": "contcat"}]), ".csv", "row 3, column type: unknown type 'contcat'"),
        (as_csv([LOCATION, CONTACT | {"type": ""}]), ".csv", "row 3, column type: no type"),
        (as_csv([LOCATION, CONTACT | {"name": "MILL"}]), ".csv", "row 3, column name: 'MILL' stands at row 2 already"),
        (as_csv([LOCATION]) + "\n\n" + as_csv([LEADER | {"copies": 0}]).split("\n", 1)[1], ".csv", "row 5, column c"),
        (as_csv([LOCATION | {"note": "two\nlines"}, LEADER | {"copies": 0}]), ".csv", "row 4, column copies"),
        (b"[[location]\n", ".toml", "not TOML ("),
        (b"x = " + b"[" * 5000, ".toml", "not TOML ("),
        (b"[[locations]]\n", ".toml", "key locations: unknown table 'locations' (closest: location)"),
        (b"[location]\nname = 'A'\n", ".toml", "key location: not an array of tables"),
        (b"contact = [1]\n", ".toml", "key contact: not an array of tables"),
        (as_toml([LOCATION]) + "nmae = 1\n", ".toml", "[[location]] number 1, key nmae: unknown key 'nmae' (closest"),
        (as_toml([CONTACT]) + 'type = "leader"\n', ".toml", "[[contact]] number 1, key type: 'leader' in a table of"),
        (as_toml([CONTACT, CONTACT]), ".toml", "[[contact]] number 2, key name: 'Messengers' stands at [[contact]]"),
        (as_toml([LEADER | {"copies": True}]), ".toml", "[[leader]] number 1, key copies: True is no whole number"),
        (as_toml([LEADER | {"copies": 1.0}]), ".toml", "[[leader]] number 1, key copies: 1.0 is no whole number"),
        (as_toml([LEADER | {"gain": 3}]), ".toml", "[[leader]] number 1, key gain: 3 is not text"),
        (as_toml([LEADER | {"trigger": ["x"]}]), ".toml", "[[leader]] number 1, key trigger: ['x'] is not text"),
        ("[[leader]]\nname = 'B'\ncopies = 0x1" + "0" * 9000, ".toml", "[[leader]] number 1, key copies: a value too"),
        (b"x", ".txt", "unknown kind of file '.txt'"),
        (b"#" * 1_000_001, ".toml", "too long"),
    ],
)
def test_a_broken_file_is_told(text, ending, start):
    assert refusal(text, ending).startswith(start)


@PATIENT
@given(st.binary(max_size=200), st.sampled_from([".csv", ".toml"]))
def test_rubbish_is_refused_in_one_line(text, ending):
    refusal(text, ending)


@PATIENT
@given(st.data(), st.sampled_from([".csv", ".toml"]))
def test_a_mutilated_deck_loads_or_is_refused_in_one_line(data, ending):
    text = as_csv([LOCATION, CONTACT, LEADER]) if ending == ".csv" else as_toml([LOCATION, CONTACT, LEADER])
    place = data.draw(st.integers(0, len(text)))
    text = text[:place] + data.draw(st.text(max_size=3)) + text[place + data.draw(st.integers(0, 3)) :]
    try:
        load(text, ending)
    except DeckError:
        refusal(text, ending)


def test_a_file_that_is_not_there_or_is_a_folder_is_told(tmp_path):
    for path in (tmp_path / "none.csv", tmp_path / "folder.csv"):
        (tmp_path / "folder.csv").mkdir(exist_ok=True)
        with pytest.raises(DeckError, match="cannot be read"):
            load_deck(path)


# The printed cards ---------------------------------------------------------------------------------------------------

DECK = load_deck()


def card(name: str) -> int:
    return DECK.label.index(name)


def amounts(entries: list[int], names: type[Gain] | type[Cost] = Gain) -> dict[str, int]:
    words = {int(word): word.name for word in (*Asset, *names)}
    return {words[index]: count for index, count in enumerate(entries) if count}


def test_the_printed_deck_has_the_number_of_cards_of_the_box():
    assert (len(DECK.locations), len(DECK.contacts), len(DECK.leaders)) == (72, 14, 8)
    assert DECK.locations + DECK.contacts + DECK.leaders == list(range(94))
    assert len(set(DECK.label)) == 94


def test_the_printed_digest_is_pinned_whatever_the_order_of_rows():
    """A new digest means other cards: recorded games and vectors name the digest they were made with."""
    assert DECK.digest == DIGEST
    header, *rows = PRINTED.read_text(encoding="utf-8").splitlines()
    reordered = load("\n".join([header, *reversed(rows)]), ".csv")
    assert reordered == DECK


def test_notes_do_not_change_the_digest():
    with PRINTED.open(encoding="utf-8", newline="") as file:
        rows: list[Row] = [dict(row) | {"note": "other", "status": "partial"} for row in csv.DictReader(file)]
    assert load(as_csv(rows), ".csv").digest == DIGEST


@pytest.mark.parametrize("icon", Icon)
def test_every_icon_is_printed(icon):
    assert sum(DECK.icons[number][icon] for number in DECK.locations) >= 2


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_is_printed(kind):
    assert kind in DECK.kind


@pytest.mark.parametrize("ability", [ability for ability in Ability if ability is not Ability.ONCE])
def test_every_ability_but_once_is_printed(ability):
    assert ability in DECK.ability


@pytest.mark.parametrize("trigger", Trigger)
def test_every_trigger_has_its_leader(trigger):
    assert [DECK.trigger[number] for number in DECK.leaders].count(trigger) == (trigger is not Trigger.NONE)


def test_two_workers_are_for_two_cards_only():
    two = {DECK.name[number] for number in DECK.locations if DECK.workers[number] == 2}
    assert two == {"Barracks", "Thieves' Caravan"}


def test_some_cards_as_printed():
    trader = card("Scrap Trader #2")
    assert amounts(DECK.spoils[trader]) == {"SCRAP": 3, "CARD": 1} and amounts(DECK.deal[trader]) == {"SCRAP": 1}
    assert amounts(DECK.cost[trader], Cost) == {"SCRAP": 1} and amounts(DECK.gain[trader]) == {"VP": 1}
    assert (DECK.token[trader], DECK.workers[trader], DECK.distance[trader]) == (1, 1, 1)
    bunker = card("Bunker")
    assert DECK.combo[bunker] == [1, 1, 0, 1, 0] and amounts(DECK.gain[bunker]) == {"VP": 2}
    assert DECK.token[bunker] == 2
    refinery = card("Refinery")
    assert DECK.counts_icon[refinery][Icon.FUEL] == sum(DECK.counts_icon[refinery]) == 1
    assert amounts(DECK.gain[refinery]) == {"VP": 1}
    assert amounts(DECK.gain[card("Bulldozer")]) == {"UNIVERSAL_REDEVELOPMENT": 1}
    assert amounts(DECK.cost[card("Bulldozer")], Cost) == {"BRICK": 1}
    for name in ("Builders' Yard", "Excavator", "Mr. President"):
        assert amounts(DECK.gain[card(name)]) == {"REDEVELOPMENT": 1}
    assert amounts(DECK.gain[card("Barracks")]) == {"CONQUEST_3": 1}
    assert amounts(DECK.cost[card("Deal Broker")], Cost) == {"DEAL": 1}
    assert [DECK.amount[card(name)] for name in ("Warehouse", "Hideout", "City Hall", "Pub")] == [3, 3, 3, 0]
    assert DECK.amount[card("Thieves' Caravan")] == 1
    assert DECK.range[card("Pilgrims #4")] == [0, 3, 0]


def test_a_universal_contact_has_its_range_in_every_colour():
    deck = load(as_csv([CONTACT]), ".csv")
    assert deck.range == [[2] * len(Colour)] * 3


def test_a_card_number_out_of_range_is_refused():
    for number in (-1, 94):
        with pytest.raises(IndexError, match=r"allowed: 0\.\.93"):
            DECK.printed_name(number)


def test_known_rows_are_unsure_of_their_copies_at_most():
    for row in read_rows():
        assert (row.status == "known") == (set(row.unsure) <= {"copies"}) or row.name == "Junk Train"
        assert set(row.unsure) <= set(type(row).model_fields)
        assert row.status != "partial" or row.note


# Small decks and factions --------------------------------------------------------------------------------------------


def test_a_small_deck_has_the_named_cards_only():
    deck = deck_of({"Road": 2, "Old Depot": 1})
    assert deck.label == ["Old Depot", "Road", "Road #2"]
    assert (deck.locations, deck.contacts, deck.leaders) == ([0], [1, 2], [])
    assert deck.range[1] == [0, 0, 2]
    assert deck == deck_of({"Old Depot": 1, "Road": 2})


@PATIENT
@given(st.dictionaries(st.sampled_from(sorted(set(DECK.name))), st.integers(1, 9), min_size=1, max_size=6))
def test_a_card_of_a_small_deck_is_the_printed_card(copies):
    deck = deck_of(copies)
    assert {name: deck.name.count(name) for name in deck.name} == copies
    small, printed = asdict(deck), asdict(DECK)
    for number, name in enumerate(deck.name):
        for table in set(small) - {"label", "locations", "contacts", "leaders", "digest"}:
            assert small[table][number] == printed[table][card(name)]


def test_a_small_deck_refuses_unknown_names_and_wrong_numbers():
    with pytest.raises(DeckError, match="no card is named 'Old Depo'; closest: Old Depot"):
        deck_of({"Old Depo": 1})
    for count in (0, 10, -1, True):
        with pytest.raises(DeckError, match=r"Road: .* copies; allowed: 1\.\.9"):
            deck_of({"Road": count})


def test_the_factions_as_printed():
    factions = load_factions()
    assert dict(zip(factions.name, factions.base_good, strict=True)) == {
        "New York": Asset.SCRAP,
        "Merchants Guild": Asset.FUEL,
        "Appalachian Federation": Asset.BRICK,
        "Mutants Union": Asset.GUN,
    }
    assert [len(names) for names in factions.contact_name] == [3] * 4
    for price, reach in zip(factions.price, factions.range, strict=True):
        assert all(len(entry) == 23 and sum(entry) >= 1 for entry in price)
        # Each faction has one contact of each colour.
        assert sorted(colour for entry in reach for colour in Colour if entry[colour]) == list(Colour)
    appalachia = factions.name.index("Appalachian Federation")
    rebuild = factions.contact_name[appalachia].index("Rebuild")
    assert amounts(factions.price[appalachia][rebuild], Cost) == {"BRICK": 1, "CARD": 1}
    disputed = [
        (factions.contact_name[faction][contact], factions.range[faction][contact], other)
        for faction, ranges in enumerate(factions.disputed_range)
        for contact, other in enumerate(ranges)
        if other != factions.range[faction][contact]
    ]
    assert disputed == [("Mutants", [3, 0, 0], [2, 0, 0])]


def test_number_columns_are_columns():
    assert set(NUMBER_COLUMNS) <= set(COLUMNS)
