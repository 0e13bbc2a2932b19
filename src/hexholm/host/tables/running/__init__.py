"""A table while it runs: what waits, what is stored, what is answered, what time brings.

Begin with `runner.py`, which has the parts work together: `work_queue.py` does one thing after another,
`command_handler.py` takes commands, not more than `command_limits.py` and `log_size.py` let in, `seat_access.py` says
who may act for a seat, `scheduler.py` what time brings, `table_store.py` stores what was decided and keeps memory in
step with the log, and `table_replica.py` is the table that memory holds, made from its log. The hall holds runners,
and connections speak to them.
"""
