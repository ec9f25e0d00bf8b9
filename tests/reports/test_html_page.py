"""report.html: one file that needs nothing else, says what matters, and shows hostile input as text."""

import base64
import hashlib
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from reports import graphs, html
from reports.document import ClauseResult, Finding, Game, Report, Step

VOID = {"meta", "input", "br", "link", "img", "hr"}
HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(1)>\'{{ 7*7 }}</style></title>'


class Page(HTMLParser):
    """The page's elements and text, checked for tags that do not match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def identifiers(self) -> list[str]:
        return [attributes["id"] or "" for _, attributes in self.elements if "id" in attributes]


def hostile(report: Report) -> Report:
    """The report with every text a deck or a rulebook could supply turned against the page."""
    text = HOSTILE + "\u202eright-to-left\x1b[31m" + "x" * 10_000
    game = Game(title=text, steps=[Step(number=1, text=text, clauses=[text], actor=text)])
    properties = [
        result.model_copy(update={
            "id": f"{text}{number}", "statement": text, "explanation": text, "detail": text, "scope": text,
            "game": game, "clauses": [text], "hypotheses": [text], "counterexample": [text],
        })
        for number, result in enumerate(report.properties)
    ]
    setups = [
        setup.model_copy(update={
            "name": text, "purpose": text, "scaled": [text], "action_counts": {text: 1}, "never_enabled": [text],
        })
        for setup in report.setups
    ]
    clause = ClauseResult(id=text, pages=[1], text=text, exercised=False, not_applicable=text, rules=[text],
                          properties=[text], readings=[text], by=[text])
    graph = report.graphs[0].model_copy(update={"title": text, "note": text, "files": {text: "javascript:alert(1)"}})
    return report.model_copy(update={
        "game": text, "title": text, "preset": text, "readings": {text: text}, "deck_digest": text, "command": text,
        "rules_version": text, "started": text, "interrupted_at": text, "properties": properties, "clauses": [clause],
        "setups": setups, "graphs": [graph],
        "findings": [Finding(id=text, type=text, clause=text, place=text, message=text)],
    })


def test_the_page_needs_nothing_else(report: Report) -> None:
    text = html.render(report)
    page = Page(text)
    assert not page.all("link") and not page.all("img") and not page.all("iframe")
    assert all("src" not in attributes for attributes in page.all("script"))
    assert not re.search(r"https?://|url\(|@import", text)
    assert len(page.all("style")) == 1


def test_every_link_leads_somewhere_and_no_anchor_is_there_twice(report: Report) -> None:
    page = Page(html.render(report))
    anchors = page.identifiers()
    assert len(anchors) == len(set(anchors))
    inside = [link["href"] or "" for link in page.all("a") if (link["href"] or "").startswith("#")]
    assert {link[1:] for link in inside} <= set(anchors)
    assert "#clause-lookout.hand_limit" in inside


def test_the_page_says_what_matters_first(report: Report) -> None:
    text = Page(html.render(report)).text
    body = text[text.index("Skip to the results") :]
    order = [
        "51st State (2010)", "1 property came out wrong. The rulebook itself breaks 1 property",
        "What is refuted, and how to get there", "No player ever holds more than ten", "Anna takes the Radio Tower",
        "No hand is ever empty", "What the verdicts mean", "Every position that play can reach", "What it says",
        "An arrow out of a dot", "What no verdict says", "ruleproof verify",
    ]
    places = [body.index(words) for words in order]
    assert places == sorted(places)
    assert "Not drawn: 690,112 nodes are too many to read." in text
    assert "Where the proof got stuck" in text


def test_nothing_refuted_is_said_too(report: Report) -> None:
    calm = report.model_copy(update={"properties": report.standing("passed")})
    text = Page(html.render(calm)).text
    assert "Nothing. No property was broken by any game." in text
    assert "Nothing was refuted. 3 of 3 properties passed." in text


def test_an_interrupted_run_says_so(report: Report) -> None:
    text = Page(html.render(report.model_copy(update={"interrupted_at": "exploring tiny"}))).text
    assert "The run was interrupted at exploring tiny" in text
    assert "Incomplete: the run stopped at exploring tiny." in text


def test_a_known_hole_that_was_proved_away_is_explained(report: Report) -> None:
    vanished = report.properties[0].model_copy(update={"verdict": "PROVED"})
    text = Page(html.render(report.model_copy(update={"properties": [vanished]}))).text
    assert "the model or the checker has changed" in text


def test_an_empty_report_is_a_page(report: Report) -> None:
    empty = {"properties": [], "clauses": [], "setups": [], "findings": [], "graphs": [], "readings": {}, "players": []}
    assert "No set-up was explored." in Page(html.render(report.model_copy(update=empty))).text


def test_hostile_text_is_text(report: Report) -> None:
    page = Page(html.render(hostile(report)))
    assert HOSTILE in page.text
    assert "49" not in re.findall(r"'(\d+)</style>", page.text)
    assert len(page.all("script")) == 1
    assert not page.all("img")
    assert "\u202e" not in page.text and "\x1b" not in page.text
    assert "\\u202eright-to-left\\x1b[31m" in page.text
    assert not any(key.startswith("on") for _, attributes in page.elements for key in attributes)
    assert not any((link["href"] or "").lower().startswith("javascript:") for link in page.all("a"))


def test_right_to_left_names_are_kept_and_isolated(report: Report) -> None:
    text = html.render(report.model_copy(update={"title": "מדינה 51"}))
    assert "<bdi>מדינה 51</bdi>" in text


def test_a_drawing_is_rebuilt_from_shapes_and_text(report: Report) -> None:
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" onload="evil()" id="x">'
        '<!-- comment --><script>evil()</script><foreignObject><b>evil</b></foreignObject><image href="http://evil/"/>'
        '<g class="edge"><title>n1-&gt;n2</title><a xlink:href="http://evil/" xlink:title="1. a &lt; b">'
        '<text style="evil" x="1">A &amp; B</text></a></g></svg>'
    )
    text = html.render(report.model_copy(update={"graphs": [report.graphs[0].model_copy(update={"svg": drawing})]}))
    assert (
        '<svg><g class="edge"><g><title>1. a &lt; b</title><text x="1">A &amp; B</text></g></g></svg>' in text
    )
    assert "evil" not in text


def test_a_drawing_that_is_none_is_refused(report: Report) -> None:
    broken = report.graphs[0].model_copy(update={"svg": "<svg><g>"})
    with pytest.raises(ValueError, match="isn't SVG"):
        html.render(report.model_copy(update={"graphs": [broken]}))


def test_the_policy_admits_this_script_and_this_style_only(report: Report) -> None:
    text = html.render(report)
    policy = next(meta["content"] or "" for meta in Page(text).all("meta") if "http-equiv" in meta)
    for tag in ("style", "script"):
        pasted = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert pasted
        digest = base64.b64encode(hashlib.sha256(pasted[1].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert not any("style" in attributes for _, attributes in Page(text).elements)


def test_tables_have_headers_and_headings_have_an_order(report: Report) -> None:
    page = Page(html.render(report))
    assert all(cell.get("scope") in ("col", "row") for cell in page.all("th"))
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert page.all("html")[0]["lang"] == "en"


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_enough_in_light_and_dark() -> None:
    style = (Path(html.__file__).parent / "report.css").read_text()
    roots = re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    light, dark, paper = (dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{3,6})", root)) for root in roots)
    for scheme in (light, dark, light | paper):
        for ink in ("ink", "quiet", "accent", "hole", "wrong", "open", "passed"):
            for ground in ("paper", "raised"):
                assert contrast(scheme[ink], scheme[ground]) >= 4.5, (ink, ground)
        for badge in ("hole", "wrong", "open", "passed"):
            assert contrast(scheme[badge], scheme[f"{badge}-fill"]) >= 4.5, badge
        assert contrast(scheme["accent"], scheme["open-fill"]) >= 4.5
    assert all(contrast(graphs._INK, fill) >= 7 for fill in graphs._FILLS)
