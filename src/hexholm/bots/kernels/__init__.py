"""The thinking of the compiled players, as kernels over the struct of a view; nothing here knows a rule, the core does.

`choice.py` is the place to begin: it chooses an action, by one look ahead or an exchange. Only `hexholm.bots` imports
these modules, `compiled_players/players.py` first of all.
"""
