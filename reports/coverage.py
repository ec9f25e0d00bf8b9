"""What of the rulebook was exercised, and what a reader should be suspicious of.

A clause is exercised when a move that was explored or played follows it, or a move was refused by it. That a proved
property cites it is told too, but does not exercise it: a rule that nothing ever reaches can be proved anything about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from properties.declaration import Property
from reports.document import ClauseResult, Finding, PropertyResult
from reports.evidence import Evidence
from reports.exploring import Explored, place_of
from reports.registry import Entry
from reports.wording import counted, listed


def clauses(entry: Entry, evidence: Evidence, results: Sequence[PropertyResult]) -> list[ClauseResult]:
    """Every clause of the catalogue, in its order."""
    game = entry.game
    explored = {clause for run in evidence.explored.values() for clause in run.clauses}
    tested = {clause for run in evidence.played for clause in run.found.clauses}
    refused = {clause for run in evidence.played for clause in run.found.refused}
    places: dict[str, set[str]] = {clause: set() for clause in game.catalogue.clauses}
    for action in game.actions:
        for clause in (*action.clauses, *(choice.clause for choice in action.choices.values() if choice.clause)):
            places[clause].add(action.place)
    for run in evidence.explored.values():
        for clause, found in run.places.items():
            places[clause] |= found
    citing: dict[str, list[str]] = {}
    proved = set()
    for result in results:
        for clause in result.clauses:
            citing.setdefault(clause, []).append(result.id)
            if result.verdict == "PROVED":
                proved.add(clause)
    by = {"explored": explored, "tested": tested, "refused": refused, "proved": proved}
    return [
        ClauseResult(
            id=id, pages=list(clause.pages), text=clause.text, exercised=id in explored | tested | refused,
            by=[how for how, found in by.items() if id in found], not_applicable=clause.not_applicable,
            rules=sorted(places[id], key=_by_line), properties=citing.get(id, []), readings=list(clause.readings),
        )
        for id, clause in game.catalogue.clauses.items()
    ]  # fmt: skip


def _by_line(place: str) -> tuple[str, int]:
    file, _, line = place.rpartition(":")
    return file, int(line) if line.isdigit() else 0


def findings(
    entry: Entry, evidence: Evidence, results: Sequence[PropertyResult], covered: Sequence[ClauseResult]
) -> list[Finding]:
    """What no verdict says."""
    found = [
        *holes(results),
        *_cut_short(evidence),
        *_vacuous(entry.properties, evidence),
        *_never_exercised(covered),
        *_never_enabled(entry, evidence),
    ]
    runs = list(evidence.explored.values())
    if not evidence.failed and all(run.result.complete for run in runs):  # else the rest may show what is missing
        found += [*_idle_guards(runs, evidence), *_untriggered(runs, entry.properties), *_unchanged(runs)]
    return found


def holes(results: Sequence[PropertyResult]) -> Iterator[Finding]:
    """What the rulebook suggests and does not keep."""
    for result in results:
        if result.standing == "hole":
            clause = result.clauses[0] if result.clauses else None
            yield Finding(
                id=f"hole:{result.id}", type="hole of the rulebook", clause=clause,
                message=f"{result.statement} {result.explanation}".strip(),
            )  # fmt: skip


def _cut_short(evidence: Evidence) -> Iterator[Finding]:
    for number, why in enumerate(dict.fromkeys(evidence.failed.values()), 1):
        names = [name for name, reason in evidence.failed.items() if reason == why]
        message = f"{counted(len(names), 'set-up')} not explored, {why}: {listed(names)}."
        yield Finding(id=f"unexplored:{number}", type="exploration failed", message=message)
    for name, run in evidence.explored.items():
        if not run.result.complete:
            message = f"Set-up {name} was not explored to its end: {run.stopped or 'stopped'}."
            yield Finding(id=f"truncated:{name}", type="exploration cut short", message=message)
    for played in evidence.played:
        if not played.complete:
            message = f"{played.title}: {played.found.games:,} of {counted(played.planned, 'random game')} played."
            yield Finding(id=f"games:{played.title}", type="games cut short", message=message)
    late = [
        id
        for id, proof in evidence.proofs.items()
        if not proof.proved and not proof.counterexample and not evidence.violations(id)
    ]
    yield from open_proofs(late)


def open_proofs(late: Sequence[str]) -> Iterator[Finding]:
    """Which proofs were not settled in time, if any."""
    if late:
        yield Finding(
            id="proofs-open", type="probe out of budget",
            message=f"{counted(len(late), 'proof')} not settled within the budget: {listed(late)}.",
        )  # fmt: skip


def _vacuous(properties: Sequence[Property], evidence: Evidence) -> Iterator[Finding]:
    """Properties that say nothing: an invariant nothing had to be asked about, a claim about moves nobody ever made."""
    taken: Counter[str] = Counter()
    for run in evidence.explored.values():
        taken.update(run.result.action_counts)
    for games in evidence.played:
        taken.update(games.found.actions)
    for prop in properties:
        proof = evidence.proofs.get(prop.id)
        clause = prop.clauses[0] if prop.clauses else None
        if prop.kind == "invariant" and proof is not None and proof.proved and not (proof.checks or proof.plain):
            yield Finding(
                id=f"always-true:{prop.id}", type="always-true property", clause=clause,
                message="Under these readings no rule can touch it; make sure that it says what it means.",
            )  # fmt: skip
        if prop.kind == "step" and taken and prop.actions and not any(taken[name] for name in prop.actions):
            yield Finding(
                id=f"vacuous:{prop.id}", type="vacuous property", clause=clause,
                message=f"It speaks of moves that were never possible: {listed(prop.actions)}.",
            )  # fmt: skip


def _never_exercised(covered: Sequence[ClauseResult]) -> Iterator[Finding]:
    for clause in covered:
        if clause.coverage == "never exercised":
            yield Finding(
                id=f"unexercised:{clause.id}", type="clause never exercised", clause=clause.id,
                place=clause.rules[0] if clause.rules else None, message=clause.text,
            )  # fmt: skip


def _never_enabled(entry: Entry, evidence: Evidence) -> Iterator[Finding]:
    if not evidence.explored and not evidence.games:
        return
    explored: Counter[str] = Counter()
    for run in evidence.explored.values():
        explored.update(run.result.action_counts)
    played: Counter[str] = Counter()
    for games in evidence.played:
        played.update(games.found.actions)
    for action in entry.game.actions:
        if explored[action.name] or (played[action.name] and not evidence.explored):
            continue
        if played[action.name]:
            kind, what = "action not explored", "is played in random games only; no set-up explored to its end has it"
        else:
            kind, what = "action never enabled", "was never possible, in no explored position and no random game"
        yield Finding(
            id=f"{'unexplored' if played[action.name] else 'dead'}-action:{action.name}", type=kind,
            clause=action.clauses[0] if action.clauses else None, place=action.place,
            message=f"{action.name.replace('_', ' ')} {what}.",
        )  # fmt: skip


def _idle_guards(runs: Sequence[Explored], evidence: Evidence) -> Iterator[Finding]:
    """Requirements that refuse nothing."""
    deciding = {place for run in runs for place in run.deciding}
    deciding |= {place for games in evidence.played for place in games.found.refusing}
    for where, clause in sorted({idle for run in runs for idle in run.idle}):
        if where not in deciding:
            place = place_of(where)
            yield Finding(
                id=f"idle-guard:{place}", type="guard that never decides", clause=clause, place=place,
                message="No move that is otherwise allowed is refused by it, in no explored position and no game.",
            )  # fmt: skip


def _untriggered(runs: Sequence[Explored], properties: Sequence[Property]) -> Iterator[Finding]:
    """Properties that hold because what they speak of never happens."""
    met = {id for run in runs for id in run.triggered}
    implying = {id for run in runs for id in run.implying}
    for prop in properties:
        if prop.id in implying - met:
            yield Finding(
                id=f"untriggered:{prop.id}", type="implication never triggered",
                clause=prop.clauses[0] if prop.clauses else None,
                message="What it speaks of happens in no explored position; it holds for that reason.",
            )  # fmt: skip


def _unchanged(runs: Sequence[Explored]) -> Iterator[Finding]:
    """Variables that might as well be constants."""
    changed = {name for run in runs for name in run.changed}
    for name in sorted({name for run in runs for name in run.variables} - changed):
        yield Finding(
            id=f"unchanged:{name}", type="variable never changed",
            message=f"The state variable {name} keeps its first value in every explored position.",
        )  # fmt: skip
