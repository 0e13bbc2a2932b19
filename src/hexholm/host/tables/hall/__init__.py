"""All tables of a host: which are in memory, how one is set up, which are cleared away, how a guest is deleted.

Begin with `hall.py`. `loaded_tables.py` has the tables that are in memory, `cleanup.py` lets those go that nobody
needs, `guest_removal.py` deletes guests from all of them.
"""
