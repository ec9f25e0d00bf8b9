"""Measures: what a game declares to show that something ends, where no plain count of its cells shows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Measure:
    """A term of the state that is bounded from below, and falls as play goes on.

    Attributes:
        name: in plain words, as reports show it.
        term: state -> a number. Members of a symmetric family must count alike.
    """

    name: str
    term: Callable[[Any], Any]
