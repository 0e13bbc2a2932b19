"""What several commands share.

`common_options.py` and `game_options.py` declare options, `inputs.py` reads what a file holds, `files.py` and
`record_file.py` write, `plain_text.py` and `terminal.py` show. All of `hexholm.cli` imports from here; nothing here
imports the rest of it.
"""
