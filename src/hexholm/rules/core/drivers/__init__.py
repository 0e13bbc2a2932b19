"""What runs the rules many times in one call: batches, whole random games, counts; and the ways in from Python.

Begin with `playout.py`. These import the rules; no rule imports them.
"""
