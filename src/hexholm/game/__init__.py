"""The friendly face: games to hold, seats to look through, text to write them down, pictures to look at.

`game.py` is the place to begin: `Game`, `SeatView` and `Record`, and how each leads to the others. What they are stands
below it: `play.py` is a game in play, `seat_knowledge.py` what a seat may know, `records/data.py` a game written down.
`action.py` and `cards.py` are the words they speak in, `dealers.py` decides chance, `events/` says what happened and
`words.py` tells it. `positions/` and `records/` write positions and whole games as text; `pictures/` draws them.
"""
