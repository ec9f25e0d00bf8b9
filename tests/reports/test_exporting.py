"""Exports on disk: a file for each set-up, the same each time, and bad requests told in one line."""

from dataclasses import replace
from pathlib import Path

import pytest

from model.language import InputError, Preset
from reports.exporting import ExportRequest, Format, export
from reports.registry import entry_of
from solver.export import promela

ENTRY = entry_of("51st-state-2010")


def test_a_set_up_in_both_formats(tmp_path: Path) -> None:
    said: list[str] = []
    assert export(ExportRequest(ENTRY, Format.PROMELA, tmp_path, setup="short-deal"), said.append) == [
        tmp_path / "short_deal.pml"
    ]
    assert export(ExportRequest(ENTRY, Format.TLA, tmp_path, setup="short-deal"), said.append) == [
        tmp_path / "short_deal.tla", tmp_path / "short_deal.cfg",
    ]  # fmt: skip
    assert said == ["short-deal", "short-deal"]
    assert (tmp_path / "short_deal.tla").read_text().startswith("---- MODULE short_deal ----\n")
    assert (tmp_path / "short_deal.cfg").read_text() == "SPECIFICATION Spec\n"
    text = (tmp_path / "short_deal.pml").read_text()
    assert text.startswith("/* 51st State (2010), rules version 1; written by ruleproof ")
    assert "/* Set-up short-deal: dealing from a deck that ends before everybody has been dealt a hand (2 cards" in text
    assert "setup.deal" in text and "preparation.py:" in text
    assert sorted(file.name for file in tmp_path.iterdir()) == ["short_deal.cfg", "short_deal.pml", "short_deal.tla"]


def test_every_set_up_of_a_preset_is_written_and_each_time_the_same(tmp_path: Path) -> None:
    few = replace(ENTRY.game, presets={"tiny": Preset("tiny", ("ties", "short-deal"), "two of them")})
    entry = replace(ENTRY, game=few)
    files = [export(ExportRequest(entry, Format.PROMELA, tmp_path / name)) for name in ("one", "other")]
    assert [file.name for file in files[0]] == ["ties.pml", "short_deal.pml"]
    assert [file.read_bytes() for file in files[0]] == [file.read_bytes() for file in files[1]]


def test_answers_are_those_chosen_but_what_a_set_up_is_about_stays(tmp_path: Path) -> None:
    chosen = {"R-ATTACHED": "stay"}
    (kept,) = export(ExportRequest(ENTRY, Format.PROMELA, tmp_path, setup="hosts-moved", readings=chosen))
    assert "/* Answers other than the usual: R-ATTACHED=moved */" in kept.read_text()
    (other,) = export(ExportRequest(ENTRY, Format.PROMELA, tmp_path, setup="ties", readings={"R-HAND": "discard_down"}))
    assert "/* Answers other than the usual: R-HAND=discard_down */" in other.read_text()


def test_what_is_not_there_is_told_with_what_is_meant(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--setup tie: there is no such set-up; did you mean ties"):
        export(ExportRequest(ENTRY, Format.TLA, tmp_path, setup="tie"))
    with pytest.raises(InputError, match="--preset tinny"):
        export(ExportRequest(ENTRY, Format.TLA, tmp_path, preset="tinny"))
    with pytest.raises(InputError, match="--setup president: there is no such set-up"):
        export(ExportRequest(ENTRY, Format.TLA, tmp_path, preset="tiny", setup="president"))
    assert not list(tmp_path.iterdir())


def test_what_promela_can_not_say_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(promela, "LONGEST", 3)
    match = r"^--setup ties can't be written in promela: \S+\.py:\d+: the guard of"
    with pytest.raises(InputError, match=match) as told:
        export(ExportRequest(ENTRY, Format.PROMELA, tmp_path, setup="ties"))
    assert "\n" not in str(told.value)
