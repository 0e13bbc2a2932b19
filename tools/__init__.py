"""Programs that only we run, from a checkout: they write what is kept with the project, and look at tests and pages.

`python -m tools.NAME --help` says what each does. None is in the wheel, and the package imports none. Tests are not
here, however long they run: those of the rules against the twin, of the host under storms and so on are in `tests/`.
"""
