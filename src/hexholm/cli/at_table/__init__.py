"""A game in the terminal: what a person is shown and may type, and where games are kept.

`terminal_game.py` is the loop of a person against bots, `bot_game.py` a game of bots to watch. `typed_line.py`
understands what is typed, `screen.py` and `story.py` show. The commands import from here.
"""
