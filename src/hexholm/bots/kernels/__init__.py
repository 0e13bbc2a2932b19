"""The compiled players: functions over a view record, in the two speeds of :mod:`hexholm.rules.compiled`.

`layout.py` is what a player has in mind, `seeing.py` what a position looks like in numbers, `judging.py` how likely
each seat is to win, `choosing.py` the best action by one look ahead, `trading.py` offers and answers, `deciding.py` a
decision of whichever kind is asked for, `planning.py` a turn that can be won, `worlds.py` what may be hidden,
`searching.py` decisions by playing on in many worlds, `playing.py` whole games.

Nothing here knows a rule: what may be done and what it does comes from the core.
"""
