"""What `ruleproof games` prints: each game with what can be asked of it."""

from __future__ import annotations

import json
from typing import Any

from reports.registry import ENTRIES, Entry


def to_json() -> str:
    """All games as one JSON document."""
    return json.dumps([described(entry) for entry in ENTRIES.values()], ensure_ascii=False, indent=2) + "\n"


def described(entry: Entry) -> dict[str, Any]:
    """One game as JSON-able data."""
    game = entry.game
    return {
        "id": game.id,
        "title": game.title,
        "version": game.version,
        "players": list(game.player_counts),
        "presets": [
            {"name": preset.name, "summary": preset.summary, "setups": list(preset.setups)}
            for preset in game.presets.values()
        ],
        "readings": [
            {
                "id": reading.id, "clause": reading.clause, "question": reading.question, "default": reading.values[0],
                "values": [{"value": value, "meaning": reading.meaning.get(value, "")} for value in reading.values],
            }
            for reading in game.catalogue.readings.values()
        ],
    }  # fmt: skip


def to_text() -> str:
    """All games as a reader would want them listed."""
    return "\n".join(_told(described(entry)) for entry in ENTRIES.values())


def _told(game: dict[str, Any]) -> str:
    lines = [f"{game['id']}  {game['title']}, rules version {game['version']}"]
    lines.append(f"  players   {', '.join(map(str, game['players']))}")
    for preset in game["presets"]:
        lines.append(f"  preset    {preset['name']}: {preset['summary']}")
    for reading in game["readings"]:
        values = ", ".join(value["value"] for value in reading["values"])
        lines.append(f"  reading   {reading['id']}={values}")
        lines.append(f"            {reading['question']}")
    return "\n".join(lines) + "\n"
