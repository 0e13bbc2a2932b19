"""A game in bytes and an action in a number: what the compiled rules read and write.

Begin with `structs.py`, the fields of a state. The rules import this; it imports none of them.
"""
