"""Our players inside Catanatron's own engine: strength measured where none of us wrote the rules.

`catanatron_game.py` turns one of its games into our structs and lets our own belief look on, `player.py` sits one of
our players at its table, `match.py` plays many games, `audit.py` compares the two engines at every step. README.md says
how to run them. Catanatron is no dependency, and none of its code is here.
"""
