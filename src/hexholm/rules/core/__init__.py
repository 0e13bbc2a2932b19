"""The compiled core: the rules as kernels over fixed-size structs, one subject a file.

Begin with `encoding/structs`, `phases` and `step`, which leads to the file of every rule; `legal` and `verdict` say
what may be done. Who may import it stands in `pyproject.toml`; most use the referee, `rules.queries`, `rules.names`.
"""
