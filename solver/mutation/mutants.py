"""The mutants of a game: numbered, told in a line, and planted into the running rules.

A mutant is the game itself with one small mistake. It is planted in place, for as long as a `with` block runs: the code
of the function objects that run the mutated source is exchanged, or the mutated declaration's values are put
into the declared objects. Whoever refers to them (models made before, other modules, choices, closures) gets the
mistake, and nothing has to be imported or built anew; after the block everything is as it was. The same works in a
process that serves a mutant for good.

Numbers follow the source: by module in the order of the actions, by line, by operator. They are the same on every
machine until a rule changes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from types import FunctionType
from typing import Any

from model.language.errors import InputError
from model.language.game import Game
from model.language.rule import PLAYER, Action, Choice, Having, One
from solver.mutation.operators import Change, Scene, in_declaration, in_function
from solver.mutation.sources import Piece, RuleFunction, compiled, file_of, follow, pieces

LONGEST = 66  # characters of either side of a mutation's line: as much around the change as fits
LEADING = 24  # of these before the change, where not all fits


@dataclass(frozen=True, eq=False)
class Mutant:
    """A game's rules with one mistake.

    Attributes:
        number: from 1. kind: the operator. clause: the rulebook's, of what is changed.
        file, line: where. mutation: `old -> new`. actions: the rules it can touch.
    """

    number: int
    kind: str
    clause: str
    file: str
    line: int
    mutation: str
    actions: tuple[str, ...]
    piece: Piece
    change: Change

    @property
    def id(self) -> str:
        return f"M{self.number:04}"

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"


def mutants(game: Game) -> list[Mutant]:
    """All mutants of the game's rules."""
    return _Making(game).mutants()


def mutant(game: Game, number: int) -> Mutant:
    """One of them.

    Raises:
        InputError: there is no such number.
    """
    made = mutants(game)
    if not 1 <= number <= len(made):
        raise InputError(f"there is no mutant {number}: {game.id} has mutants 1 to {len(made)}")
    return made[number - 1]


class _Making:
    def __init__(self, game: Game) -> None:
        self.game = game
        first = game.actions[0] if game.actions else None
        self.states = {_first_parameter(action) for action in game.actions} if first else set()
        self.families = {
            choice.family
            for action in game.actions if action.by == PLAYER
            for choice in list(action.choices.values())[:1] if isinstance(choice, One)
        }  # fmt: skip
        self.players = {
            name for action in game.actions for name, choice in action.choices.items()
            if isinstance(choice, One) and choice.family in self.families & self._seats()
        }  # fmt: skip

    def _seats(self) -> set[str]:
        """The families whose members are the seats of a game."""
        preset = next(iter(self.game.presets.values()))
        setup = self.game.setup(preset.setups[0], self.game.player_counts[0], {}, None, False)
        seats = tuple(range(setup.players))
        return {name for name, family in self.game.families(setup).items() if family.members == seats}

    def mutants(self) -> list[Mutant]:
        made: list[Mutant] = []
        for piece in pieces(self.game):
            around = _Around(piece.statement)
            for change in self._changes(piece):
                line = getattr(change.node, "lineno", piece.statement.lineno)
                clause = self._clause(piece, change, around)
                made.append(Mutant(
                    len(made) + 1, change.kind, clause, file_of(piece), line, around.told(change),
                    tuple(action.name for action in piece.actions), piece, change,
                ))  # fmt: skip
        return made

    def _changes(self, piece: Piece) -> Iterator[Change]:
        scene = Scene(piece.module.__dict__, self.states, self.players)
        if isinstance(piece, RuleFunction):
            yield from in_function(piece.node, scene)
        else:
            for part in piece.parts:
                yield from in_declaration(part, scene)

    def _clause(self, piece: Piece, change: Change, around: _Around) -> str:
        """The nearest clause that the source names: around the change, in the function, of the action."""
        known = self.game.catalogue.clauses
        named = piece.node if isinstance(piece, RuleFunction) else None
        node: ast.AST | None = change.node
        while node is not None:
            whole = node is named
            if whole or isinstance(node, ast.Call):
                found = [text for text in _texts(node) if text in known]
                if found:
                    return found[0]
            node = around.parent(node)
        text = ast.get_docstring(named) if isinstance(named, ast.FunctionDef) else None
        words = [word.strip("(),.;:") for word in (text or "").split()]
        cited = [clause for action in piece.actions for clause in action.clauses]
        return next((each for each in (*words, *cited) if each in known), "")


def _first_parameter(action: Action) -> str:
    code = action.function.__code__
    return code.co_varnames[0] if code.co_argcount else ""


def _texts(node: ast.AST) -> list[str]:
    """The texts in a node, in the order of the source."""
    return [each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)]


class _Around:
    """What stands around the nodes of a statement."""

    def __init__(self, statement: ast.stmt) -> None:
        self._parents = {id(child): node for node in ast.walk(statement) for child in ast.iter_child_nodes(node)}

    def parent(self, node: ast.AST) -> ast.AST | None:
        return self._parents.get(id(node))

    def told(self, change: Change) -> str:
        """The change as a line, with as much around it as fits."""
        node, old, new = change.node, _shown(change.node), _shown(change.replacement)
        if isinstance(node, ast.stmt):
            return f"{_cut(old)} -> (nothing)"
        while True:
            outer = self.parent(node)
            if not isinstance(outer, ast.expr | ast.stmt | ast.keyword) or isinstance(outer, ast.FunctionDef | ast.For):
                break
            with replaced(outer_of(self, change.node), change.node, change.replacement):
                wider = _shown(outer)
            before = _shown(outer)
            if len(before) > LONGEST or "\n" in before:
                break
            node, old, new = outer, before, wider
        common = next((number for number, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), 0)
        start = 0 if max(len(old), len(new)) <= LONGEST else max(0, common - LEADING)
        return f"{_cut(old, start)} -> {_cut(new, start)}"


def outer_of(around: _Around, node: ast.AST) -> ast.AST:
    """The node's parent, which must exist."""
    outer = around.parent(node)
    assert outer is not None
    return outer


def _shown(node: ast.AST) -> str:
    if isinstance(node, ast.keyword):
        return f"{node.arg or '**'}={ast.unparse(node.value)}"
    return ast.unparse(ast.fix_missing_locations(node))


def _cut(text: str, start: int = 0) -> str:
    line = ("..." if start else "") + " ".join(text[start:].split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..."


# -- planting ------------------------------------------------------------------------------------------------------
@contextmanager
def replaced(parent: ast.AST, node: ast.AST, replacement: ast.AST) -> Iterator[None]:
    """The tree with another node in the place of one; as it was afterwards."""
    name, position = _place_of(parent, node)
    _put(parent, name, position, replacement)
    try:
        yield
    finally:
        _put(parent, name, position, node)


def _place_of(parent: ast.AST, node: ast.AST) -> tuple[str, int | None]:
    for name, value in ast.iter_fields(parent):
        if value is node:
            return name, None
        if isinstance(value, list):
            for position, each in enumerate(value):
                if each is node:
                    return name, position
    raise ValueError("the node is not a child of its parent")


def _put(parent: ast.AST, name: str, position: int | None, node: ast.AST) -> None:
    if position is None:
        setattr(parent, name, node)
    else:
        getattr(parent, name)[position] = node


class Planted:
    """The rules with a mistake, while a `with` block runs; it can be entered again and again.

    Compiled once: what has to change is kept, each time it is put in place and taken back.
    """

    def __init__(self, mutant: Mutant) -> None:
        self._changes: list[tuple[Any, str, Any]] = []
        self._undo: list[tuple[Any, str, Any]] = []
        piece, change = mutant.piece, mutant.change
        ast.copy_location(change.replacement, change.node)
        ast.fix_missing_locations(change.replacement)
        with replaced(outer_of(_Around(piece.statement), change.node), change.node, change.replacement):
            if isinstance(piece, RuleFunction):
                with _keeping(piece):
                    code = follow(compiled(piece.statement, piece.code), piece.way)
                self._changes = [(function, "__code__", code) for function in piece.functions]
                return
            made: dict[str, Any] = {}
            exec(compiled(piece.statement, piece.actions[0].function.__code__), piece.module.__dict__, made)
        self._alter(piece.declared, made[piece.name], set())

    def __enter__(self) -> Planted:
        for owner, name, value in self._changes:
            self._undo.append((owner, name, getattr(owner, name)))
            object.__setattr__(owner, name, value)
        return self

    def __exit__(self, *exception: object) -> None:
        while self._undo:
            owner, name, old = self._undo.pop()
            object.__setattr__(owner, name, old)

    def _alter(self, old: Any, new: Any, seen: set[int]) -> Any:
        """What has to stand where `old` stands: itself, holding what `new` holds, wherever others refer to it."""
        if old is new or id(old) in seen:
            return old
        seen.add(id(old))
        if isinstance(old, Action) and isinstance(new, Action):
            self._hold(old, new, ("phases", "when"), seen)
            for name, choice in old.choices.items():
                self._alter(choice, new.choices[name], seen)
        elif isinstance(old, Choice) and isinstance(new, Choice):
            self._hold(old, new, [entry.name for entry in fields(old)], seen)
        elif isinstance(old, Having) and isinstance(new, Having):
            self._hold(old, new, ("wanted", "also"), seen)
        elif isinstance(old, FunctionType) and isinstance(new, FunctionType) and old.__code__ == new.__code__:
            for mine, other in zip(old.__closure__ or (), new.__closure__ or (), strict=True):
                self._hold(mine, other, ("cell_contents",), seen)
        else:
            return new
        return old

    def _hold(self, old: Any, new: Any, names: Iterable[str], seen: set[int]) -> None:
        for name in names:
            was, wanted = getattr(old, name), getattr(new, name)
            altered = self._alter(was, wanted, seen)
            if altered is not was:
                self._changes.append((old, name, altered))


@contextmanager
def _keeping(piece: RuleFunction) -> Iterator[None]:
    """A closure goes on naming what it has bound, even if what is left of it does not: its cells must stay as many."""
    bound, node = piece.code.co_freevars, piece.node
    if not bound:
        yield
        return
    names = ast.Tuple([ast.Name(name, ast.Load()) for name in bound], ast.Load())
    if isinstance(node, ast.Lambda):
        body = node.body
        node.body = ast.IfExp(ast.Constant(True), body, names)
        ast.fix_missing_locations(ast.copy_location(node.body, body))
        try:
            yield
        finally:
            node.body = body
        return
    never = ast.If(ast.Constant(False), [ast.Expr(names)], [])
    ast.fix_missing_locations(ast.copy_location(never, node.body[-1]))
    node.body.append(never)
    try:
        yield
    finally:
        node.body.pop()
