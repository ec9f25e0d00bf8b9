"""The catalogue of clauses and readings: complete, in step with each other, and in the words of the card tables."""

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import model.fiftyfirst

HERE = Path(model.fiftyfirst.__file__).parent


def table(name: str) -> dict[str, Any]:
    # tomllib refuses a table that stands twice, so ids are unique once this returns.
    return tomllib.loads((HERE / name).read_text(encoding="utf-8"))


CLAUSES = table("clauses.toml")
READINGS = table("readings.toml")


def test_every_clause_of_the_rulebook_has_a_place():
    sections = Counter(clause.split(".")[0] for clause in CLAUSES)
    assert sections == {
        "comp": 3, "setup": 6, "card": 1, "round": 1, "lookout": 9, "prod": 7, "act": 26, "cap": 3, "abl": 16,
        "leader": 2, "vp": 3, "clean": 5, "end": 2, "faction": 4,
    }  # fmt: skip


@pytest.mark.parametrize("clause", CLAUSES)
def test_a_clause_has_pages_of_the_book_and_one_or_two_sentences(clause):
    entry = CLAUSES[clause]
    assert re.fullmatch(r"[a-z]+\.[a-z_]+", clause)
    assert set(entry) <= {"pages", "text", "readings", "not_applicable"}
    assert entry["pages"] == sorted(set(entry["pages"])) and all(1 <= page <= 12 for page in entry["pages"])
    assert entry["text"].endswith(".") and entry["text"].count(". ") <= 2
    assert entry.get("not_applicable", "a reason")


@pytest.mark.parametrize("reading", READINGS)
def test_a_reading_asks_a_question_that_its_values_answer(reading):
    entry = READINGS[reading]
    assert re.fullmatch(r"R(-[A-Z]+)+", reading)
    assert set(entry) == {"clause", "values", "question", "meaning"}
    assert len(entry["values"]) == len(set(entry["values"])) >= 2
    assert list(entry["meaning"]) == entry["values"]
    assert entry["question"].endswith("?") and all(text.endswith(".") for text in entry["meaning"].values())


@pytest.mark.parametrize("reading", READINGS)
def test_the_main_clause_of_a_reading_exists_and_names_it(reading):
    assert reading in CLAUSES[READINGS[reading]["clause"]]["readings"]


def test_clauses_name_no_reading_that_does_not_exist():
    named = {reading for entry in CLAUSES.values() for reading in entry.get("readings", [])}
    assert named == set(READINGS)
    assert len(READINGS) == 37


def test_the_defaults_are_pinned():
    """A changed default silently changes every proof: it must be a decision."""
    defaults = {reading: entry["values"][0] for reading, entry in READINGS.items()}
    assert defaults == {
        "R-HAND": "no_gain", "R-EMPTY": "skip", "R-CASH": "any_time", "R-DROP-DEAL": "no_gain",
        "R-VISITS": "per_round", "R-ATTACHED": "discarded", "R-TIE": "before_cleanup", "R-TRIGGER-CAP": "lost",
        "R-ICON-PAY": "when_played", "R-TYPED-CARD": "locations", "R-STEAL-PASSED": "forbidden",
        "R-COMBO-CLEAN": "stay", "R-REDEV-VP": "token_1", "R-TRADE": "one", "R-DISPLAY-LEFT": "discard_all",
        "R-LIMIT-CARD": "discard_taken", "R-BANK": "unlimited", "R-RESHUFFLE": "on_need",
        "R-LEFTOVER": "before_third", "R-UNIVERSAL": "any_good", "R-ANY-TIME": "own_turn", "R-AT-ONCE": "everything",
        "R-PROD-VP": "on_location", "R-CAP-DEAL": "no_cap", "R-CAP-RETURN": "per_stay", "R-REDEV-TOKENS": "unspent",
        "R-REDEV-ICON": "token", "R-LEADER-TOKEN": "kept", "R-SLOTS-KIND": "by_list", "R-DISCARD-FOR": "free",
        "R-ICON-WHERE": "locations", "R-ICON-SELF": "self_counts", "R-STEAL-WHICH": "thief",
        "R-STEAL-FROM": "unprotected", "R-COMBO-FULL": "protected", "R-VISIT-WORKER": "to_owner", "R-MUTANTS": "three",
    }  # fmt: skip
