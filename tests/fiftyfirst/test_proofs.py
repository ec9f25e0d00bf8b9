"""The verdicts of 51st State: all proved for every deck, but the statement that the rulebook itself breaks.

Minutes for each number of players, so they are among the long suites.
"""

from pathlib import Path

import pytest

from reports.document import exit_status
from reports.proving import prove_game
from reports.registry import entry_of
from reports.subject import ANY, ProofRequest
from solver.ranges import PREFIX

BUDGET = {2: 600.0, 3: 1200.0, 4: 1800.0}


@pytest.mark.slow
@pytest.mark.timeout(2000)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_property_is_decided(players: int, tmp_path: Path) -> None:
    entry = entry_of()
    report = prove_game(ProofRequest(entry, tmp_path, players, budget=BUDGET[players]))
    verdicts = {result.id: result.verdict for result in report.properties}
    claimed = [prop for prop in entry.properties if prop.kind != "witness" and prop.prove]
    assert [id for id in verdicts if not id.startswith(PREFIX)] == [prop.id for prop in claimed]
    assert {id for id, verdict in verdicts.items() if verdict != "PROVED"} == {"lookout.hand_limit_strict"}
    assert verdicts["lookout.hand_limit_strict"] == "REFUTED"
    assert exit_status(report) == 0


@pytest.mark.slow
@pytest.mark.timeout(2000)
def test_under_whatever_answer_to_an_open_question(tmp_path: Path) -> None:
    """What happens at the hand limit matters to no other property."""
    request = ProofRequest(entry_of(), tmp_path, readings={"R-HAND": ANY, "R-LIMIT-CARD": ANY}, budget=900.0)
    verdicts = {result.id: result.verdict for result in prove_game(request).properties}
    assert {id for id, verdict in verdicts.items() if verdict != "PROVED"} == {"lookout.hand_limit_strict"}
