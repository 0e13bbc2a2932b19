"""The web server: REST in `rest/`, sockets, static files, `/mcp`, and in `operations/` what an operator sets and sees.

Begin with `server.py`. A request passes `middleware.py`, then a part of `rest/`, `sockets.py`, `mcp_endpoint.py` or
`static_files.py`; `context.py` is what they share, `admission/` says who may come in, `transport/` is nearest to the
line. Only `local_server.py` and the command line import this.
"""
