"""The thinking of the compiled players, as kernels over the struct of a view; nothing here knows a rule, the core does.

Begin with `decision.py`, a decision of whichever kind is asked for, by the best action one look ahead (`lookahead.py`)
or an exchange (`trade.py`, `trade_offers.py`); `search.py` and `trade_search.py` play on from there in many worlds
(`worlds.py`), `turn_plan.py` finds a turn that wins, `whole_games.py` plays games from end to end. `mind.py` is what a
player has in mind, `features.py` a position in numbers, `value_network.py` how likely each seat is to win by them.

Only modules of `hexholm.bots` import this, `compiled/players.py` first of all.
"""
