"""Who sits at a table: what people do beside playing, the tokens that open seats, how often a seat may send.

Begin with `seat_commands.py`. Tables, their runner and the hall import this.
"""
