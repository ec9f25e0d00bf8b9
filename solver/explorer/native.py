"""Rules as machine code: what `program` does to a block column by column, done one state after another.

NumPy touches memory for every node of every rule. Compiled, a state is loaded once, guards leave early, and what they
compute stays in registers. LLVM is used directly (`llvmlite`, a wheel: users need no compiler), on text written from
the expressions: they are typed and in single-assignment form already, so a front end would only cost time.
The tree of guards is cut into functions of bounded size, since optimisers take more than linear time.

Two things keep this small. The code decides nothing: whatever a search has to act on (a property broken, a value
outside its domain) it notes, and the block is done again on columns. And what is known when it is compiled needs no
code: conditions that have kept a state out, properties that are decided.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import llvmlite.binding as llvm

from model.language.expression import Symbolic, Term
from solver.explorer.packing import explored
from solver.explorer.program import Branch, Program

FUNCTION = 1500  # expression nodes, about, that one function evaluates
_CONTEXT = ("words", "stride", "successors", "capacity", "rows", "ranks", "notes", "tally", "first", "last")
CONTEXT = {name: place for place, name in enumerate(_CONTEXT)}
TERMINAL, STUCK = 0, 1  # in the tally


@dataclass
class Notes:
    """What the code is to note when some state of a block, or some move from one, meets it.

    `conditions` are to be noted when false; the others when true.
    """

    states: Sequence[Term] = ()
    steps: Sequence[Sequence[tuple[int, Term]]] = ()  # by path: the number of the note, and the term
    size: int = 0
    conditions: dict[int, int] = field(default_factory=dict)  # the number of a condition -> that of its note
    outside: int = 0  # the note of a value outside its domain


def firing_order(root: Branch) -> list[int]:
    """The paths in the order in which `Program.firings` yields them."""
    order: list[int] = []
    stack = [root]
    while stack:
        branch = stack.pop()
        order += branch.paths
        stack.extend(child for _, child in branch.further.values())
    return order


def conditions(root: Branch) -> dict[int, Symbolic]:
    """Every condition in a tree of guards, by its number."""
    found: dict[int, Symbolic] = {}
    stack = [root]
    while stack:
        for condition, child in stack.pop().further.values():
            found[condition.number] = condition
            stack.append(child)
    return found


class Library:
    """Machine code made from LLVM text, its functions callable without Python's lock; freed with the last of them.

    Args:
        optimised: False for code in a fifth of the time that is half as fast: only variables are put into registers.
    """

    def __init__(self, text: str, optimised: bool) -> None:
        _start_llvm()
        level = 2 if optimised else 0
        machine = llvm.Target.from_default_triple().create_target_machine(
            cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=level, jit=True
        )
        module = llvm.parse_assembly(text)
        builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=level))
        passes = llvm.create_new_function_pass_manager()
        passes.add_sroa_pass()
        passes.add_simplify_cfg_pass()
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)
        if optimised:
            builder.getModulePassManager().run(module, builder)
        self._engine = llvm.create_mcjit_compiler(module, machine)
        self._engine.finalize_object()

    def function(self, name: str, *arguments: Any, result: Any = ctypes.c_int64) -> Callable[..., int]:
        """A function of the library; `arguments` and `result` are its types."""
        called = ctypes.CFUNCTYPE(result, *arguments)(self._engine.get_function_address(name))
        called.library = self  # type: ignore[attr-defined]  # the code is there as long as it can be called
        return called


@cache
def _start_llvm() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


class Writer:
    """LLVM text of one function that evaluates expressions on a state in the values %w0, %w1 ...; each node once.

    What is evaluated in a `scope` is forgotten after it, as the code there may not have run.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.lines: list[str] = []
        self._known: dict[int, str] = {}
        self._order: list[int] = []
        self._names = 0

    def line(self, text: str) -> None:
        """One line as it stands."""
        self.lines.append(text)

    def name(self, kind: str = "v") -> str:
        """A name that is new in this function."""
        self._names += 1
        return f"{kind}{self._names}"

    def value(self, text: str) -> str:
        """The name of the value that an instruction gives."""
        name = "%" + self.name()
        self.lines.append(f"{name} = {text}")
        return name

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Forget afterwards what is evaluated within."""
        before = len(self._order)
        yield
        for number in self._order[before:]:
            del self._known[number]
        del self._order[before:]

    def condition(self, term: Term) -> str:
        """A truth value, as an i1."""
        return self._evaluated(term) if term.__class__ is Symbolic else str(bool(term)).lower()

    def integer(self, term: Term, width: int = 64) -> str:
        """An integer, or a truth value as 0 or 1, of so many bits: what does not fit is cut off."""
        if term.__class__ is not Symbolic:
            return str(_wrapped(int(term), width))
        found, own = self._evaluated(term), _width(term)
        if own == width:
            return found
        how = "zext" if own == 1 else "sext" if own < width else "trunc"
        return self.value(f"{how} i{own} {found} to i{width}")

    def _evaluated(self, term: Symbolic) -> str:
        known, stack = self._known, [term]
        while stack:
            node = stack[-1]
            waiting = [a for a in node.arguments if a.__class__ is Symbolic and a.number not in known]
            if waiting and node.number not in known:
                stack.extend(waiting)
                continue
            stack.pop()
            if node.number not in known:
                known[node.number] = getattr(self, f"_{node.operation}")(node)
                self._order.append(node.number)
        return known[term.number]

    def _var(self, node: Symbolic) -> str:
        place = self.program.place(node)
        shifted = self.value(f"lshr i64 %w{place.word}, {place.shift}") if place.shift else f"%w{place.word}"
        if node.boolean:
            return self.value(f"trunc i64 {shifted} to i1")
        value = self.value(f"and i64 {shifted}, {_wrapped(place.mask, 64)}")
        if _width(node) == 32:
            value = self.value(f"trunc i64 {value} to i32")
        return self.value(f"add i{_width(node)} {value}, {place.low}") if place.low else value

    def _sum(self, node: Symbolic) -> str:
        coefficients, constant = node.detail
        width = _width(node)
        result = str(_wrapped(constant, width))
        for coefficient, argument in zip(coefficients, node.arguments, strict=True):
            value = self.integer(argument, width)
            if coefficient == -1:
                result = self.value(f"sub i{width} {result}, {value}")
                continue
            if coefficient != 1:
                value = self.value(f"mul i{width} {value}, {_wrapped(coefficient, width)}")
            result = self.value(f"add i{width} {result}, {value}")
        return result

    def _product(self, node: Symbolic) -> str:
        one, other = (self.integer(argument, _width(node)) for argument in node.arguments)
        return self.value(f"mul i{_width(node)} {one}, {other}")

    def _compared(self, how: str, node: Symbolic) -> str:
        width = max(_width(argument) for argument in node.arguments)
        one, other = (self.integer(argument, width) for argument in node.arguments)
        return self.value(f"icmp {how} i{width} {one}, {other}")

    def _equal(self, node: Symbolic) -> str:
        return self._compared("eq", node)

    def _less(self, node: Symbolic) -> str:
        return self._compared("slt", node)

    def _connected(self, how: str, node: Symbolic) -> str:
        result, *others = map(self.condition, node.arguments)
        for other in others:
            result = self.value(f"{how} i1 {result}, {other}")
        return result

    def _and(self, node: Symbolic) -> str:
        return self._connected("and", node)

    def _or(self, node: Symbolic) -> str:
        return self._connected("or", node)

    def _not(self, node: Symbolic) -> str:
        return self.value(f"xor i1 {self.condition(node.arguments[0])}, true")

    def _choose(self, node: Symbolic) -> str:
        condition, *values = node.arguments
        width = _width(node)
        where = self.condition(condition)
        one, other = map(self.condition, values) if width == 1 else (self.integer(each, width) for each in values)
        return self.value(f"select i1 {where}, i{width} {one}, i{width} {other}")


def _width(term: Term) -> int:
    """The bits of the narrowest type in use that holds every value of the term."""
    if term.__class__ is not Symbolic:
        return 1 if term.__class__ is bool else 32 if -(2**31) <= term < 2**31 else 64
    if term.boolean:
        return 1
    return 32 if term.low >= -(2**31) and term.high < 2**31 else 64


def _wrapped(value: int, width: int) -> int:
    """The value modulo 2^width, as a signed number."""
    half: int = 2 ** (width - 1)
    return (value + half) % (2 * half) - half


def expansion(program: Program, over: Term, notes: Notes) -> str:
    """The text of `expand(context, begin, end)`: from a range of a block's states, every successor.

    It returns the index after the last successor, or -1 where there is no room for all. The context is an array of
    64-bit values, named by `CONTEXT`: addresses of the block and of what is filled, and their sizes.
    """
    return _Expansion(program, over, notes).text()


class _Expansion:
    def __init__(self, program: Program, over: Term, notes: Notes) -> None:
        self.program, self.notes = program, notes
        self.rank = {path: rank for rank, path in enumerate(firing_order(program.guards))}
        words = range(program.packing.words)
        self.parameters = "ptr %context, i64 %row, i64 %first, " + ", ".join(f"i64 %w{word}" for word in words)
        self.arguments = self.parameters.replace("%first", "{first}")
        self.functions: list[str] = []
        self.cut = self._cut()
        self.root = self._branches(program.guards)
        self.claimed = self._claims()
        self._loop(over)

    def text(self) -> str:
        return "\n".join(self.functions)

    def _cut(self) -> set[int]:
        """The branches (by identity) that become functions of their own, chosen from the leaves up."""
        cut: set[int] = set()
        weights: dict[int, int] = {}
        stack = [(self.program.guards, False)]
        while stack:
            branch, done = stack.pop()
            children = [child for _, child in branch.further.values()]
            if not done:
                stack.append((branch, True))
                stack.extend((child, False) for child in children)
                continue
            weight = len(children) + sum(self._weight(path) for path in branch.paths)
            weight += sum(weights.pop(id(child)) for child in children)
            if weight > FUNCTION:
                cut.add(id(branch))
                weight = 1
            weights[id(branch)] = weight
        return cut

    def _weight(self, path: int) -> int:
        terms = [term for change in self.program.changes(path) for _, term in change.computed]
        terms += [term for _, term in self.notes.steps[path]]
        return 5 + _nodes(terms)

    def _function(self, writer: Writer, name: str) -> str:
        body = "\n".join(writer.lines)
        self.functions.append(f"define internal i64 @{name}({self.parameters}) {{\n{body}\n}}\n")
        return name

    def _branches(self, root: Branch) -> str:
        """A function for a branch and what is below it, as far as it is not cut off."""
        writer = Writer(self.program)
        writer.line("%count = alloca i64\nstore i64 %first, ptr %count")
        self._branch(writer, root)
        writer.line(f"ret i64 {writer.value('load i64, ptr %count')}")
        return self._function(writer, f"branch{len(self.functions)}")

    def _branch(self, writer: Writer, branch: Branch) -> None:
        for path in branch.paths:
            with writer.scope():
                self._move(writer, path)
        for condition, child in branch.further.values():
            holds = writer.condition(condition)
            then, after = writer.name("then"), writer.name("after")
            if condition.number in self.notes.conditions:
                self._note(writer, self.notes.conditions[condition.number], writer.value(f"xor i1 {holds}, true"))
            writer.line(f"br i1 {holds}, label %{then}, label %{after}\n{then}:")
            with writer.scope():
                if id(child) in self.cut:
                    self._call(writer, self._branches(child))
                else:
                    self._branch(writer, child)
            writer.line(f"br label %{after}\n{after}:")

    def _call(self, writer: Writer, function: str) -> None:
        count = writer.value("load i64, ptr %count")
        after = writer.value(f"call i64 @{function}({self.arguments.format(first=count)})")
        writer.line(f"store i64 {after}, ptr %count")

    def _move(self, writer: Writer, path: int) -> None:
        """The successor of the state by a path that it allows."""
        for number, term in self.notes.steps[path]:
            self._note(writer, number, writer.condition(term))
        for cell, term in self.program.doubtful(path):
            value, (low, high) = writer.integer(term), explored(cell.domain)
            lower, higher = writer.value(f"icmp slt i64 {value}, {low}"), writer.value(f"icmp sgt i64 {value}, {high}")
            self._note(writer, self.notes.outside, writer.value(f"or i1 {lower}, {higher}"))
        words = [f"%w{word}" for word in range(self.program.packing.words)]
        for change in self.program.changes(path):
            word = writer.value(f"and i64 {words[change.word]}, {_wrapped(int(change.keep), 64)}")
            if change.bits:
                word = writer.value(f"or i64 {word}, {_wrapped(int(change.bits), 64)}")
            for bits, term in change.computed:
                value = writer.integer(term)
                if bits.low:
                    value = writer.value(f"sub i64 {value}, {bits.low}")
                if bits.shift:
                    value = writer.value(f"shl i64 {value}, {bits.shift}")
                word = writer.value(f"or i64 {word}, {value}")
            words[change.word] = word
        count = writer.value("load i64, ptr %count")
        place_of_word = count
        capacity = _context(writer, "capacity") if len(words) > 1 else ""
        successors = _context(writer, "successors", "ptr")
        for number, word in enumerate(words):
            if number:
                place_of_word = writer.value(f"add i64 {place_of_word}, {capacity}")
            place = writer.value(f"getelementptr i64, ptr {successors}, i64 {place_of_word}")
            writer.line(f"store i64 {word}, ptr {place}")
        row = writer.value("trunc i64 %row to i32")
        for name, value in (("rows", row), ("ranks", str(self.rank[path]))):
            table = _context(writer, name, "ptr")
            writer.line(f"store i32 {value}, ptr {writer.value(f'getelementptr i32, ptr {table}, i64 {count}')}")
        writer.line(f"store i64 {writer.value(f'add i64 {count}, 1')}, ptr %count")

    def _note(self, writer: Writer, number: int, met: str) -> None:
        notes = _context(writer, "notes", "ptr")
        place = writer.value(f"getelementptr i8, ptr {notes}, i64 {number}")
        byte = writer.value(f"zext i1 {met} to i8")
        before = writer.value(f"load i8, ptr {place}")
        writer.line(f"store i8 {writer.value(f'or i8 {before}, {byte}')}, ptr {place}")

    def _claims(self) -> list[str]:
        """Functions that note what holds in a state, each of about the same size."""
        parts: list[list[int]] = [[]]
        weight = 0
        for number, term in enumerate(self.notes.states):
            size = _nodes([term])
            if parts[-1] and weight + size > FUNCTION:
                parts.append([])
                weight = 0
            parts[-1].append(number)
            weight += size
        functions = []
        for part in parts if parts[0] else []:
            writer = Writer(self.program)
            for number in part:
                self._note(writer, number, writer.condition(self.notes.states[number]))
            writer.line("ret i64 %first")
            functions.append(self._function(writer, f"claims{len(self.functions)}"))
        return functions

    def _loop(self, over: Term) -> None:
        writer = Writer(self.program)
        writer.line("entry:\n%count = alloca i64")
        words, stride = _context(writer, "words", "ptr"), _context(writer, "stride")
        first, last = _context(writer, "first"), _context(writer, "last")
        writer.line(f"store i64 {first}, ptr %count\nbr label %loop")
        writer.line("loop:\n%row = phi i64 [%begin, %entry], [%next, %done]")
        writer.line("%more = icmp slt i64 %row, %end\nbr i1 %more, label %body, label %full\nbody:")
        before = writer.value("load i64, ptr %count")
        worst = writer.value(f"add i64 {before}, {len(self.rank)}")
        writer.line(f"%room = icmp sle i64 {worst}, {last}\nbr i1 %room, label %expand, label %short\nexpand:")
        place = "%row"
        for word in range(self.program.packing.words):
            if word:
                place = writer.value(f"add i64 {place}, {stride}")
            writer.line(f"%w{word} = load i64, ptr {writer.value(f'getelementptr i64, ptr {words}, i64 {place}')}")
        for function in self.claimed:
            writer.line(f"call i64 @{function}({self.arguments.format(first=before)})")
        self._call(writer, self.root)
        after = writer.value("load i64, ptr %count")
        ended = writer.condition(over)
        none = writer.value(f"icmp eq i64 {before}, {after}")
        going = writer.value(f"xor i1 {ended}, true")
        tally = _context(writer, "tally", "ptr")
        for number, met in ((TERMINAL, ended), (STUCK, writer.value(f"and i1 {none}, {going}"))):
            counter = writer.value(f"getelementptr i64, ptr {tally}, i64 {number}")
            add = writer.value(f"zext i1 {met} to i64")
            total = writer.value(f"load i64, ptr {counter}")
            writer.line(f"store i64 {writer.value(f'add i64 {total}, {add}')}, ptr {counter}")
        writer.line("br label %done\ndone:\n%next = add i64 %row, 1\nbr label %loop")
        writer.line("full:\n%found = load i64, ptr %count\nret i64 %found\nshort:\nret i64 -1")
        body = "\n".join(writer.lines)
        self.functions.append(f"define i64 @expand(ptr %context, i64 %begin, i64 %end) {{\n{body}\n}}\n")


def _context(writer: Writer, name: str, kind: str = "i64") -> str:
    place = writer.value(f"getelementptr i64, ptr %context, i64 {CONTEXT[name]}")
    return writer.value(f"load {kind}, ptr {place}")


def _nodes(terms: Sequence[Term]) -> int:
    """How many different nodes the terms have."""
    seen: set[int] = set()
    stack = [term for term in terms if term.__class__ is Symbolic]
    while stack:
        node = stack.pop()
        if node.number not in seen:
            seen.add(node.number)
            stack.extend(argument for argument in node.arguments if argument.__class__ is Symbolic)
    return len(seen)
