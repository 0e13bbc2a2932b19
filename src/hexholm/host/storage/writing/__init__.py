"""Writing for all tables together: one thread, one transaction for whatever is waiting.

Begin with `writer.py`. The databases and `storage.py` import this.
"""
