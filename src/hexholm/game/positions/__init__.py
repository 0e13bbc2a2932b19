"""Positions and views as one line of text (docs/formats/position.md, view.md).

`position.py` is the place to begin; `reading.py` reads leniently, `words.py` has the words of the format, and
`check.py` says what is wrong with a position that could be read.
"""
