"""A set-up in Promela, for SPIN: one process that for ever takes one of the steps.

SPIN counts a state for every place in a process at which it can stand, so there is only one: each step is a `d_step`
inside one `do`, and its states are exactly those of the set-up. Two of SPIN's habits are in the way and are turned off
where it is run, as the text says at its top: it leaves variables that nothing reads out of the state (`-o2`), and calls
a state without steps, which here is the end of a game, an invalid end state (`-E`).

The steps of a rule change everything at once, the statements of a `d_step` one after another. So what others still read
is changed last, from a temporary. Temporaries are `hidden`: they are no part of the state. There are none where none is
needed, since SPIN can't search breadth-first with them. A guard must be one expression, so it has
no temporaries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from model.language.errors import RuleError
from model.language.expression import Symbolic, Term, variables_of
from solver.explorer.frozen import Thawed
from solver.export.sharing import Style, TooLarge, inlined, signed_sum, written
from solver.export.transitions import Step, Transitions, Variable, comment, transitions

HOW = (
    "To count its states: spin -o2 -a FILE && gcc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -E -n",
    "(-o2: every variable is part of the state; -E: the end of a game is no error; -m10000000 for a deep search)",
)
LONGEST = 20_000  # nodes of a guard
LARGE = 400  # nodes from which on a shared part gets a temporary

# Words of Promela, of C (a verifier is C), and of the verifier's own source.
_RESERVED = """
    active assert atomic bit bool break byte c_code c_decl c_expr c_state c_track chan d_proctype d_step do else empty
    enabled eval false fi for full get_priority goto hidden if in init inline int len local ltl mtype nempty never nfull
    nr_pr np_ od of pc_value pid print printf printm priority proctype provided run select set_priority short show skip
    STDIN timeout trace notrace true typedef unless unsigned xr xs

    auto case char const continue default double enum extern float goto inline int long register restrict return
    signed sizeof static struct switch union void volatile while asm typeof and or not

    now main State P0 trpt trail max min uchar ushort uint ulong abs exit time errno unix linux i386 stdin stdout
"""


def promela(thawed: Thawed, heading: Iterable[str] = ()) -> str:
    """The set-up as the text of a Promela model.

    Args:
        heading: lines that say what it is, as comments.

    Raises:
        RuleError: a guard is too large to be written as one expression.
    """
    return _text(transitions(thawed, [*heading, *HOW], _RESERVED.split()))


@dataclass(frozen=True)
class _Option:
    """A step as an option of the loop, and how many temporaries it uses."""

    lines: list[str]
    temporaries: int


def _text(system: Transitions) -> str:
    names = {variable.number: variable.identifier for variable in system.variables}
    options = [_option(step, names, system.shared) for step in system.steps]
    temporaries = max((option.temporaries for option in options), default=0)
    lines = [f"/* {line} */" for line in comment(system.heading)]
    lines += [_declaration(variable) for variable in system.variables]
    lines += [f"hidden int {system.shared}{number};" for number in range(1, temporaries + 1)]
    lines += ["", "active proctype game() {", "  do"]
    lines += [line for option in options for line in option.lines] or ["  :: false -> skip"]
    return "\n".join([*lines, "  od", "}"]) + "\n"


def _declaration(variable: Variable) -> str:
    values = ", ".join(f"{variable.low + number} {name}" for number, name in enumerate(variable.names))
    (remark,) = comment([f"{variable.label}: {values or f'{variable.low}..{variable.high}'}"])
    return f"{_type(variable)} {variable.identifier} = {variable.initial};  /* {remark} */"


def _type(variable: Variable) -> str:
    """The smallest type that holds the domain."""
    if variable.low >= 0 and variable.high <= 255:
        return "bit" if variable.high == 1 else "byte"
    return "short" if variable.low >= -(2**15) and variable.high < 2**15 else "int"


def _option(step: Step, names: Mapping[int, str], prefix: str) -> _Option:
    order, held = in_order(step.changes)
    values = [*(kept.value for kept in step.kept), *(value for _, value in order)]
    text = written(values, names, STYLE, prefix, LARGE)
    before = [f"{shared.name} = {shared.text};" for shared in text.definitions]
    before += [
        f"assert({value} >= {kept.low} && {value} <= {kept.high});  /* {' '.join(comment([kept.label]))} */"
        for kept, value in zip(step.kept, text.texts, strict=False)
    ]
    temporaries, changes = len(text.definitions), []
    for (variable, _), value in zip(order, text.texts[len(step.kept) :], strict=True):
        if variable.number in held:
            temporaries += 1
            before.append(f"{prefix}{temporaries} = {value};")
            value = f"{prefix}{temporaries}"
        changes.append(f"{variable.identifier} = {value};")
    body = [*before, *changes] or ["skip;"]
    about = comment([step.title, f"{step.identifier}: {', '.join(step.clauses)}; {step.place}"])
    lines = [*(f"  /* {line} */" for line in about), "  :: d_step {", *_guard(step, names)]
    return _Option([*lines, *(f"       {line}" for line in body), "     }"], temporaries)


def _guard(step: Step, names: Mapping[int, str]) -> list[str]:
    """The conjuncts of the guard, in the order in which the rule asks, each with its clause."""
    try:
        conditions = [inlined(requirement.condition, names, STYLE, LONGEST) for requirement in step.guard]
    except TooLarge:
        raise RuleError(
            f"the guard of `{step.title}` has more than {LONGEST:,} parts when it is written as one expression",
            "Split the rule into ones with simpler requirements, or export to TLA+", step.place,
        ) from None  # fmt: skip
    ends = [" &&"] * (len(conditions) - 1) + [""]
    remarks = [f"  /* {clause} */" if clause else "" for clause in comment([one.clause for one in step.guard])]
    lines = ["".join(parts) for parts in zip(conditions, ends, remarks, strict=False)] or ["true"]
    return [*(f"       {line}" for line in lines), "       ->"]


def in_order(changes: Sequence[tuple[Variable, Term]]) -> tuple[list[tuple[Variable, Term]], set[int]]:
    """The changes in an order in which each reads old values only, and the variables whose new value must wait.

    A variable can be assigned once no other change still reads it. Where all wait for each other, as in an exchange,
    one new value is computed beforehand.
    """
    reads = {variable.number: set(variables_of([value])) for variable, value in changes}
    waiting, order, held = list(changes), [], set[int]()
    while waiting:
        free = next((change for change in waiting if not _read(change[0], waiting, reads)), None)
        if free is not None:
            waiting.remove(free)
            order.append(free)
            continue
        first = next(variable for variable, _ in waiting if reads[variable.number])
        held.add(first.number)
        reads[first.number] = set()
    return order, held


def _read(variable: Variable, waiting: Sequence[tuple[Variable, Term]], reads: Mapping[int, set[int]]) -> bool:
    """Whether another change that is still to be made reads the variable."""
    return any(variable.number in reads[other.number] for other, _ in waiting if other is not variable)


def _operation(node: Symbolic, arguments: Sequence[str]) -> str:
    match node.operation:
        case "sum":
            coefficients, constant = node.detail
            return f"({signed_sum(coefficients, arguments, constant)})"
        case "product":
            return f"({arguments[0]} * {arguments[1]})"
        case "equal":
            return f"({arguments[0]} == {arguments[1]})"
        case "less":
            return f"({arguments[0]} < {arguments[1]})"
        case "and":
            return f"({' && '.join(arguments)})"
        case "or":
            return f"({' || '.join(arguments)})"
        case "not":
            return f"(!{arguments[0]})"
        case "choose":
            return f"({arguments[0]} -> {arguments[1]} : {arguments[2]})"
    raise ValueError(f"no such operation: {node.operation}")


def _constant(value: Any) -> str:
    return str(int(value)) if value >= 0 else f"({int(value)})"


STYLE = Style(_operation, _constant)
