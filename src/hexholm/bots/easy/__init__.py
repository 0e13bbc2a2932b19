"""`easy`: a weak but sensible opponent, in plain Python.

`player.py` is the place to begin: it decides; `plans.py` says what it would build next
and what an exchange is worth for that. The registry loads it by name, and `bots/fairness.py` asks it where to settle.
"""
