"""What several commands share.

`options.py` and `game_options.py` declare options, `inputs.py` reads what a file holds, `files.py` and `record_file.py`
write, `text.py` and `terminal.py` show. Everything in this package may import from here; nothing here imports it.
"""
