"""report.html: the whole report as one page that needs nothing else, neither network nor JavaScript.

The page is a Jinja template with its stylesheet and a small script pasted in. Everything from outside is escaped by
the template engine, and made visible first, so that a card's name can neither close a tag nor turn the text around it.
As a second lock the page's own security policy forbids every request and every script but this one, by its digest.
Drawings are the exception to escaping; they are rebuilt from the few elements a drawing needs (`_inline`).
"""

import base64
import hashlib
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import quote

import jinja2
from markupsafe import Markup, escape

from reports.document import Report
from reports.wording import VERDICTS, counted, coverage, duration, headline, listed, visible

_HERE = Path(__file__).parent
_SHAPES = {"svg", "g", "title", "path", "polygon", "polyline", "ellipse", "circle", "rect", "line", "text", "tspan"}
_FACTS = {
    "class", "cx", "cy", "d", "dx", "dy", "fill", "fill-opacity", "font-family", "font-size", "font-style",
    "font-weight", "height", "points", "r", "rx", "ry", "stroke", "stroke-dasharray", "stroke-opacity", "stroke-width",
    "text-anchor", "transform", "viewBox", "width", "x", "x1", "x2", "y", "y1", "y2",
}


def render(report: Report) -> str:
    """The text of report.html.

    Raises `ValueError` when a graph's drawing isn't SVG.
    """
    style, script = (Markup((_HERE / name).read_text(encoding="utf-8")) for name in ("report.css", "report.js"))
    return _template().render(
        report=report, headline=headline(report), coverage=coverage(report), meanings=VERDICTS,
        clause_anchor=_anchors("clause", (clause.id for clause in report.clauses)),
        property_anchor=_anchors("property", (result.id for result in report.properties)),
        style=style, script=script, style_digest=_digest(style), script_digest=_digest(script),
    )


def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, finalize=_visible, trim_blocks=True, lstrip_blocks=True,
    )
    environment.globals["bars"] = _bars
    environment.filters |= {
        "counted": counted, "duration": duration, "inline": _inline, "listed": listed, "relative": quote,
        "words": lambda name: name.replace("_", " "),
    }
    return environment.from_string((_HERE / "report.html").read_text(encoding="utf-8"))


def _visible(value: object) -> object:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _digest(text: str) -> str:
    """The digest by which a content security policy names a script or a stylesheet."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _anchors(prefix: str, identifiers: Iterable[str]) -> Mapping[str, str]:
    """A link target for each identifier: itself where HTML and a URL allow it, and never twice the same."""
    anchors: dict[str, str] = {}
    for identifier in identifiers:
        anchor = f"{prefix}-{re.sub(r'[^A-Za-z0-9._-]', '-', identifier)}"
        anchors.setdefault(identifier, f"{anchor}-{len(anchors)}" if anchor in anchors.values() else anchor)
    return anchors


def _bars(histogram: list[int]) -> list[tuple[int, int, float]]:
    """Depth, number and height in percent for each bar of a histogram."""
    most = max(histogram, default=0) or 1
    return [(depth, number, round(max(100 * number / most, 1), 1)) for depth, number in enumerate(histogram)]


def _inline(drawing: str) -> Markup:
    """A drawing fit to stand inside the page: only shapes and text, and tooltips that browsers show.

    Identifiers go, since two drawings would share them. Graphviz puts tooltips into links; a title says the same.
    """
    try:
        root = ElementTree.fromstring(drawing)
    except ElementTree.ParseError as cause:
        raise ValueError(f"the drawing isn't SVG: {cause}") from cause
    return Markup("".join(_markup(root)))


def _markup(element: ElementTree.Element, inside: str = "") -> Iterator[str]:
    name = _local(element.tag)
    name = "g" if name == "a" else name  # Graphviz links nowhere; its links only carry tooltips.
    # Graphviz's own titles are node names such as n3, of no use to a reader.
    if name not in _SHAPES or (name == "title" and inside in ("svg", "g")):
        return
    facts = ((_local(key), value) for key, value in element.items())
    attributes = "".join(f' {key}="{escape(value)}"' for key, value in facts if key in _FACTS)
    yield f"<{name}{attributes}>"
    tooltip = element.get("{http://www.w3.org/1999/xlink}title")
    if tooltip:
        yield f"<title>{escape(tooltip)}</title>"
    yield escape((element.text or "").strip())
    for child in element:
        yield from _markup(child, name)
    yield f"</{name}>"


def _local(name: object) -> str:
    """A tag's or attribute's name without its namespace; comments have none."""
    return name.rpartition("}")[2] if isinstance(name, str) else ""
