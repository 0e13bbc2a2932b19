"""`easy`: a weak but sensible opponent, in plain Python.

Begin with `player.py`, which the registry loads by name.
"""
