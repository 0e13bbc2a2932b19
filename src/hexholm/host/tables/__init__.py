"""The authority: tables, what may be done at them, and the hall that holds them all. It knows no sockets.

Begin with `table.py`, which decides and enters; `state.py` is what it decides about, `seating/` has the
commands beside the game, `table_kinds/` tables with real dice and lessons. `runner.py` carries out one thing after
another, `scheduler.py` brings what time brings, `audience/` are those who look, `opening.py` decides what a table
begins with, `hall.py` sets up, finds and keeps tables, `log.py` is what is stored. Assistants, the web server and
`local_server.py` import this, and the commands of a host their `durations.py`.
"""
