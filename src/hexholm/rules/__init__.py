"""What the game is: editions and options, boards, places, notation, and the rules themselves.

Begin with `referee.py`, which plays one game in full. Right beside it lies what other rooms work with:

- `simulate.py`, `batch.py`, `perft.py`: many games at once
- `initial_state.py`: how a game begins; `queries.py`: questions about a position; `reasons.py`: why not
- `notation.py`, `names.py`, `places.py`, `colors.py`: what actions, things, places and seats are called
- `catalogue.py`: the rules of all books, by id; `errors.py`, `random_numbers.py`: what all of this rests on

The folders hold what these are made of: `setup/` what is played with, `boards/`, `language/` the words, `core/` the
rules over what `encoding/` lays down, `compilation/` how they are compiled. Every room may import this one; it imports
none.
"""
