"""The thinking of the compiled players, as kernels over the struct of a view; nothing here knows a rule, the core does.

`choice.py` is the place to begin: it chooses an action, by one look ahead or an exchange. Only `hexholm.bots` imports
these modules, `bots/players/compiled.py` first of all.

Kernels call what they work on by one letter, as the core does: `s` a state, `t` its open offers, `b` a belief, `w`
scratch, `v` a view, `m` a mind (`mind.py`), `x` the features in it.
"""
