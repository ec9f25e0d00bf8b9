"""The folded graphs of many explorations as one: what play can do, over all set-ups together.

A tiny set-up reaches a part of the rules; the reader wants the round. Nodes of the same text are one node, their
counts add up, and of two shortest games to an edge the shorter one stays, with the set-up it is played in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import networkx as nx

from reports import graphs
from reports.document import GraphFile
from reports.evidence import Evidence
from reports.registry import Entry


def write(entry: Entry, evidence: Evidence, out: Path) -> list[GraphFile]:
    """Write the graph of the phases, and the finer one of the game's own view, as `out/graphs/*`.

    Raises:
        OutputError: a file can't be written.
    """
    found = {name: run.graph for name, run in evidence.explored.items() if run.graph is not None}
    if not found:
        return []
    over = f", over {len(found)} set-ups" if len(found) > 1 else ""
    files = [graphs.save(merged(found, _phase), name="phases", title=f"Phases of the game{over}", out=out)]
    if entry.finest is not None:
        files.append(graphs.save(merged(found, _all_parts), name="turns", title=f"{entry.finest.title}{over}", out=out))
    return files


def merged(
    found: Mapping[str, nx.MultiDiGraph[str]], text: Callable[[Mapping[str, Any]], str]
) -> nx.MultiDiGraph[str]:
    """The graphs of several set-ups as one, nodes of the same text taken together."""
    whole: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for name, graph in found.items():
        texts = {node: text(facts) for node, facts in graph.nodes(data=True)}
        for node, facts in graph.nodes(data=True):
            _add_node(whole, texts[node], facts)
        for source, target, action, facts in graph.edges(keys=True, data=True):
            _add_edge(whole, texts[source], texts[target], action, facts, name)
    return whole


def _phase(facts: Mapping[str, Any]) -> str:
    return str(facts["group"])


def _all_parts(facts: Mapping[str, Any]) -> str:
    """The label without the parts that say nothing in that phase."""
    return ", ".join(part for part in facts["label"].split(", ") if part)


def _add_node(whole: nx.MultiDiGraph[str], node: str, facts: Mapping[str, Any]) -> None:
    known = whole.nodes[node] if node in whole else {"count": 0, "initial": False, "terminal": True}
    whole.add_node(
        node, label=node, group=facts["group"], count=known["count"] + facts["count"],
        initial=known["initial"] or facts["initial"], terminal=known["terminal"] and facts["terminal"],
    )  # fmt: skip


def _add_edge(
    whole: nx.MultiDiGraph[str], source: str, target: str, action: str, facts: Mapping[str, Any], name: str
) -> None:
    witness = [f"(set-up {name}) {line}" if not number else line for number, line in enumerate(facts["witness"])]
    count = facts["count"]
    if whole.has_edge(source, target, action):
        known = whole.edges[source, target, action]
        count += known["count"]
        witness = min(known["witness"], witness, key=len)
    label = facts["label"].replace("_", " ")
    whole.add_edge(source, target, key=action, label=label, count=count, witness=witness)
