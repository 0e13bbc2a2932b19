"""The host: the authority behind live games. Browsers, assistants and bots are its guests.

Inside, the lowest first: `wire/` is what travels, `storage/` what is written down, `bot_pool/` where bots think,
`tables/` decides, `assistants/` and `web/` let guests in, `client.py` is a guest itself. Begin with `tables/table.py`;
`local_server.py` has a whole server in a program. Only the command line imports this.
"""
