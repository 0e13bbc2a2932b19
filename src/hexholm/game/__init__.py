"""The friendly face: games to hold, seats to look through, text to write them down, pictures to look at.

Begin with `game.py`: `Game`, `SeatView` and `Record`, and how each leads to the others. From the lowest up:

- values: `cards.py`, `action.py`, `legal_actions.py`, `result.py`, `facts.py`
- what happens and how it is said: `events/`, `language/`
- what the three are made of: `views/`, `positions/`, `pictures/`, `history.py`, `new_game.py`, `record_format/`
- chance: `dealers.py`, `dice_proof.py`
- the game itself: `game_base.py`, `descriptions.py`, `game.py`
- what works on whole games: `records/`

`record_format/` is how a game is written and stands below `game.py`, which offers it as `Record`; `records/` is what is
done with records and needs `Game`. All rooms above this one may import it; it imports `rules` only.
"""
