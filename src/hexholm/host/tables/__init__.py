"""The authority: tables, what may be done at them, and the hall that holds them all. It knows no sockets.

Begin with `table.py`, which decides and enters; `state.py` is what it decides about, `seating/` has the
commands beside the game, `table_kinds/` tables with real dice and lessons. `opening.py` decides what a table begins
with, `log.py` is what is stored. `running/` carries out one thing after another and brings what time brings,
`audience/` are those who look, `hall/` sets up, finds and keeps tables. Assistants, the web server and
`local_server.py` import this, and the commands of a host their `durations.py`.
"""
