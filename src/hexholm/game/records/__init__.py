"""What you can do with whole games: check them, step through them, summarize them, keep many in files.

Begin with `summary.py` (a game in numbers) or `timeline.py` (any moment through any eyes); `verify.py` checks records,
`export.py` reads and writes files. It stands above `game.py`; rooms above may import it. How a record is written is in
`record_format/`.
"""
