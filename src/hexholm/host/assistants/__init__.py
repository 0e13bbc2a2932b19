"""A seat for AI assistants over MCP: the same tables, the same eyes and the same refusals as for everybody.

`tools.py` is what an assistant can call, `briefing.py` what it reads; `mcp_server.py` offers both to the web server,
which `access.py` describes as far as assistants know it, and `hexholm mcp` offers them over stdio.
"""
