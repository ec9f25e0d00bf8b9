"""The mistakes that are planted: what a person writing a rule down gets wrong, as changes of its syntax tree.

The operators are those of mutation testing, chosen for rules: a requirement or one part of a condition forgotten or
turned round, an effect forgotten, a number one too high or too low, a comparison that takes the border in or leaves it
out, the two cases of a choice exchanged, the next player in the place of the one meant, another member of an
enumeration (a card goes to another zone, an action belongs to another phase), a cap that is off by one.

Each change is one node replaced by another. Two changes that mean the same on whole numbers (`x < 3` and `x <= 2`)
are made once. Texts, citations and annotations are not rules, and stay.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import EnumMeta
from typing import Any

GUARD_DROPPED = "guard dropped"
GUARD_NEGATED = "guard negated"
ASSIGNMENT_DROPPED = "assignment dropped"
CONSTANT = "constant +-1"
COMPARISON = "comparison shifted"
BRANCHES = "branches swapped"
PLAYER = "wrong player"
ZONE = "wrong zone"
CAP = "off-by-one cap"
KINDS = (
    GUARD_DROPPED, GUARD_NEGATED, ASSIGNMENT_DROPPED, CONSTANT, COMPARISON, BRANCHES, PLAYER, ZONE, CAP,
)  # fmt: skip

_SHIFTED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
}  # fmt: skip
# In which direction the other side of a comparison must go to do what shifting it does not do already.
_OTHERWISE: Mapping[type[ast.cmpop], int] = {ast.Lt: -1, ast.GtE: -1, ast.Gt: 1, ast.LtE: 1}
_OPPOSITE: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_PARTS = ("all_of", "any_of")
_CAPS = ("minimum", "maximum", "min", "max")
_CHOICES = ("One", "Subset", "Amounts")
_SPOKEN = ("cite",)


@dataclass(frozen=True)
class Change:
    """One mistake: the node, what takes its place, and which kind of mistake that is."""

    kind: str
    node: ast.AST
    replacement: ast.AST


@dataclass(frozen=True)
class Scene:
    """What the names in a piece of source mean.

    Attributes:
        names: the module's. states: what a state is called. players: what a chosen player is called.
    """

    names: Mapping[str, Any]
    states: Collection[str]
    players: Collection[str]


def in_function(node: ast.FunctionDef | ast.Lambda, scene: Scene) -> Iterator[Change]:
    """The mistakes in a function's body, in the order of the source."""
    parameters = {argument.arg for argument in node.args.args}
    state = next((name for name in scene.states if name in parameters), None)
    walk = _Walk(scene, state)
    if isinstance(node, ast.Lambda):
        yield from walk.condition(node.body, None)
    else:
        yield from walk.block(node.body)


def in_declaration(part: ast.expr, scene: Scene) -> Iterator[Change]:
    """The mistakes in what declares an action, a choice or a condition on cells."""
    for node in ast.walk(part):
        if isinstance(node, ast.Call):
            yield from _declared(node)
        yield from _other_member(node, scene)


def _declared(call: ast.Call) -> Iterator[Change]:
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    nothing = ast.Constant(None)
    for keyword in call.keywords:
        if (name == "action" and keyword.arg == "when") or (name in _CHOICES and keyword.arg in ("where", "total")):
            yield Change(GUARD_DROPPED, keyword.value, nothing)
        elif name == "action" and keyword.arg == "phases" and isinstance(keyword.value, ast.Tuple):
            phases = keyword.value.elts
            for phase in phases if len(phases) > 1 else ():
                fewer = ast.Tuple([each for each in phases if each is not phase], ast.Load())
                yield Change(GUARD_DROPPED, keyword.value, fewer)
    if name in _CHOICES and len(call.args) > 1 and not _is_nothing(call.args[1]):
        yield Change(GUARD_DROPPED, call.args[1], nothing)


def _is_nothing(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _other_member(node: ast.AST, scene: Scene) -> Iterator[Change]:
    """The next member of the same enumeration."""
    if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)):
        return
    enumeration = scene.names.get(node.value.id)
    members: Sequence[str] = list(enumeration.__members__) if isinstance(enumeration, EnumMeta) else ()
    if node.attr in members and len(members) > 1:
        other = members[(members.index(node.attr) + 1) % len(members)]
        yield Change(ZONE, node, ast.Attribute(node.value, other, node.ctx))


class _Walk:
    def __init__(self, scene: Scene, state: str | None) -> None:
        self.scene = scene
        self.state = state

    # -- statements ----------------------------------------------------------------------------------------------
    def block(self, statements: Sequence[ast.stmt]) -> Iterator[Change]:
        for statement in statements:
            yield from self._statement(statement)

    def _statement(self, statement: ast.stmt) -> Iterator[Change]:
        match statement:
            case ast.Expr(value=ast.Call() as call):
                yield from self._effect(statement, call)
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript() as target], value=value):
                yield Change(ASSIGNMENT_DROPPED, statement, ast.Pass())
                yield from self._expression(target, None)
                yield from self._expression(value, statement)
            case ast.Assign(value=value) | ast.AugAssign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                yield from self._expression(value, statement)
            case ast.Return(value=ast.expr() as value):
                yield from self.condition(value, statement)
            case ast.If(test=test, body=body, orelse=otherwise):
                yield Change(BRANCHES, test, _negated(test))
                yield from self._expression(test, None)
                yield from self.block(body)
                yield from self.block(otherwise)
            case ast.For(iter=over, body=body):
                yield from self._expression(over, None)
                yield from self.block(body)
            case ast.FunctionDef(body=body):
                yield from self.block(body)

    def _effect(self, statement: ast.stmt, call: ast.Call) -> Iterator[Change]:
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if name in _SPOKEN:
            return
        if name == "require" and call.args:
            yield Change(GUARD_DROPPED, statement, ast.Pass())
            yield from self._guard(call.args[0], None)
            return
        yield Change(ASSIGNMENT_DROPPED, statement, ast.Pass())
        yield from self._expression(call, statement)

    # -- expressions ---------------------------------------------------------------------------------------------
    def condition(self, node: ast.expr, parent: ast.AST | None) -> Iterator[Change]:
        """What a function returns: turned round where it is plainly a condition."""
        if _is_condition(node):
            yield from self._guard(node, parent)
        else:
            yield from self._expression(node, parent)

    def _guard(self, node: ast.expr, parent: ast.AST | None) -> Iterator[Change]:
        yield Change(GUARD_NEGATED, node, _negated(node))
        yield from self._expression(node, parent, turned=True)

    def _expression(self, node: ast.AST, parent: ast.AST | None, turned: bool = False) -> Iterator[Change]:
        """`turned`: the whole has been turned round already."""
        match node:
            case ast.Call(func=ast.Name(id=name), args=arguments) if name in _PARTS and len(arguments) > 1:
                for argument in arguments:
                    rest = [each for each in arguments if each is not argument]
                    yield Change(GUARD_DROPPED, node, ast.Call(node.func, _alone(rest), node.keywords))
            case ast.Call(func=ast.Name(id="where"), args=[condition, one, other]):
                yield Change(BRANCHES, node, ast.Call(node.func, [condition, other, one], []))
            case ast.Call(func=ast.Name(id="negate"), args=[condition]) if not turned:
                yield Change(GUARD_NEGATED, node, condition)
            case ast.IfExp(test=test, body=one, orelse=other):
                yield Change(BRANCHES, node, ast.IfExp(test, other, one))
            case ast.Compare(ops=[operator], comparators=[right]):
                yield from self._comparison(node, operator, right, turned)
            case ast.Constant(value=bool(value)) if not isinstance(parent, ast.keyword):
                yield Change(GUARD_NEGATED, node, ast.Constant(not value))
            case ast.Constant(value=int(value)):
                yield from self._number(node, value, parent)
            case ast.Name(id=name, ctx=ast.Load()) if name in self.scene.players and self.state is not None:
                yield Change(PLAYER, node, _next(name, self.state))
        yield from _other_member(node, self.scene)
        if isinstance(node, ast.Lambda):
            yield from self._expression(node.body, node)
            return
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.arguments | ast.expr_context | ast.operator | ast.cmpop):
                yield from self._expression(child, node)

    def _comparison(self, node: ast.Compare, operator: ast.cmpop, right: ast.expr, turned: bool) -> Iterator[Change]:
        kind = type(operator)
        if kind in _SHIFTED:
            yield Change(COMPARISON, node, ast.Compare(node.left, [_SHIFTED[kind]()], [right]))
            if not _is_number(right):
                step = ast.Add() if _OTHERWISE[kind] > 0 else ast.Sub()
                beside = ast.BinOp(right, step, ast.Constant(1))
                yield Change(CAP, node, ast.Compare(node.left, [operator], [beside]))
        elif not turned and kind in _OPPOSITE:
            yield Change(GUARD_NEGATED, node, ast.Compare(node.left, [_OPPOSITE[kind]()], [right]))

    def _number(self, node: ast.Constant, value: int, parent: ast.AST | None) -> Iterator[Change]:
        """One more and one less, but not what shifting a comparison does, nor a place in a table below the first."""
        steps: tuple[int, ...] = (1, -1)
        kind = CONSTANT
        if isinstance(parent, ast.Compare) and len(parent.ops) == 1 and type(parent.ops[0]) in _OTHERWISE:
            beyond = _OTHERWISE[type(parent.ops[0])]
            steps = (beyond if node is parent.comparators[0] else -beyond,)
            kind = CAP
        elif isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id in _CAPS:
            kind = CAP
        elif isinstance(parent, ast.Subscript | ast.Slice) and value == 0:
            steps = (1,)
        for step in steps:
            yield Change(kind, node, ast.Constant(value + step))


def _alone(arguments: list[ast.expr]) -> list[ast.expr]:
    """A single argument of `all_of` may be a list of conditions or a condition; a starred one is a list."""
    if len(arguments) == 1 and isinstance(arguments[0], ast.Starred):
        return [arguments[0].value]
    return arguments


def _negated(node: ast.expr) -> ast.expr:
    """The opposite, without asking for the truth of it: as an expression it must stay one."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _OPPOSITE:
        return ast.Compare(node.left, [_OPPOSITE[type(node.ops[0])]()], node.comparators)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "negate":
        return node.args[0]
    return ast.Compare(node, [ast.Eq()], [ast.Constant(False)])


def _next(player: str, state: str) -> ast.expr:
    return ast.parse(f"({player} + 1) % {state}.setup.players", mode="eval").body


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _is_condition(node: ast.expr) -> bool:
    if isinstance(node, ast.Compare):
        return True
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return called and node.func.id in ("all_of", "any_of", "negate", "implies")  # type: ignore[attr-defined]
