"""A property that is worked out once, when somebody looks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

ValueT = TypeVar("ValueT")


class cached_property(Generic[ValueT]):  # noqa: N801  # it is used like `property`
    """`functools.cached_property` without the lock that Python 3.11 puts around it; a view has six of them to make.

    Two threads that look at the same time work it out twice, and get equal values.
    """

    def __init__(self, make: Callable[[Any], ValueT]) -> None:
        self._make, self._name, self.__doc__ = make, make.__name__, make.__doc__

    @overload
    def __get__(self, owner: None, owner_type: type) -> Self: ...
    @overload
    def __get__(self, owner: object, owner_type: type) -> ValueT: ...
    def __get__(self, owner: object | None, owner_type: type) -> Self | ValueT:
        if owner is None:
            return self
        value = owner.__dict__[self._name] = self._make(owner)
        return value
