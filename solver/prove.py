"""Proving all properties of a game at once, on every core, within a budget.

The model is built and its rules are traced once; worker processes are forked from that and share it. Each examines
one property after another, in a Z3 context of its own. Half of them begin with those that have least to prove, so that
a budget that ends early costs as few proofs as it can; the other half with those that have most, so that no long one is
left for the end; what is expected to fail comes last. Verdicts come back one by one. Nothing that happens to a worker
(killed, out of memory, stuck) or to us (interrupted, out of budget) costs more than the properties then in hand: these
are UNDETERMINED, with the reason.

A proof that was helped by an invariant which itself turns out not to be proved is worth nothing yet. Such properties
are examined again without that help, until every proof rests on proved invariants only.

Forked, workers need no pickling of the properties, which hold functions. Z3 starts a thread for its first time limit,
and threads do not survive a fork; so nothing is asked with a limit before.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import resource
import signal
import time
import traceback
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path

from model.language.errors import RuleError
from model.language.expression import INFINITY
from model.language.game import Model
from properties.declaration import Property
from solver.induction import UNDETERMINED, Prover, Verdict
from solver.proof_cache import ProofCache
from solver.ranges import range_properties
from solver.second_opinion import Disagreement, SecondOpinion

JUDGING = 3.0  # seconds to find out which properties are most work
GRACE = 1.0  # seconds that a worker may be late before it is ended
Progress = Callable[[Verdict, int, int], None]


class ProverError(Exception):
    """No proof can be trusted or even tried: a rule that cannot be traced, or a mistake of ours; says which."""


@dataclass(frozen=True)
class _Task:
    """A property to examine, without the help of some others."""

    prop: Property
    without: frozenset[str]


@dataclass
class _Worker:
    process: ForkProcess
    pipe: Connection
    largest_first: bool
    task: _Task | None = None


def prove(
    model_factory: Callable[[], Model],
    properties: Sequence[Property],
    *,
    budget_seconds: float = INFINITY,
    check_seconds: float = 10.0,
    processes: int | None = None,
    memory_megabytes: int = 4096,
    progress: Progress = lambda verdict, done, of: None,
    cache: ProofCache | None = None,
    cross_check: bool = False,
    smtlib: Path | None = None,
) -> list[Verdict]:
    """A verdict for each property that is for the solver, then for the range of each declared variable.

    Args:
        model_factory: yields the model to prove about, with its deck and readings as free as the claim shall be wide.
        properties: witnesses, and what is declared not to be proved, are left out.
        budget_seconds: for everything; what is not settled by then is UNDETERMINED.
        check_seconds: for one question to Z3.
        processes: by default one for each core.
        memory_megabytes: for each process.
        progress: called with each verdict as it comes, how many properties are settled, and of how many. A verdict that
            rested on an unproved invariant is followed by another one.
        cache: claims found there need not be proved again, and what is proved goes there.
        cross_check: put what each proof takes on Z3's word to cvc5 too; the verdict tells how much it confirmed.
        smtlib: a directory where that is written as SMT-LIB, a folder for each property. With either, all is proved
            again, whatever the cache holds.

    Raises:
        RuleError: the model cannot be built.
        InputError: cvc5 is not installed; the directory cannot be made.
        ProverError: a rule cannot be traced, or the evaluators disagree.
        Disagreement: cvc5 contradicts a proof.
    """
    second_opinion = SecondOpinion(cross_check, smtlib) if cross_check or smtlib else None
    deadline = time.monotonic() + budget_seconds
    claimed = [prop for prop in properties if prop.kind != "witness" and prop.prove]
    model = model_factory()
    claimed += range_properties(model)
    pool = _Pool(
        model, claimed, processes or os.cpu_count() or 1, memory_megabytes, check_seconds, deadline, progress, cache,
        second_opinion,
    )  # fmt: skip
    return pool.run()


@dataclass
class _Pool:
    model: Model
    claimed: Sequence[Property]
    processes: int
    memory_megabytes: int
    check_seconds: float
    deadline: float
    progress: Progress
    cache: ProofCache | None = None
    second_opinion: SecondOpinion | None = None
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    workers: list[_Worker] = field(default_factory=list)
    prover: Prover | None = None

    def run(self) -> list[Verdict]:
        """All verdicts, in the order of the properties."""
        why = ""
        # What the rulebook itself is known to break helps nobody.
        unreliable = {prop.id for prop in self.claimed if prop.expected == "REFUTED"}
        try:
            prover = self._build()
            works = self._works(prover)
            least_first = sorted(self.claimed, key=lambda prop: works.get(prop.id, 0))
            tasks = [_Task(prop, frozenset(unreliable)) for prop in least_first]
            why = self._round([task for task in tasks if task.prop.id not in unreliable])
            why = why or self._round([task for task in tasks if task.prop.id in unreliable])
            while not why:
                unreliable |= {verdict.id for verdict in self.verdicts.values() if not verdict.proved}
                resting = [prop for prop in self.claimed if self._rests_on(prop.id, unreliable)]
                if not resting:
                    break
                why = self._round([_Task(prop, frozenset(unreliable)) for prop in resting])
        except KeyboardInterrupt:
            why = "interrupted"
        finally:
            self._end()
            gc.unfreeze()
        return self._complete(why)

    def _build(self) -> Prover:
        """What all workers share. It stays as it is, so that no collection of garbage need look at it again."""
        try:
            known = self.cache.claims() if self.cache else None
            self.prover = Prover(
                self.model, self.claimed, check_seconds=self.check_seconds, known=known,
                second_opinion=self.second_opinion,
            )  # fmt: skip
        except RuleError as mistake:
            raise ProverError(str(mistake)) from mistake
        gc.collect()
        gc.freeze()
        return self.prover

    def _works(self, prover: Prover) -> dict[str, int]:
        """How much there is to prove of each property, as far as known soon: asked in a process that may die of it."""
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe()
        process = context.Process(target=_judge, args=(prover, self.claimed, theirs), daemon=True)
        process.start()
        theirs.close()
        found: dict[str, int] = {}
        begun = time.monotonic()
        end = begun + min(JUDGING, (self.deadline - begun) / 10)
        try:
            while ours.poll(max(0.0, end - time.monotonic())):
                name, work = ours.recv()
                found[name] = work
        except (EOFError, OSError):
            pass
        finally:
            process.kill()
            process.join(GRACE)
        return found

    def _rests_on(self, name: str, unreliable: set[str]) -> bool:
        verdict = self.verdicts[name]
        return verdict.proved and not verdict.hypotheses.isdisjoint(unreliable)

    def _complete(self, why: str) -> list[Verdict]:
        """The verdicts, those that are missing or rest on something unproved told so."""
        for prop in self.claimed:
            self.verdicts.setdefault(prop.id, Verdict(prop.id, UNDETERMINED, reason=why))
        fallen = True
        while fallen:
            unproved = {verdict.id for verdict in self.verdicts.values() if not verdict.proved}
            fallen = False
            for name, verdict in self.verdicts.items():
                if self._rests_on(name, unproved):
                    needed = ", ".join(sorted(verdict.hypotheses & unproved))
                    reason = f"proved only with the help of {needed}, which is not proved; {why}"
                    self.verdicts[name] = replace(verdict, verdict=UNDETERMINED, reason=reason)
                    fallen = True
        return [self.verdicts[prop.id] for prop in self.claimed]

    # -- workers -------------------------------------------------------------------------------------------------
    def _round(self, tasks: Sequence[_Task]) -> str:
        """Settle the tasks, given with the smallest first; why some could not be, or nothing."""
        waiting = deque(tasks)
        while waiting or any(worker.task for worker in self.workers):
            while len(self.workers) < min(self.processes, len(tasks)):
                self.workers.append(self._start())
            for worker in self.workers:
                if worker.task is None and waiting:
                    worker.task = waiting.pop() if worker.largest_first else waiting.popleft()
                    self._send(worker)
            left = self.deadline + GRACE - time.monotonic()
            if left <= 0:
                return "out of time"
            busy = {worker.pipe: worker for worker in self.workers if worker.task}
            for pipe in wait(list(busy), None if left == INFINITY else left):
                self._receive(busy[pipe])  # type: ignore[index]
        return ""

    def _start(self) -> _Worker:
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(self, ours, theirs), daemon=True)
        process.start()
        theirs.close()
        least = sum(not worker.largest_first for worker in self.workers)
        return _Worker(process, ours, largest_first=least > len(self.workers) - least)

    def _send(self, worker: _Worker) -> None:
        assert worker.task is not None
        with contextlib.suppress(OSError):  # it has died; receiving will tell
            worker.pipe.send((self.claimed.index(worker.task.prop), worker.task.without))

    def _receive(self, worker: _Worker) -> None:
        assert worker.task is not None
        try:
            message: Verdict | Disagreement | str = worker.pipe.recv()
        except (EOFError, OSError):
            worker.process.join(GRACE)
            message = Verdict(
                worker.task.prop.id, UNDETERMINED, reason=f"worker died (exit status {worker.process.exitcode})"
            )
            self.workers.remove(worker)
        if isinstance(message, Disagreement):
            raise message
        if isinstance(message, str):
            raise ProverError(message)
        worker.task = None
        if self.cache:
            self.cache.keep_claims(message.fresh)
        self.verdicts[message.id] = message
        self.progress(message, len(self.verdicts), len(self.claimed))

    def _end(self) -> None:
        for worker in self.workers:
            worker.process.kill()
        for worker in self.workers:
            worker.process.join(GRACE)
            worker.pipe.close()


def _work(pool: _Pool, ours: Connection, pipe: Connection) -> None:
    """A worker's life: answer until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal interrupts us all; the parent decides
    for inherited in (ours, *(worker.pipe for worker in pool.workers)):
        inherited.close()  # else nobody would notice that the parent is gone
    _limit_memory(pool.memory_megabytes)
    prover = pool.prover
    assert prover is not None
    prover.begin()
    while True:
        try:
            number, without = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(_examined(prover, pool.claimed[number], without, pool.deadline))
        except MemoryError:
            pipe.send(Verdict(pool.claimed[number].id, UNDETERMINED, reason="out of memory"))
        except Disagreement as found:
            pipe.send(found)
        except Exception:
            pipe.send(traceback.format_exc())


def _judge(prover: Prover, claimed: Sequence[Property], pipe: Connection) -> None:
    """Tell the work on each property, one by one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for prop in claimed:
        pipe.send((prop.id, prover.work(prop)))


def _examined(prover: Prover, prop: Property, without: frozenset[str], deadline: float) -> Verdict:
    """The verdict; a property that is not written to be proved costs only itself."""
    try:
        return prover.examine(prop, without, deadline)
    except RuleError as mistake:
        return Verdict(prop.id, UNDETERMINED, reason=str(mistake))


def _limit_memory(megabytes: int) -> None:
    """Beyond this, asking for memory fails in this process; the machine and the other workers stay as they are."""
    limit = megabytes * 2**20
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))
