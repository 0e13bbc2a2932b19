"""A whole game written down: its data, its text, its JSON (docs/formats/record.md).

Begin with `record_base.py`; `text_form.py` and `json_form.py` write it, `reader.py` reads it, `seat_copy.py`
hides what a seat may not know, `steps.py` has steps as codes and texts, `turn_tracker.py` follows a game step by
step. `game.py` makes the class `Record` of it; rooms above use that, `BadRecord` and `final_hash`. What is done with
records is in `records/`.
"""
