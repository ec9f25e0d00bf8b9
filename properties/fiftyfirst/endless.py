"""What the rulebook lets go on for ever, and why: claims that every game would like to keep."""

ENDLESS = {
    "ends.game": (
        "Nothing makes a player score: all may pass in every round, and only somebody's points end the game (p.2, 4)."
    ),
    "ends.phases": (
        "Spoils may be cashed at any time (p.8). Some of them give a card and the means for another conquest: with a "
        "short deck the same card comes back and pays for its own conquest again. Goods can also be put into storage "
        "and taken out again without end. Nobody else gets a turn meanwhile."
    ),
}
