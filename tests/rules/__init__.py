"""Tests that show the rules, a folder for each few chapters of the rule books; a test names by its mark which it shows.

Begin with `scenes.py`, positions set up by hand and played by text; `turns.py` and `noninterference.py` build on it.
`across_chapters/` holds what concerns them all: the catalogue, refusals, corner cases, faults of other programs.
`test_notation.py` shows no rule, but how places and actions are written.
"""
