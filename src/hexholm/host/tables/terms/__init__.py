"""What is chosen for a table: its terms for as long as there is one, and all else until its first entries are decided.

Begin with `table_terms.py`. The log, the opening and those who set up tables import this.
"""
