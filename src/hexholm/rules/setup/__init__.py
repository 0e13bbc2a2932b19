"""What a game is played with: the edition, the options, the house rules, the parts of the board.

Begin with `options.py`: `check_options` makes a whole set of options of those that are named. All rooms may import it;
it knows no game, nor the core. `initial_state.py` in the folder above makes the first state of a game of them.
"""
