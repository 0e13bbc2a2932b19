"""The authority: tables, what may be done at them, and the hall that holds them all. It knows no sockets.

Begin with `table.py`, which decides and enters; `state.py` is what it decides about, `log.py` what is stored. Whatever
decides lies beside them, a subject a file: `seat_commands.py` what people do beside the game, `companion.py` real dice
and cards, `rated_games.py` ratings, and so on. The folders hold tables: `running/` carries out one thing after another
and brings what time brings, `audience/` are those who look, `hall/` sets up, finds and keeps all tables, `services/` is
what they share. Assistants, the web server and `local_server.py` import this, and the commands of a host the durations
in `services/`.
"""
