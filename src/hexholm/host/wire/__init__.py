"""What travels between the host and its guests, as data: messages, REST bodies, projections, refusals.

Begin with `messages.py`: everything said at a table. `api.py` is what is said over REST, `host_refusals.py` how the
host says no, `description/` the same as JSON Schema and OpenAPI. `tools/generated` writes the
pages and types made from it. Everything in the host may import this.
"""
