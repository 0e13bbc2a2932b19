"""The friendly face: games to hold, seats to look through, text to write them down, pictures to look at.

Begin with `game.py`: `Game`, `SeatView` and `Record`, and how each leads to the others. What they are made of stands
below it (`game_base.py`, `views/`, `record_format/`, `positions/`, `events/`, `language/`, `pictures/`), what works
on whole games above it (`records/`). All rooms above this one may import it; it imports `rules` only.
"""
