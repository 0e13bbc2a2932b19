"""What a new game is made of: its options, its board, its players' names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from hexholm.rules.boards import Layout
from hexholm.rules.errors import BadInput
from hexholm.rules.options import BadOptions, Options, options

EDITION: Final = "sixth"
"""What is played if nothing is said: the newest edition of the box, on a new board."""


def unnamed(layout: Layout) -> Layout:
    """A board without the seed in its name: who knows the seed of a game could foresee its dice."""
    name = layout.name.partition(", board seed")[0]
    return Layout(layout.board, layout.start, name, standard=layout.standard)


def names_for(names: Sequence[str], chosen: Options) -> tuple[str, ...]:
    """The players' names, by seat; their colours if none are given."""
    if not names:
        return chosen.colors
    if isinstance(names, str) or len(names) != chosen.players:
        raise BadInput(f"names {names!r}: give {chosen.players} names, one for each seat")
    return tuple(" ".join(str(name).split()) or color for name, color in zip(names, chosen.colors, strict=True))


def options_for(
    edition: str | None,
    players: int | None,
    setup: str | None,
    first: int | str | None,
    board: Layout | None,
    more: dict[str, Any],
) -> Options:
    """The options of a new game: the sixth edition on a new board unless told otherwise."""
    if setup is None and more.get("map") is None:
        setup = "fixed" if board is not None and board.start else "variable"
    given = {"edition": edition or EDITION, "players": players, "setup": setup, **more}
    if isinstance(first, str) and first != "roll":
        colors = options(**given).colors
        if first not in colors:
            raise BadOptions(
                [("SETUP-05", f"first {first!r}: name one of {', '.join(colors)}, a seat from 0, or 'roll'")]
            )
        first = colors.index(first)
    if first is None and given.get("ages") is None:
        return options(**given)
    return options(**given, first=first)
