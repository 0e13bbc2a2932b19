"""Hexholm: the island-settling board game of five rule books.

Importing this package is quick: it loads neither the compiler nor the command line, and the names below on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .rules.boards import Layout
    from .rules.editions import Edition, edition
    from .rules.errors import BadInput
    from .rules.options import Options, options
    from .rules.referee import IllegalAction, Reason, Referee

__version__ = "0.1.0"

__all__ = [
    "BadInput",
    "Edition",
    "IllegalAction",
    "Layout",
    "Options",
    "Reason",
    "Referee",
    "__version__",
    "edition",
    "options",
]

_HOME = {
    "BadInput": "errors",
    "Edition": "editions",
    "IllegalAction": "referee",
    "Layout": "boards",
    "Options": "options",
    "Reason": "referee",
    "Referee": "referee",
    "edition": "editions",
    "options": "options",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".rules.{_HOME[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
