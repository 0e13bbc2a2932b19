"""The compiled players: functions over a view record, in the two speeds of :mod:`hexholm.rules.compiled`.

`mind.py` is what a player has in mind, `features.py` what a position looks like in numbers, `value_network.py` how
likely each seat is to win, `lookahead.py` the best action by one look ahead, `trade.py` offers and answers,
`decision.py` a decision of whichever kind is asked for, `turn_plan.py` a turn that can be won, `worlds.py` what may be
hidden, `search.py` decisions by playing on in many worlds, `whole_games.py` whole games.

Nothing here knows a rule: what may be done and what it does comes from the core.
"""
