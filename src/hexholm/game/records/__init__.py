"""What is done with whole games: checked, stepped through, summed up, kept in files of many.

Begin with `summary.py` (a game in numbers) or `timeline.py` (any moment through any eyes); `verify.py` checks records,
`export.py` reads and writes files. It stands above `game.py`; rooms above may import it. How a record is written is in
`record_format/`.
"""
