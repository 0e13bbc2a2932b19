"""Positions and views as one line of text (docs/formats/position.md, view.md).

Begin with `position.py`, which writes; `position_reader.py` reads leniently the words that `position_words.py` takes
apart, and `position_check.py` says what is wrong with a position that could be read. What stands above may import it.
"""
