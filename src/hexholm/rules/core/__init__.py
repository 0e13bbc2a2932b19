"""The compiled core: the rules as kernels over fixed-size structs, one subject a file.

Begin with `step.py`, which leads to the file of every rule; `legal.py` and `verdict.py` say what may be done.
`all_actions.py` stands above them and knows offers too; by `entry_points.py` Python calls all this. Who may import it
is listed in `pyproject.toml`; others go through `referee.py`, `queries.py` and `names.py`.

Kernels call the state `s`, a belief `b` and a view `v`; everything else has its name. An entry takes arrays under the
full names; there `w` is the struct in `scratch`.
"""
