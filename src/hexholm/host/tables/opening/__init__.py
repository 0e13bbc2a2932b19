"""How a table begins: what is asked for is read, then the first entries are decided; also of one that follows another.

Begin with `opening.py`. The hall, REST and assistants import this.
"""
