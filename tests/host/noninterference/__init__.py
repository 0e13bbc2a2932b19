"""What is hidden from a guest changes no byte that the guest is sent.

Begin with `in_hall.py`: pairs of worlds that look alike to one seat, at a table. `on_wire.py` does the same with whole
servers and whole games.
"""
