"""The thinking of the compiled players, as kernels over the struct of a view; nothing here knows a rule, the core does.

`choice.py` is the place to begin: it chooses an action, by one look ahead or an exchange. Only `hexholm.bots` imports
these modules, `bots/shipped/compiled.py` first of all.

Kernels call what nearly all of them work on by one letter: `s` a state, as in the core, `b` a belief, `v` a view, `m`
a mind (`mind.py`), `x` the features in it. Everything else has its name. An entry takes arrays under the full names;
there `w` is the struct in `scratch`.
"""
