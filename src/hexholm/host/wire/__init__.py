"""What travels between the host and its guests, as data: messages, REST bodies, projections, refusals, schemas.

`messages.py` is the place to begin: everything said at a table. `api.py` is what is said over REST, `refusals.py` how
the host says no. Everything in the host may import this.
"""
