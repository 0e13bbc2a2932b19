"""What the game is: editions, options, boards, places, notation, and the rules themselves.

Begin with `referee.py`, one game in full. `core/` holds the rules, compiled by `compiled.py` as `mode.py` decides;
`queries.py` and `names.py` are what others may know of it. Every room may import this one; it imports none.
"""
