"""All tables of a host: how one is set up, which are in memory, which are cleared away, how a guest is deleted.

Begin with `hall.py`. `opening.py` reads what is asked for and decides the first entries of a table, `rematch.py` those
of one that follows another. `loaded_tables.py` has the tables that are in memory, `cleanup.py` lets those go that
nobody needs, `guest_removal.py` deletes guests from all of them.
"""
