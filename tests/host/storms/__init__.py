"""Storms: games played by scripted clients while the server is killed or the line between them is bad.

`people.py` plays and notes everything it was told and answered, `note_check.py` compares that with the log, `kills.py`
kills the server at random moments, `proxy.py` is a bad line.
"""
