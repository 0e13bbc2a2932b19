"""A seat for AI assistants over MCP: the same tables, the same eyes and the same refusals as for everybody.

`tools.py` is what an assistant can call, `briefing.py` what it reads; `serving.py` mounts both in the server, and
`hexholm mcp` offers them over stdio.
"""
