"""What a seat may know: its view as facts and as plain data, the odds of what is hidden, a world that fits, why not.

Begin with `seat_knowledge.py`, the body of `SeatView` (`game/game.py`). Rooms above go through `SeatView`.
"""
