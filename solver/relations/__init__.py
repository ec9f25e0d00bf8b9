"""Claims about pairs of rules: which can be open together, which can be made in either order."""
