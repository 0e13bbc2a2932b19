"""A game in bytes, an action in a number, phases and refusals: what the compiled rules read and write.

Begin with `structs.py`, the fields of a state; `phases.py` says what may be done when. The rules import this; it
imports none of them. Rooms that play games may read it; rooms that only show them use `names.py`.
"""
