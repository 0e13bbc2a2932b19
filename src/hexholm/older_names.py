"""Names of before the first release that still work: each leads to what is called differently today.

A class says which older names its attributes have; a package says it of its classes, in `_OLDER_CLASSES`.
docs/reference/api.md lists them all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

AnyClass = TypeVar("AnyClass", bound=type)


class OlderName:
    """Another way to an attribute."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, owner: Any, owner_type: type) -> Any:
        return getattr(owner_type if owner is None else owner, self.name)


def with_older_names(**names_by_older: str) -> Callable[[AnyClass], AnyClass]:
    """Let attributes of a class be found by older names. Type checkers see those of today alone."""

    def add_older_names(cls: AnyClass) -> AnyClass:
        for older, name in names_by_older.items():
            setattr(cls, older, OlderName(name))
        return cls

    return add_older_names
