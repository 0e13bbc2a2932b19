"""The players whose thinking is compiled: `medium`, `hard` and `expert`.

`players.py` is the place to begin: each hands its view to the functions of `bots/kernels/`; `games.py` plays whole
games in one call, for fitting. Modules of `hexholm.bots` and the arena import this.
"""
