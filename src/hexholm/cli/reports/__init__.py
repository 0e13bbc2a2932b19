"""Results as text for a terminal: lines and tables that commands print, and that the table of `play` shows.

`tournament_result.py` and `game_summary.py` tell games in numbers, `almanac_text.py` and `rule_text.py` the rules.
Commands and `at_table` import from here; nothing here imports them.
"""
