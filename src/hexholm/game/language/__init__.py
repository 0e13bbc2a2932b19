"""What happens and what is asked in words, phrases, and games from words: what people type.

Begin with `words.py`; the catalogues are in `rules/language/data/`. All that stands above `events/` may import it.
"""
