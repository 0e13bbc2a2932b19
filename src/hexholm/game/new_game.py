"""What a new game is made of: its options, its board, its players' names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from hexholm.rules.boards import Layout
from hexholm.rules.errors import BadInput, OptionMention, OptionMessage
from hexholm.rules.setup.editions import DEFAULT_EDITION, DEFAULT_SETUP, FIXED
from hexholm.rules.setup.options import BadOptions, Options, check_options

from .language.clean_text import clean


def names_for(names: Sequence[str], options: Options) -> tuple[str, ...]:
    """The players' names, by seat; their colors if none are given."""
    if not isinstance(names, list | tuple) or len(names) not in (0, options.players):
        raise BadInput(f"names {names!r}: give {options.players} names, one for each seat")
    if not names:
        return options.colors
    return tuple(clean(name) or color for name, color in zip(names, options.colors, strict=True))


def game_options(
    edition: str | None = None,
    players: int | None = None,
    setup: str | None = None,
    *,
    first: int | str | None = None,
    board: Layout | None = None,
    **more: Any,
) -> Options:
    """Checked options of a game (`hexholm.options`): by default the sixth edition on a new board.

    `first` may be a color. `board` is your own board: with start pieces it makes a fixed set-up. `more`: colors,
    phases, harbors, numbers, map, ages, two_players; the house rules points_to_win, hand_limit, friendly_robber,
    balanced_dice. Raises BadOptions, which names every error.
    """
    if board is not None and not isinstance(board, Layout):
        raise BadInput(f"board {board!r}: give a Layout, as hexholm.rules.boards.read_board(text) reads one")
    if setup is None and more.get("map") is None:
        setup = FIXED if board is not None and board.start else DEFAULT_SETUP
    values = {"edition": DEFAULT_EDITION if edition is None else edition, "players": players, "setup": setup, **more}
    if isinstance(first, str) and first != "roll":
        colors = check_options(**values).colors
        if first not in colors:
            advice = f": name one of {', '.join(colors)}, a seat from 0, or 'roll'"
            message = OptionMessage(OptionMention.given_quoted("first", first), advice)
            raise BadOptions([("SETUP-05", message)])
        first = colors.index(first)
    return _shared_options(check_options(**values, first=first))


@lru_cache(maxsize=1024)
def _shared_options(options: Options) -> Options:
    """Equal options are one object, as far as can be: much is kept by the options in force, and compared by them."""
    return options
