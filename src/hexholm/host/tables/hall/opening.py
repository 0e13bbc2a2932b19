"""How a table is set up: what somebody asks for is read, then decided; then it is stored as every decision is."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from hexholm import __version__
from hexholm.game.game import Game
from hexholm.game.language.clean_text import clean
from hexholm.game.new_game import game_options
from hexholm.rules.boards import Layout, layout_for, read_board, read_written_board
from hexholm.rules.colors import Color
from hexholm.rules.errors import BadInput

from ...wire.api import NewTable
from ...wire.host_refusals import Declined, Refusal
from .. import log
from ..companion import check_chance_source
from ..lessons import LESSONS, lesson_settings
from ..rated_games import check_can_be_rated
from ..seat_commands import bot_sits, check_bot_name, person_sits
from ..seats import check_color
from ..table_decision import Decision
from ..table_settings import TableSettings
from ..table_terms import TableTerms

"""Characters of the name of a board of somebody's own."""


def new_bot_seed() -> str:
    """What makes the bots of a table play as they do: 128 random bits."""
    return secrets.token_hex(16)


def read_settings(new_table: NewTable) -> TableSettings:
    """What a request for a new table says: options and board read, the creator's seat found. Raises Declined."""
    try:
        if new_table.lesson:
            return lesson_settings(new_table)
        if new_table.board is not None and new_table.board_seed is not None:
            raise BadInput("board and board_seed both say what lies where; give one of them")
        board = None if new_table.board is None else _read_own_board(new_table.board)
        with_board: dict[str, Any] = {} if board is None else {"board": board}
        options = game_options(**new_table.options, **with_board)
    except RecursionError as error:  # options, lists in lists: they cannot even be shown
        raise Declined(Refusal.of_input(BadInput("too much lies in each other; an option is a plain value"))) from error
    except (BadInput, TypeError, ValueError) as error:
        raise Declined(Refusal.of_input(error)) from error
    free_colors = [color for color in options.colors if new_table.seats.get(color) is None]
    creator_color = None
    if new_table.sit:
        creator_color = next(iter(free_colors), None) if new_table.color is None else new_table.color
        if creator_color is None:
            raise Declined.because("no_seat_left")
    if new_table.begin and (left := tuple(color for color in free_colors if color != creator_color)):
        raise Declined.because("begin_needs_bots", seats=left)
    return TableSettings(
        terms=_read_terms(new_table),
        options=options,
        board=board,
        board_seed=new_table.board_seed,
        bots=new_table.seats,
        creator_color=creator_color,
        creator_name=new_table.name,
        begin=new_table.begin,
    )


def _read_own_board(text: str) -> Layout:
    """A board of somebody's own, without its name: a table is named by its title, which can be reported and deleted.

    Raises BadInput.
    """
    layout = read_board(text).without_seed()
    return Layout(layout.board, layout.start, standard=layout.standard, origin=layout.origin)


def _read_terms(new_table: NewTable) -> TableTerms:
    return TableTerms(
        title=new_table.title,
        clock=new_table.clock,
        absence=new_table.absence,
        plays_on=new_table.plays_on,
        ranges=new_table.ranges,
        pace=new_table.pace,
        chance_source=new_table.chance_source,
        rated=new_table.rated,
        visibility=new_table.visibility,
        watchable=new_table.watchable,
        spectators_speak=new_table.spectators_speak,
    )


def decide_opening(creator: str, settings: TableSettings, usual_absence: float, dice_commitment: str = "") -> Decision:
    """The first entries of a table: how it is set up by a guest, and who sits down at once. Raises Declined."""
    terms = settings.terms
    if terms.clock is not None and not terms.clock > 0:
        raise Declined.because(
            "cannot_be_set_up", detail=f"clock {terms.clock!r}: give seconds for a decision, or none"
        )
    check_chance_source(settings)
    check_can_be_rated(settings)
    if terms.spectators_speak and not (terms.visibility == "open" and terms.watchable):
        raise Declined.because("spectators_need_open_table")
    try:
        unplayed = _unplayed_game(settings)
        board_text = unplayed.layout.to_toml()
        if settings.board is not None:
            read_written_board(board_text)  # what cannot be read again is never stored
    except (BadInput, TypeError, ValueError) as error:
        raise Declined(Refusal.of_input(error)) from error
    absence = usual_absence if terms.absence is None else terms.absence
    opened = log.Opened(
        **replace(terms, title=clean(terms.title), absence=absence).as_fields(),
        creator_id=creator,
        options=unplayed.options.as_dict(),
        board=board_text,
        own_board=settings.board is not None,
        reserved=dict(settings.reserved),
        reserved_until=settings.reserved_until,
        version=__version__,
        bot_seed=LESSONS[terms.lesson].bot_seed if terms.lesson else new_bot_seed(),
        dice_commitment=dice_commitment,
    )
    return Decision((opened, *_first_sitters(creator, settings)), unplayed=unplayed)


def _unplayed_game(settings: TableSettings) -> Game:
    seed = secrets.randbits(62) if settings.board_seed is None else settings.board_seed
    layout = layout_for(settings.options, seed) if settings.board is None else settings.board
    return Game.unplayed(settings.options, layout.without_seed())


def _first_sitters(creator: str, settings: TableSettings) -> Iterator[log.Seated]:
    colors: tuple[Color, ...] = settings.options.colors
    for color, bot_name in settings.bots.items():
        check_bot_name(bot_name)
        check_color(color, colors)
        if bot_name is not None:  # a free seat needs no word
            yield bot_sits(color, bot_name)
    if settings.creator_color is not None:
        check_color(settings.creator_color, colors)
        yield person_sits(settings.creator_color, creator, settings.creator_name)
