"""Words for games, and games from words: catalogues by language, sentences, phrases, what people type.

Begin with `words.py`; the catalogues are in `data/`. All that stands above `events/` may import it.
"""
