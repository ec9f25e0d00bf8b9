"""Mutants of a game's rules: small mistakes planted one by one, to see which property notices."""
