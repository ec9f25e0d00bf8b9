"""The verification report as data: the one source of report.json, report.html and the terminal summary.

Nothing here knows a game, Z3 or a graph library. Whoever verifies fills these models in, and every way of showing them
reads them back, so that the page and the JSON can't disagree. The models are strict: an unknown field or a verdict
outside the list is an error where it is made, not a hole in a page a week later.

A verdict is three-valued at heart. `PROVED` is Z3's word for every deck in scope; `HOLDS` says that no explored state
and no test broke it, which is evidence and no proof; `UNDETERMINED` and `NOT_REACHED` are never a pass. Whether a
verdict is good news depends on what was expected, since a rulebook can break a property by itself: such a refutation
is expected and explained, and a checker that stops finding it is broken. `PropertyResult.standing` is that judgement,
made once here and used by every view and by the exit status.
"""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, NonNegativeFloat, NonNegativeInt

Verdict = Literal["PROVED", "REFUTED", "UNDETERMINED", "HOLDS", "REACHED", "NOT_REACHED"]
Standing = Literal["hole", "wrong", "undetermined", "passed"]
Coverage = Literal["exercised", "not applicable", "never exercised"]
Method = Annotated[str, Field(pattern=r"^(proved|explored|tested|traced)( \+ (proved|explored|tested|traced))*$")]


class Document(BaseModel):
    """What all parts of a report share: no unknown field, no change after the fact, no number that JSON can't hold."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Step(Document):
    """One step of a game: a decision of `actor`, or an outcome of chance, with the clauses it follows."""

    number: NonNegativeInt
    text: str
    clauses: list[str] = []
    actor: str = ""
    chance: bool = False


class Game(Document):
    """A game from set-up, shown as evidence: the shortest that was found."""

    title: str
    steps: list[Step]


class PropertyResult(Document):
    """What became of one property, how it was decided, and the evidence.

    `detail` says the method in plain English, `scope` what the verdict covers, `hypotheses` which other properties a
    proof leans on, `counterexample` the position at which an undetermined proof got stuck, one readable line each.
    """

    id: str
    statement: str
    clauses: list[str]
    kind: Literal["invariant", "step", "witness", "game"]
    verdict: Verdict
    method: Method
    detail: str
    scope: str
    seconds: NonNegativeFloat
    hypotheses: list[str] = []
    expected: Literal["PROVED", "REFUTED"] | None = None
    explanation: str = ""
    game: Game | None = None
    counterexample: list[str] = []

    @property
    def standing(self) -> Standing:
        """What the verdict means, given what was expected: a known hole, wrong, undetermined or passed."""
        if self.verdict == "UNDETERMINED":
            return "undetermined"
        if self.expected == "REFUTED":
            return "hole" if self.verdict == "REFUTED" else "wrong"
        if self.verdict == "REFUTED":
            return "wrong"
        return "undetermined" if self.verdict == "NOT_REACHED" else "passed"


class ClauseResult(Document):
    """Whether a clause of the rulebook was exercised, by what, and where it is written as a rule."""

    id: str
    pages: list[int]
    text: str
    exercised: bool
    by: list[str] = []
    not_applicable: str | None = None
    rules: list[str] = []
    properties: list[str] = []
    readings: list[str] = []

    @property
    def coverage(self) -> Coverage:
        """The clause's line in the coverage count; a clause that was exercised is covered whatever was said of it."""
        if self.exercised:
            return "exercised"
        return "never exercised" if self.not_applicable is None else "not applicable"


class SetupResult(Document):
    """An exploration of one set-up; `scaled` names each way in which it is smaller than the printed game."""

    name: str
    purpose: str
    scaled: list[str]
    states: NonNegativeInt
    transitions: NonNegativeInt
    depth: NonNegativeInt
    complete: bool
    seconds: NonNegativeFloat
    states_per_second: NonNegativeFloat
    collision_probability: NonNegativeFloat
    terminal_states: NonNegativeInt
    deadlocks: NonNegativeInt
    depth_histogram: list[NonNegativeInt]
    action_counts: dict[str, NonNegativeInt]
    never_enabled: list[str]


class Finding(Document):
    """Something a reader should know that no verdict says; `type` is free: "clause never exercised", "hole of ..."."""

    id: str
    type: str
    clause: str | None = None
    place: str | None = None
    message: str


class GraphFile(Document):
    """A graph written beside the report: its files by format, and the drawing itself for the page.

    The drawing is left out of report.json, which names the file instead. `note` says why there is none.
    """

    name: str
    title: str
    files: dict[str, str]
    nodes: NonNegativeInt
    edges: NonNegativeInt
    svg: str = Field(default="", exclude=True)
    note: str = ""


class Report(Document):
    """A whole verification: what was asked, under which readings, and everything that came of it.

    `ruleproof` is the program's version and `rules_version` the model's; `interrupted_at` names the stage that was
    running when the run was cut short.
    """

    ruleproof: str
    game: str
    title: str
    preset: str
    players: list[int]
    readings: dict[str, str]
    deck_digest: str
    rules_version: str
    seed: int
    started: str
    seconds: NonNegativeFloat
    complete: bool
    interrupted_at: str | None = None
    properties: list[PropertyResult]
    clauses: list[ClauseResult]
    setups: list[SetupResult]
    findings: list[Finding]
    graphs: list[GraphFile]
    command: str

    @property
    def finished(self) -> bool:
        """Whether the run did all it set out to do."""
        return self.complete and self.interrupted_at is None

    def standing(self, wanted: Standing) -> Sequence[PropertyResult]:
        """The properties of that standing, in the report's order."""
        return [result for result in self.properties if result.standing == wanted]

    def covered(self, wanted: Coverage) -> Sequence[ClauseResult]:
        """The clauses of that coverage, in the rulebook's order."""
        return [clause for clause in self.clauses if clause.coverage == wanted]


def to_json(report: Report) -> str:
    """The text of report.json; `Report.model_validate_json` reads it back, without the drawings."""
    return report.model_dump_json(indent=2) + "\n"


def exit_status(report: Report) -> int:
    """The command line's exit status for this report.

    0: everything proved or passed. 2: something refuted unexpectedly, or a known hole of the rulebook not found again
    by a run that finished. 3: nothing refuted, but something undetermined: an open property, an interrupted run, or a
    report that checked nothing at all.
    """
    missed = any(result.expected == "REFUTED" for result in report.standing("undetermined"))
    if report.standing("wrong") or (missed and report.finished):
        return 2
    checked = bool(report.properties or report.setups)
    return 0 if report.finished and checked and not report.standing("undetermined") else 3
