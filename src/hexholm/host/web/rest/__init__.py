"""REST, one subject a file: tables and the lobby, the guest's own, a new table, replays, drawings, the almanac.

Begin with `tables.py`; `queries.py` reads what is asked, `responses.py` writes answers. `web/server.py` puts the routes
together; `wire/openapi.py` documents them.
"""
