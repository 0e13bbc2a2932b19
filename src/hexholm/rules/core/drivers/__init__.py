"""What runs the rules many times in one call: batches, whole random games, counts.

Begin with `playout.py`. These import the rules; no rule imports them.
"""
