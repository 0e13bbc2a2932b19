"""A table while it runs: what waits, what is stored, what is answered, what time brings.

Begin with `runner.py`, which has the parts work together: `work_queue.py` does one thing after another,
`command_handler.py` takes commands, not more than `command_limits.py` and `log_size.py` let in, `scheduler.py` says
what time brings, `stored_table.py` stores what was decided and keeps the table in step with its log, and
`logged_table.py` makes a table from a log. The hall holds runners, and connections speak to them.
"""
