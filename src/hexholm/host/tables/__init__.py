"""The authority: tables, what may be done at them, and the hall that holds them all. It knows no sockets.

Begin with `table.py`, which decides and enters; `state.py` is what it decides about, `log.py` what is stored.
`seating/` has the commands beside the game, `table_kinds/` tables with real dice and lessons. `terms/` is what is
chosen for a table and `opening/` decides what it begins with. `running/` carries out one thing after another and brings
what time brings, `audience/` are those who look, `hall/` sets up, finds and keeps tables. Assistants, the web server
and `local_server.py` import this, and the commands of a host the durations in `services/`.
"""
