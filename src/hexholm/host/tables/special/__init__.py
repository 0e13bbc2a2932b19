"""Tables where chance is special: `companion.py`, people with the real board before them; `lessons.py`, scripted dice.

Begin with `companion.py`. Tables import this, and REST what can be chosen of it.
"""
