"""Tables where not the host alone deals: `companion.py`, people with the real board; `lessons.py`, a written script.

Begin with `companion.py`. Tables import this, and REST what can be chosen of it.
"""
