"""What the game is: editions and options, boards, places, notation, and the rules themselves.

Begin with `referee.py`, one game in full. `setup/` has what it is played with; `core/` holds the rules over what
`encoding/` lays down, `compilation/` compiles them; `queries.py` and `names.py` are what others may know of it. Every
room may import this one; it imports none.
"""
