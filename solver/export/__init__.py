"""Set-ups written down for other model checkers, from the same traced expressions that the explorer runs."""
