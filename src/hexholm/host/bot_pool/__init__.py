"""Bots answer in processes of their own: `bot_pool.py` keeps them, `worker.py` is what runs in each.

Begin with `bot_pool.py`. Tables and the web server import this; nothing here knows a table.
"""
