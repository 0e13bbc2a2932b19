"""Those who look at a table: who is there, and what each of them is told, in order.

Begin with `audience.py`. A table's runner owns its audience, its scheduler asks who attends; sockets read feeds.
"""
