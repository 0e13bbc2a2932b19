"""Whole games: written, read, checked, stepped through, summed up (docs/formats/record.md).

`data.py` is what a record holds; `text.py` and `json.py` write one, `reading.py` reads one, `copy.py` hides what a seat
may not know, `walk.py` follows a game step by step. All these stand below `game.py`, which has the class `Record`.
Above it, `verify.py` checks records, `timeline.py` shows any moment through any eyes, `summary.py` puts a game into
numbers, `export.py` reads and writes files of many.
"""
