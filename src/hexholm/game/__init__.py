"""The friendly face: games to hold, seats to look through, text to write them down, pictures to look at.

`game.py` is the place to begin; `views/` is what a seat may know; `action.py` and `cards.py` are the words they
speak in. `dealers.py` decides chance, `events/` says what happened and `language/` tells it. `positions/` and
`records/` write positions and whole games as text; `pictures/` draws them.
"""
