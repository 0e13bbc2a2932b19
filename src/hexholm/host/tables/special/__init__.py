"""Tables where chance is special: `companion.py`, people with the real board before them; `lessons.py`, scripted dice.

Begin with `companion.py`. Tables import this, and the web server what can be chosen of it.
"""
