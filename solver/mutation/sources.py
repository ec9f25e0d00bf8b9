"""The source of a game's rules: every function they consist of, and every declaration, found from the actions.

A rule is more than its action's body: the conditions on its choices, the functions they all call, the closures those
were made by. Whatever is reached from an action (or from the test for the end of the game) and stands in a module
beside one that declares an action is a rule; the language is not, and neither are the set-up and what a player sees.

A piece of source is found again in what is running: a function by its code object, which is looked for in the compiled
statement around it; a declaration (an action with its choices, a `Having`, a choice that several actions share) by the
name it is bound to. So a mutated statement, compiled anew, yields what must take the place of what.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from model.language.game import Game
from model.language.rule import Action, Choice, Having

Scope = ast.FunctionDef | ast.Lambda


@dataclass(eq=False)
class RuleFunction:
    """A function of the rules.

    Attributes:
        functions: the function objects that run this code (a closure's code has many).
        statement, node: the top-level statement around it, and its own definition in that.
        way: which nested code object of the compiled statement it is, at each depth.
        actions: the rules it is part of, in their order.
    """

    code: CodeType
    functions: list[FunctionType]
    module: ModuleType
    statement: ast.stmt
    node: Scope
    way: tuple[int, ...]
    actions: list[Action] = field(default_factory=list)


@dataclass(eq=False)
class RuleDeclaration:
    """An action, a `Having` or a shared choice as it is declared.

    Attributes:
        declared: the object. name: what it is bound to. parts: the expressions that declare it.
        actions: the rules it is part of.
    """

    declared: Any
    name: str
    module: ModuleType
    statement: ast.stmt
    parts: list[ast.expr]
    actions: list[Action] = field(default_factory=list)


Piece = RuleFunction | RuleDeclaration


def pieces(game: Game) -> list[Piece]:
    """All of the rules' source, by module in the order of the actions, and by line."""
    return _Search(game).pieces()


def file_of(piece: Piece) -> str:
    """The file's name, as reports give places."""
    return Path(piece.module.__file__ or piece.module.__name__).name


class _Search:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.folders = {action.function.__module__.rpartition(".")[0] for action in game.actions}
        self.beside = {action.function.__module__ for action in game.actions}
        self.actions = {id(action): action for action in game.actions}
        self.trees: dict[str, ast.Module] = {}
        self.children: dict[int, list[Any]] = {}
        self.found: dict[int, tuple[Any, list[Action]]] = {}

    def pieces(self) -> list[Piece]:
        for action in self.game.actions:
            self._reach(action, [action])
        self._reach(self.game.over, [])
        order = {name: number for number, name in enumerate(self._modules())}
        found: list[Piece] = [*self._functions(), *self._declarations()]
        return sorted(found, key=lambda piece: (order[piece.module.__name__], *_line(piece)))

    def _modules(self) -> list[str]:
        names = [action.function.__module__ for action in self.game.actions]
        names += [part.__module__ for part, _ in self.found.values() if isinstance(part, FunctionType)]
        return list(dict.fromkeys(names))

    # -- what is reached ---------------------------------------------------------------------------------------------
    def _reach(self, start: Any, by: list[Action]) -> None:
        stack, seen = [start], set()
        while stack:
            part = stack.pop()
            if id(part) in seen:
                continue
            seen.add(id(part))
            self.found.setdefault(id(part), (part, []))[1].extend(by)
            stack.extend(self._parts(part))

    def _parts(self, part: Any) -> list[Any]:
        if id(part) not in self.children:
            self.children[id(part)] = [each for each in _parts(part) if self._belongs(each)]
        return self.children[id(part)]

    def _belongs(self, part: Any) -> bool:
        if isinstance(part, FunctionType):
            module = part.__module__
            return module in self.beside or ("." in module and module.rpartition(".")[0] in self.folders)
        return isinstance(part, Choice | Having)

    # -- where it stands ---------------------------------------------------------------------------------------------
    def _functions(self) -> Iterator[RuleFunction]:
        by_code: dict[int, RuleFunction] = {}
        for part, actions in self.found.values():
            if not isinstance(part, FunctionType):
                continue
            known = by_code.get(id(part.__code__)) or self._function(part)
            if known is not None:
                by_code[id(part.__code__)] = known
                known.functions += [part] if part not in known.functions else []
                known.actions = list(dict.fromkeys([*known.actions, *actions]))
        yield from by_code.values()

    def _function(self, function: FunctionType) -> RuleFunction | None:
        module, code = sys.modules[function.__module__], function.__code__
        for statement in self._tree(module).body:
            if not statement_start(statement) <= code.co_firstlineno <= (statement.end_lineno or 0):
                continue
            way = _way_to(compiled(statement, code), code)
            nodes: list[Any] = [node for node in ast.walk(statement) if _defines(node, code)]
            if way is not None and nodes:
                node = nodes[0] if len(nodes) == 1 else _around(nodes, code)
                return RuleFunction(code, [], module, statement, node, way)
        return None

    def _declarations(self) -> Iterator[RuleDeclaration]:
        reached = {id(part): actions for part, actions in self.found.values() if not isinstance(part, FunctionType)}
        seen: set[int] = set()
        for name in self._modules():
            module = sys.modules[name]
            for statement in self._tree(module).body:
                bound = _bound(statement)
                declared = module.__dict__.get(bound) if bound else None
                if declared is not None and id(declared) in reached and id(declared) not in seen:
                    seen.add(id(declared))
                    actions = list(dict.fromkeys(reached[id(declared)]))
                    yield RuleDeclaration(declared, bound, module, statement, _declaring(statement), actions)

    def _tree(self, module: ModuleType) -> ast.Module:
        if module.__name__ not in self.trees:
            self.trees[module.__name__] = ast.parse(inspect.getsource(module))
        return self.trees[module.__name__]


def _parts(part: Any) -> Iterable[Any]:
    """What something of a rule refers to."""
    if isinstance(part, Action):
        return [part.function, part.when, *part.choices.values()]
    if isinstance(part, Choice):
        return [part.where, getattr(part, "limit", None), getattr(part, "total", None)]
    if isinstance(part, Having):
        return [part.also]
    return list(_referred(part))


def _referred(function: FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # a name that its function has not bound yet
            continue
    names = [name for code in nested(function.__code__) for name in code.co_names]
    for name in names:
        value = function.__globals__.get(name)
        if isinstance(value, ModuleType):
            yield from (value.__dict__.get(other) for other in names)
        elif isinstance(value, Action):
            yield value.function
        else:
            yield value


def nested(code: CodeType) -> Iterator[CodeType]:
    """The code object and all it contains."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested(constant)


# -- statements and code -------------------------------------------------------------------------------------------
def compiled(statement: ast.stmt, like: CodeType) -> CodeType:
    """The statement as a module of its own, compiled as `like` was."""
    future = 0x1000000 & like.co_flags  # annotations are texts: `from __future__ import annotations`
    module = ast.Module([statement], [])
    code: CodeType = compile(module, like.co_filename, "exec", flags=future, dont_inherit=True)
    return code


def follow(code: CodeType, way: Iterable[int]) -> CodeType:
    """The nested code object at the end of the way."""
    for position in way:
        code = [constant for constant in code.co_consts if isinstance(constant, CodeType)][position]
    return code


def _way_to(code: CodeType, wanted: CodeType) -> tuple[int, ...] | None:
    ways = list(_ways(code, ()))
    same = [way for way, found in ways if found == wanted]
    alike = [
        way for way, found in ways
        if (found.co_name, found.co_firstlineno) == (wanted.co_name, wanted.co_firstlineno)
    ]  # fmt: skip
    return next(iter([*same, *alike]), None)


def _ways(code: CodeType, way: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], CodeType]]:
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    for position, each in enumerate(inner):
        yield (*way, position), each
        yield from _ways(each, (*way, position))


def _defines(node: ast.AST, code: CodeType) -> bool:
    if isinstance(node, ast.FunctionDef):
        return (node.name, statement_start(node)) == (code.co_name, code.co_firstlineno)
    return isinstance(node, ast.Lambda) and ("<lambda>", node.lineno) == (code.co_name, code.co_firstlineno)


def _around(nodes: list[Any], code: CodeType) -> Any:
    """Of several lambdas in a line, the one that the code was compiled from."""
    places = [(line, column) for line, _, column, end in code.co_positions() if line and column is not None and end]
    body = [(node, (node.body.lineno, node.body.col_offset), (node.body.end_lineno, node.body.end_col_offset))
            for node in nodes]  # fmt: skip
    return next((node for node, low, high in body if all(low <= place < high for place in places)), nodes[0])


def statement_start(node: ast.stmt | Scope) -> int:
    """The first line, decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def _line(piece: Piece) -> tuple[int, int, bool]:
    node = piece.node if isinstance(piece, RuleFunction) else piece.parts[0]
    return node.lineno, node.col_offset, isinstance(piece, RuleFunction)


def _bound(statement: ast.stmt) -> str:
    if isinstance(statement, ast.FunctionDef) and statement.decorator_list:
        return statement.name
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    return ""


def _declaring(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.FunctionDef):
        return list(statement.decorator_list)
    assert isinstance(statement, ast.Assign)
    return [statement.value]

