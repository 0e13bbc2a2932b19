"""The players that come with Hexholm, weakest first: `random`, `easy`, and the compiled `medium`, `hard` and `expert`.

`random_player.py` chooses by chance. `easy.py` decides in plain Python; `easy_plans.py` says what it would build next
and what an exchange is worth for that. `compiled.py` hands a view to the functions of `bots/kernels/`;
`compiled_games.py` plays whole games in one call, for fitting. The registry loads them by name; no player imports
another.
"""
