"""A seat for AI assistants over MCP: the same tables, the same eyes and the same refusals as for everybody.

Begin with `tools.py`, what an assistant can call; `briefing.py` and `news.py` are what it reads, `mcp_server.py` offers
it to the web server, which `access.py` describes as far as assistants know it, `stdio.py` to a program on this machine.
Only `web/mcp_endpoint.py` and `hexholm mcp` import this.
"""
