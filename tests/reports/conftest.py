"""A small report and a small graph with one of everything, built in code: what the golden files are made of.

The golden files are compared byte for byte. After a change that is meant, write them anew and read the difference:

    RULEPROOF_GOLDEN=write pytest tests/reports && git diff tests/reports/golden
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from reports import graphs
from reports.document import (
    ClauseResult,
    Finding,
    Game,
    GraphFile,
    PropertyResult,
    Report,
    SetupResult,
    Step,
)


def entering_with_too_many() -> Game:
    """The shortest game to the hole in the hand limit."""
    texts = [
        ("chance", "The cards are dealt: Anna holds four, Béla four.", ["setup.deal"]),
        ("Anna", "Anna takes the Radio Tower from the display.", ["lookout.first_pick"]),
        ("Anna", "Anna plays the Radio Tower by negotiation.", ["act.negotiation", "act.range"]),
        ("chance", "Production gives Anna the last two of eleven cards.", ["prod.deals"]),
        ("Béla", "Béla passes, and the round ends.", ["act.pass", "cleanup.unknown"]),
    ]
    steps = [
        Step(number=number, text=text, clauses=clauses, actor=actor, chance=actor == "chance")
        for number, (actor, text, clauses) in enumerate(texts, 1)
    ]
    return Game(title="Eleven cards in hand on entering Lookout", steps=steps)


def properties() -> list[PropertyResult]:
    """One property of each verdict."""
    return [
        PropertyResult(
            id="hand-limit-strict", statement="No player ever holds more than ten cards during Lookout.",
            clauses=["lookout.hand_limit"], kind="invariant", verdict="REFUTED", method="explored",
            detail="shortest of 690,112 explored positions", scope="tiny, 2 players", seconds=1.25, expected="REFUTED",
            explanation="The book limits the hand only as cards are taken in Lookout, and says nothing of entering it "
            "with more than ten, which Production and deals allow.", game=entering_with_too_many(),
        ),
        PropertyResult(
            id="hand-limit-weak", statement="No Lookout pick leaves a player with more than ten cards.",
            clauses=["lookout.hand_limit"], kind="step", verdict="PROVED", method="proved + explored",
            detail="induction over 211 action paths, any deck of 94 cards", scope="every deck of 94 cards",
            seconds=0.5, hypotheses=["zones-disjoint"], expected="PROVED",
        ),
        PropertyResult(
            id="hand-never-empty", statement="No hand is ever empty in the Action phase.", clauses=["act.turns"],
            kind="invariant", verdict="REFUTED", method="tested", detail="game 17 of 200", scope="standard, 4 players",
            seconds=2.0, game=Game(title="Anna plays her last card", steps=[Step(number=1, text="Anna plays it.")]),
        ),
        PropertyResult(
            id="range-never-split", statement="A contact's range is never split over two actions.",
            clauses=["act.range"], kind="invariant", verdict="UNDETERMINED", method="proved + tested",
            detail="induction stuck at 1 of 211 action paths after 30 s", scope="every deck of 94 cards", seconds=30.0,
            counterexample=["Béla holds a conquest token of range 3 that is", "half used, on his turn in Action"],
        ),
        PropertyResult(
            id="zones-disjoint", statement="Every card is in exactly one zone.", clauses=["comp.cards", "setup.deal"],
            kind="invariant", verdict="HOLDS", method="explored + tested", detail="690,112 positions and 200 games",
            scope="tiny and standard", seconds=3.0,
        ),
        PropertyResult(
            id="reaches-end", statement="A game can end by 30 VP.", clauses=["end.thirty"], kind="witness",
            verdict="REACHED", method="explored", detail="in 41 steps", scope="tiny, 2 players", seconds=0.1,
        ),
        PropertyResult(
            id="reaches-empty-deck", statement="The deck and the discard pile can both be empty.",
            clauses=["lookout.reshuffle"], kind="witness", verdict="NOT_REACHED", method="explored",
            detail="not within 60 steps", scope="tiny, 2 players", seconds=0.1,
        ),
    ]


def clauses() -> list[ClauseResult]:
    """An exercised clause of each kind, one silent and one never exercised."""
    return [
        ClauseResult(
            id="comp.cards", pages=[1], text="72 location, 26 contact, 8 leader cards.", exercised=True, by=["tested"],
        ),
        ClauseResult(
            id="comp.unlimited", pages=[2], text="Tokens are not a limit.", exercised=False,
            not_applicable="nothing to do: no rule counts the supply",
        ),
        ClauseResult(
            id="lookout.hand_limit", pages=[3], text="No player has more than 10 cards in hand during Lookout.",
            exercised=True, by=["explored", "tested", "refused", "proved"], rules=["lookout.py:88", "lookout.py:121"],
            properties=["hand-limit-strict", "hand-limit-weak"], readings=["R-HAND"],
        ),
        ClauseResult(
            id="act.range", pages=[8], text="Total range of that colour at least the distance.", exercised=True,
            by=["explored"], rules=["contacts.py:40"], properties=["range-never-split"],
        ),
        ClauseResult(
            id="act.rebuild_contact", pages=[12], text="Discard a card, pay a brick: range 2.", exercised=False,
        ),
    ]


def setups() -> list[SetupResult]:
    """An exploration to the end, and one that ran out of time."""
    return [
        SetupResult(
            name="tiny/lookout", purpose="hand limit and refills", scaled=["hand limit 3 instead of 10", "7 cards"],
            states=690_112, transitions=2_527_137, depth=9, complete=True, seconds=2.5, states_per_second=276_044.8,
            collision_probability=1.3e-8, terminal_states=412, deadlocks=0,
            depth_histogram=[1, 12, 160, 2_400, 31_000, 190_539, 280_000, 150_000, 35_000, 1_000],
            action_counts={"take a card": 1_900_000, "pass": 627_137}, never_enabled=["replace a leader"],
        ),
        SetupResult(
            name="tiny/conquest", purpose="hosts, slots, spoils", scaled=[], states=4_000_000, transitions=9_000_000,
            depth=2, complete=False, seconds=20.0, states_per_second=200_000.0, collision_probability=4.3e-7,
            terminal_states=0, deadlocks=0, depth_histogram=[1, 900, 3_999_099], action_counts={}, never_enabled=[],
        ),
    ]


def phases() -> "nx.MultiDiGraph[Any]":
    """Five phases in a ring, with parallel actions, a witness and an end."""
    graph: nx.MultiDiGraph[Any] = nx.MultiDiGraph()
    names = ["Lookout", "Production", "Action", "Victory Points", "Cleanup"]
    for number, name in enumerate(names):
        graph.add_node(name, label=name, group=name, count=10 ** number, initial=number == 0, terminal=number == 4)
        graph.add_edge(name, names[(number + 1) % 5], label="end of phase", count=number + 1)
    for action in ("conquest", "negotiation", "incorporation", "redevelopment", "visit"):
        graph.add_edge("Action", "Action", label=action, count=len(action), witness=["The cards are dealt.", action])
    return graph


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compares a text with the golden file of that name, or writes the file when RULEPROOF_GOLDEN=write."""

    def compare(name: str, text: str) -> None:
        file = Path(__file__).parent / "golden" / name
        if os.environ.get("RULEPROOF_GOLDEN") == "write":
            file.write_text(text, encoding="utf-8")
        assert text == file.read_text(encoding="utf-8"), f"{name} changed; see the docstring of {Path(__file__).name}"

    return compare


@pytest.fixture
def phase_graph() -> "nx.MultiDiGraph[Any]":
    """A graph of phases."""
    return phases()


@pytest.fixture
def report() -> Report:
    """A report with one of everything."""
    return sample_report()


def sample_report() -> Report:
    """The report that the golden files show."""
    return Report(
        ruleproof="0.1.0", game="51st-state-2010", title="51st State (2010)", preset="tiny", players=[2, 3],
        readings={"R-HAND": "taken-only", "R-UNIVERSAL": "when-used"}, deck_digest="sha256:4f1c", rules_version="1",
        seed=20100, started="2024-05-17T09:30:00+00:00", seconds=71.5, complete=True, properties=properties(),
        clauses=clauses(), setups=setups(),
        findings=[
            Finding(id="F1", type="never-enabled action", place="leaders.py:31", message="“replace a leader” in tiny"),
            Finding(id="F2", type="clause never exercised", clause="act.rebuild_contact", message="no set-up deals it"),
        ],
        graphs=[
            GraphFile(
                name="phases", title="Phases of a round", files={"dot": "graphs/phases.dot"}, nodes=5, edges=10,
                svg=graphs.svg(phases(), "Phases of a round"),
            ),
            GraphFile(
                name="all", title="All positions", files={"dot": "graphs/all.dot"}, nodes=690_112, edges=2_527_137,
                note="690,112 nodes are too many to read",
            ),
        ],
        command="ruleproof verify 51st-state-2010 --preset tiny --seed 20100",
    )
