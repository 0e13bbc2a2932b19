"""Fuzz of the host: what is sent to it is made to be wrong, and it must stay right.

python -m tests.host.fuzz.protocol --messages 100000 --seed 1     the socket of a table
python -m tests.host.fuzz.rest                                    REST, by its own OpenAPI document
"""
