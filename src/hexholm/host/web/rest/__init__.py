"""REST, one subject a file: tables, the guest's own, a new table, replays, drawings, rules, the server's own state.

Begin with `tables.py`. `rest_routes.py` is what all parts have in common, `query_parameters.py` reads what is asked,
`responses.py` writes answers; `wire/description/openapi.py` documents it. Only the web server around it imports this.
"""
