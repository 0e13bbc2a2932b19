"""The twin of the core: its engine, the tests of that, and the duel in which both play the same games."""
