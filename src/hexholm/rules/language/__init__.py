"""The words for games: catalogues by language, how their messages are filled, why something is refused, in words.

Begin with `data/en.toml`, whose head says how a message is written. Every room may import this.
"""
