"""A set-up in TLA+, for TLC: an action for each step, and the configuration to check it with.

Each action states its guard and the new value of every variable at once, as a path does. What is large and used more
than once stands in a LET, which TLC computes when it is first needed and then remembers. The end of a game is a state
without steps, so TLC must be told not to look for deadlocks: `-deadlock`, which every version of it knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from model.language.expression import Symbolic
from solver.explorer.frozen import Thawed
from solver.export.sharing import Style, Written, signed_sum, written
from solver.export.transitions import Step, Transitions, Variable, comment, transitions

HOW = "To count its states: java -cp tla2tools.jar tlc2.TLC -deadlock -config {name}.cfg {name}.tla"
_RESERVED = """
    ACTION ASSUME ASSUMPTION AXIOM BY BOOLEAN CASE CHOOSE CONSTANT CONSTANTS COROLLARY DEF DEFINE DEFS DOMAIN ELSE
    ENABLED EXCEPT EXTENDS FALSE HAVE HIDE IF IN INSTANCE LAMBDA LEMMA LET LOCAL MODULE NEW OBVIOUS OMITTED ONLY OTHER
    PICK PROOF PROPOSITION PROVE QED RECURSIVE SF_ STATE STRING SUBSET SUFFICES TAKE TEMPORAL THEN THEOREM TRUE
    UNCHANGED UNION USE VARIABLE VARIABLES WF_ WITH WITNESS

    Init Next Spec Nat Int Any Assert JavaTime Permutations Print PrintT RandomElement SortSeq TLCEval TLCGet TLCSet
    ToString
"""


@dataclass(frozen=True)
class Module:
    """A module of TLA+ and the configuration that TLC reads with it."""

    text: str
    configuration: str


def tla(thawed: Thawed, name: str, heading: Iterable[str] = ()) -> Module:
    """The set-up as a module.

    Args:
        name: of the module, which must be that of its file: letters, digits and `_`.
        heading: lines that say what it is, as comments.
    """
    system = transitions(thawed, [*heading, HOW.format(name=name)], [*_RESERVED.split(), name])
    return Module(_text(system, name), "SPECIFICATION Spec\n")


def _text(system: Transitions, name: str) -> str:
    names = {variable.number: variable.identifier for variable in system.variables}
    everything = f"<<{', '.join(variable.identifier for variable in system.variables)}>>"
    lines = [f"---- MODULE {name} ----", *(f"\\* {line}" for line in comment(system.heading))]
    lines += ["EXTENDS Integers, TLC", "", "VARIABLES"]
    lines += [
        _remarked(f"  {variable.identifier}{',' if number < len(system.variables) else ''}", _domain(variable))
        for number, variable in enumerate(system.variables, 1)
    ]
    lines += ["", "Init =="]
    lines += [f"  /\\ {variable.identifier} = {_first(variable)}" for variable in system.variables]
    for step in system.steps:
        lines += ["", *_action(step, system, names)]
    lines += ["", "Next =="]
    lines += [f"  \\/ {step.identifier}" for step in system.steps] or ["  FALSE"]
    return "\n".join([*lines, "", f"Spec == Init /\\ [][Next]_{everything}", "===="]) + "\n"


def _domain(variable: Variable) -> str:
    values = ", ".join(f"{variable.low + number} {name}" for number, name in enumerate(variable.names))
    if not values:
        values = "TRUE or FALSE" if variable.boolean else f"{variable.low}..{variable.high}"
    return f"{variable.label}: {values}"


def _remarked(line: str, remark: str) -> str:
    """The line with a comment at its end."""
    return f"{line}  \\* {' '.join(comment([remark]))}" if remark else line


def _first(variable: Variable) -> str:
    return _constant(bool(variable.initial) if variable.boolean else variable.initial)


def _action(step: Step, system: Transitions, names: Mapping[int, str]) -> list[str]:
    terms = [requirement.condition for requirement in step.guard]
    guard = written(terms, names, STYLE, system.shared)
    text = written(
        [*(kept.value for kept in step.kept), *(value for _, value in step.changes)], names, STYLE,
        f"{system.shared}new_",
    )  # fmt: skip
    lines = [f"\\* {line}" for line in comment([step.title, f"{', '.join(step.clauses)}; {step.place}"])]
    lines += [f"{step.identifier} ==", *_defined(guard, "  ")]
    lines += [
        _remarked(f"  /\\ {condition}", requirement.clause)
        for requirement, condition in zip(step.guard, guard.texts, strict=True)
    ]
    return [*lines, *_changes(step, system, text)]


def _changes(step: Step, system: Transitions, text: Written) -> list[str]:
    """What the step keeps and changes, as conjuncts of its action; what it computes for that stands before."""
    told = f'"{step.identifier} leaves a domain"'
    kept = [
        _remarked(f"  /\\ Assert({value} \\in {item.low}..{item.high}, {told})", item.label)
        for item, value in zip(step.kept, text.texts, strict=False)
    ]
    new = zip(step.changes, text.texts[len(step.kept) :], strict=True)
    conjuncts = [*kept, *(f"  /\\ {variable.identifier}' = {value}" for (variable, _), value in new)]
    changed = {variable.number for variable, _ in step.changes}
    same = [variable.identifier for variable in system.variables if variable.number not in changed]
    if same:
        conjuncts.append(f"  /\\ UNCHANGED <<{', '.join(same)}>>")
    if not text.definitions:
        return conjuncts
    head, *others = _defined(text, "     ")
    return [f"  /\\ {head.strip()}", *others, *(f"   {conjunct}" for conjunct in conjuncts)]


def _defined(text: Written, indent: str) -> list[str]:
    """The shared parts as a LET, if there are any; what it is for follows, indented no less."""
    if not text.definitions:
        return []
    first, *others = [f"{definition.name} == {definition.text}" for definition in text.definitions]
    return [f"{indent}LET {first}", *(f"{indent}    {line}" for line in others), f"{indent}IN"]


def _operation(node: Symbolic, arguments: Sequence[str]) -> str:
    match node.operation:
        case "sum":
            coefficients, constant = node.detail
            return f"({signed_sum(coefficients, arguments, constant)})"
        case "product":
            return f"({arguments[0]} * {arguments[1]})"
        case "equal":
            return f"({arguments[0]} = {arguments[1]})"
        case "less":
            return f"({arguments[0]} < {arguments[1]})"
        case "and":
            return "(" + " /\\ ".join(arguments) + ")"
        case "or":
            return "(" + " \\/ ".join(arguments) + ")"
        case "not":
            return f"(~{arguments[0]})"
        case "choose":
            return f"(IF {arguments[0]} THEN {arguments[1]} ELSE {arguments[2]})"
    raise ValueError(f"no such operation: {node.operation}")


def _constant(value: Any) -> str:
    if value.__class__ is bool:
        return "TRUE" if value else "FALSE"
    return str(int(value)) if value >= 0 else f"({int(value)})"


STYLE = Style(_operation, _constant)
