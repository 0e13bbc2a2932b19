"""Events read back from plain data (docs/formats/events.md)."""

from __future__ import annotations

from dataclasses import fields
from types import UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from hexholm.rules.errors import BadInput

from ..cards import Cards
from .kinds import EVENTS, Event

_HINTS: Final = {name: {f.name: get_type_hints(cls)[f.name] for f in fields(cls)} for name, cls in EVENTS.items()}  # type: ignore[arg-type]


class BadEvent(BadInput):
    """Data that is no event; the message says what is wrong with it."""


def event_from_dict(data: dict[str, Any]) -> Event:
    """The event that :meth:`Event.as_dict` wrote; raises :class:`BadEvent`."""
    name = data.get("event")
    if not isinstance(name, str) or name not in EVENTS:
        raise BadEvent(f"there is no event {name!r}; the events are {', '.join(EVENTS)}")
    hints = _HINTS[name]
    values = {key: value for key, value in data.items() if key != "event"}
    if values.keys() != hints.keys():
        raise BadEvent(f"event {name} has {_field_names(values)}; its fields are {_field_names(hints)}")
    try:
        return EVENTS[name](**{key: _as_type(value, hints[key]) for key, value in values.items()})
    except TypeError as error:
        raise BadEvent(f"event {name}: {error}") from None


def _field_names(names: dict[str, Any]) -> str:
    return ", ".join(names) or "no fields"


def _as_type(value: Any, hint: Any) -> Any:
    """Plain data as the type of a field; TypeError if it does not fit."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return _as_type(value, str)  # which words there are is not asked of what was written elsewhere
    if origin in (Union, UnionType):  # Color | None is the one, int | None the other
        return None if value is None else _as_type(value, inner[0])
    if origin is tuple and isinstance(value, (list, tuple)):
        if inner[-1] is not Ellipsis and len(value) != len(inner):
            raise TypeError(f"{value!r} should be {len(inner)} values")
        return tuple(_as_type(item, inner[0]) for item in value)
    if origin is dict and isinstance(value, dict):
        return {_as_type(key, str): _as_type(item, inner[1]) for key, item in value.items()}
    if hint is Cards and isinstance(value, dict):
        return Cards({_as_type(key, str): _as_type(n, int) for key, n in value.items()})
    if origin is None and type(value) is hint:
        return value
    raise TypeError(f"{value!r} should be {getattr(hint, '__name__', hint)}")
