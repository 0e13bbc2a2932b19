"""Names of before the first release that still work: each leads to what is called differently today."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

AnyClass = TypeVar("AnyClass", bound=type)


class OlderName:
    """Another way to an attribute."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, owner: Any, owner_type: type) -> Any:
        return getattr(owner_type if owner is None else owner, self._name)


def older_names(**name_by_older: str) -> Callable[[AnyClass], AnyClass]:
    """Let attributes of a class be found by older names. Type checkers see those of today alone."""

    def add(cls: AnyClass) -> AnyClass:
        for older, name in name_by_older.items():
            setattr(cls, older, OlderName(name))
        return cls

    return add
