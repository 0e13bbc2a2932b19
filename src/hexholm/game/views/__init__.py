"""What a seat may know: its view as facts and as plain data, the odds of what is hidden, a world that fits, why not.

Begin with `seat_view_base.py`, the body of `SeatView` (`game.py`). Rooms above get a `SeatView` and import from here
only what it hands out (`Offer`, the odds) and its plain data (`view_data.py`, with its shapes in `view_shapes.py`).
"""
