"""Games in words, and words for games: catalogues by language, sentences, descriptions, what people type.

Begin with `words.py`; the catalogues are in `data/`. Any room above `rules` may import this.
"""
