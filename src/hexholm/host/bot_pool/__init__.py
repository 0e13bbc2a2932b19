"""Bots answer in processes of their own: `pool.py` keeps them, `worker.py` is what runs in each.

Tables ask here; nothing here knows a table.
"""
