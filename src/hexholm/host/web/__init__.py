"""The web server: REST, sockets, static files, and the limits and figures around them.

`server.py` is the place to begin; a request passes `middleware.py`, then `rest.py`, `sockets.py` or `mcp.py`, and
`context.py` is what they share. Nothing else in the host imports this.
"""
