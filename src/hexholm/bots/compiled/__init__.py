"""The players whose thinking is compiled: `medium`, `hard` and `expert`.

`players.py` is the place to begin; `games.py` plays whole games in one call, for fitting. Only modules of
`hexholm.bots` and the arena import this. The compiled functions are in `bots/kernels/`, the fitted numbers in
`bots/judgement.py`.
"""
