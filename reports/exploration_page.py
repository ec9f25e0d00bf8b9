"""What `ruleproof explore` shows: a table on the terminal, and `exploration.md` with all that a reader may ask for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reports.exploration_document import ExplorationReport, ExploredSetup, PerftTable, ShortestGame
from reports.wording import counted, duration, shortened, visible

_LISTED = 40  # first moves of a `divide` table, depths of a histogram


def summary(report: ExplorationReport) -> str:
    """The result in at most 100 columns, bad news first."""
    lines = [f"{shortened(report.title, 60)}: {_headline(report)}", ""]
    lines += [f"Broken    {line}" for line in _broken(report)]
    lines += [shortened(f"Stopped   {setup.name}: {setup.stopped}", 300) for setup in report.setups if setup.stopped]
    lines += [f"Unwritten {shortened(trouble, 300)}" for trouble in report.unwritten]
    if lines[-1]:
        lines.append("")
    numbers = f"{'States':>12} {'Transitions':>13} {'Depth':>6} {'Terminal':>9} {'States/s':>10}"
    lines.append(f"{'Set-up':22} {numbers}  Finished")
    for setup in report.setups:
        lines.append(
            f"{shortened(setup.name, 22):22} {setup.states:>12,} {setup.transitions:>13,} {setup.depth:>6,} "
            f"{setup.terminal:>9,} {setup.states_per_second:>10,.0f}  {'yes' if setup.complete else 'no'}"
        )
    if len(report.setups) == 1:
        lines += ["", *_details(report.setups[0])]
    lines += ["", f"Took {duration(report.seconds)}, {report.states_per_second:,.0f} states a second in all."]
    return "\n".join(lines) + "\n"


def _headline(report: ExplorationReport) -> str:
    done = sum(setup.complete for setup in report.setups)
    ended = "each explored to its end" if report.complete else f"{done:,} explored to their end"
    total = f"{counted(report.states, 'state')}, {counted(report.transitions, 'transition')}"
    return f"{counted(len(report.setups), 'set-up')}, {ended}; {total}."


def _broken(report: ExplorationReport) -> Iterator[str]:
    for setup in report.setups:
        for id, game in setup.violations.items():
            known = " (the rulebook is known to break it)" if id in report.expected else ""
            yield shortened(f"{setup.name}: {id}{known}, by {_told(game)}", 300)
        if setup.deadlock is not None:
            yield shortened(f"{setup.name}: {counted(setup.deadlocks, 'deadlock')}, by {_told(setup.deadlock)}", 300)
        if setup.mistake is not None:
            yield shortened(f"{setup.name}: {setup.mistake}", 1000)


def _told(game: ShortestGame) -> str:
    return f"a game of {counted(game.moves, 'move')}{f': {game.file}' if game.file else ''}"


def _details(setup: ExploredSetup) -> Iterator[str]:
    for outcome in setup.outcomes or ():
        told = ", ".join(f"{name}: {value}" for name, value in outcome.outcome.items())
        yield f"Ends      {shortened(told, 60)}: {counted(outcome.states, 'state')}, from {_moves(outcome.shortest)} on"
    if setup.components is not None:
        found = setup.components
        yield (
            f"Cycles    {counted(found.on_cycles, 'state')} on cycles; {counted(found.number, 'component')}, "
            f"the largest of {counted(found.largest, 'state')}"
        )
    if setup.perft is not None:
        yield from _perft(setup.perft)


def _moves(game: ShortestGame) -> str:
    return counted(game.moves, "move")


def _perft(table: PerftTable) -> Iterator[str]:
    yield from (f"Perft {length:>3} {number:>26,}" for length, number in enumerate(table.counts))
    yield from (f"Divide    {number:>26,}  {shortened(move, 60)}" for move, number in _first(table))
    if len(table.divide) > _LISTED:
        yield f"          and {len(table.divide) - _LISTED:,} more first moves in exploration.json"


def _first(table: PerftTable) -> list[tuple[str, int]]:
    return sorted(table.divide.items(), key=lambda item: (-item[1], item[0]))[:_LISTED]


def markdown(report: ExplorationReport) -> str:
    """The report as Markdown."""
    parts = [f"# {_cell(report.title)}: exploration", "", _headline(report)]
    parts += ["", f"`{shortened(report.command, 300)}`, {duration(report.seconds)}"]
    parts += ["", *[f"- **Broken**: {_cell(line)}" for line in _broken(report)]]
    rows = [
        (setup.name, f"{setup.states:,}", f"{setup.transitions:,}", f"{setup.depth:,}", f"{setup.terminal:,}",
         f"{setup.deadlocks:,}", f"{setup.collision_probability:.1e}", "yes" if setup.complete else setup.stopped)
        for setup in report.setups
    ]  # fmt: skip
    header = ("Set-up", "States", "Transitions", "Depth", "Terminal", "Deadlocks", "Collision probability", "Finished")
    parts += ["", *_table(header, rows)]
    for setup in report.setups:
        parts += ["", *_section(setup)]
    return "\n".join(parts) + "\n"


def _section(setup: ExploredSetup) -> Iterator[str]:
    yield f"## {_cell(setup.name)}"
    yield ""
    yield _cell(setup.purpose)
    for outcome in setup.outcomes or ():
        told = ", ".join(f"{name}: {value}" for name, value in outcome.outcome.items())
        yield f"- Ends, {_cell(told)}: {counted(outcome.states, 'state')}, from {_moves(outcome.shortest)} on"
    if setup.components is not None:
        found = setup.components
        yield (f"- Strongly connected components: {found.number:,}, the largest of {counted(found.largest, 'state')}; "
               f"{counted(found.on_cycles, 'state')} on cycles")  # fmt: skip
    if setup.depth_histogram:
        yield f"- New states by depth: {', '.join(f'{states:,}' for states in setup.depth_histogram)}"
    if setup.disk:
        yield f"- Bytes in memory: {setup.memory:,}; on disk: {setup.disk:,}"
    if setup.action_counts:
        taken = {name: times for name, times in setup.action_counts.items() if times}
        yield f"- Transitions by action: {', '.join(f'{name} {times:,}' for name, times in taken.items())}"
    if setup.witnesses:
        reached = ", ".join(f"{id} ({_moves(game)})" for id, game in setup.witnesses.items())
        yield f"- Reached, by shortest games: {reached}"
    if setup.perft is not None:
        yield f"- Perft: {', '.join(f'{number:,}' for number in setup.perft.counts)}"
        yield ""
        yield from _table(("First move", "Sequences"), [(move, f"{number:,}") for move, number in _first(setup.perft)])


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(header)} |"
    yield f"|{' --- |' * len(header)}"
    for row in rows:
        yield f"| {' | '.join(map(_cell, row))} |"


def _cell(text: str) -> str:
    """Text from outside, harmless inside Markdown."""
    line = " ".join(visible(text).split())
    return line.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "\\`")
