"""Hexholm: the island-settling board game of five rule books.

Importing this package is quick: it loads neither the compiler nor the command line.
"""

__version__ = "0.1.0"

__all__ = ["__version__"]
