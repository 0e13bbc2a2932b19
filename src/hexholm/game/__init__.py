"""The friendly face: games to hold, seats to look through, text to write them down, pictures to look at.

`game.py` is the place to begin; `seat_view.py` is what a seat may know; `action.py` and `cards.py` are the words they
speak in. `dealers.py` decides chance, `events/` says what happened and `words.py` tells it. `position.py` and
`record.py` write positions and whole games as text; `pictures/` draws them.
"""
