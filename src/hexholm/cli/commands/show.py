"""`hexholm show`: a position, a view, or a moment of a recorded game, drawn and told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ..reports.position_text import describe_position, position_data
from ..shared.common_options import GameNumberOption, JsonOption, PublicOption, SeatOption, with_options
from ..shared.files import BadCall
from ..shared.inputs import (
    INPUT_KIND_NAMES,
    eyes_of,
    game_at,
    input_kind,
    input_name,
    only_record,
    own_eyes,
    read_argument,
    view_in,
)
from ..shared.picture_options import PICTURE_OPTIONS, PictureRequest

if TYPE_CHECKING:
    from hexholm.game.game import Game

EXAMPLE: Final = "hexholm show games.jsonl --game 2 --turn 30 --png here.png"


@with_options(PICTURE_OPTIONS)
def show(
    argument: Annotated[
        str,
        typer.Argument(
            metavar="POSITION",
            help="A position or a view, or a file that contains one, or a file of games; - is standard input.",
        ),
    ],
    game: GameNumberOption = None,
    turn: Annotated[
        int | None, typer.Option(help="Show the end of this turn; 0: before the first turn.", show_default=False)
    ] = None,
    seat: SeatOption = None,
    public: PublicOption = False,
    as_json: JsonOption = False,
    **flags: Any,
) -> int:
    """Draw a position: the table, whose turn it is, what is legal.

    For a file of games, shows the last position of the last game, unless --game or --turn says otherwise.
    """
    picture = PictureRequest.of_flags(flags)
    picture.check()
    text, file = read_argument(argument)
    kind = input_kind(text, file)
    if kind != "records" and (game is not None or turn is not None):
        raise BadCall(
            f"--{'game' if game is not None else 'turn'} is for files with games; this is {INPUT_KIND_NAMES[kind]}"
        )
    if kind == "board":
        raise BadCall(f"{input_name(file)} holds a board; draw it with hexholm board --file {file or 'FILE'}")
    from hexholm.game.game import Game

    full_game: Game | None = None
    if kind == "view":
        view = view_in(text, seat, public)
    else:
        if kind == "position":
            full_game = Game.from_position(text)
        else:
            record = only_record(text, file, game, last=True)
            if record.eyes is not None:
                seat, public = own_eyes(record.eyes, seat, public)
            full_game = game_at(record, turn)
        eyes = eyes_of(full_game.colors, seat, public)
        view = full_game.view(eyes)
        if seat is not None or public:
            full_game = None
    if as_json:
        typer.echo(json.dumps(position_data(view, full_game), ensure_ascii=False))
        if not picture.files:
            return 0
    elif not picture.files:
        typer.echo(describe_position(view, full_game))
        return 0
    picture.save({}, lambda **style: view.svg(names=picture.names, highlight=picture.places, **style))
    return 0
