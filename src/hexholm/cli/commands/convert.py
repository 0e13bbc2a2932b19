"""`hexholm convert`: games, positions, views and boards written in another form, or in their canonical spelling."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Final

import typer

from hexholm.game.language.phrases import count_noun

from ..reports.position_text import position_data
from ..shared.common_options import GameNumberOption, complete_from, seat_names
from ..shared.files import REPLACED, BadCall, display_name, ending_of, read_text, save
from ..shared.inputs import INPUT_KIND_NAMES, choose_record, eyes_of, input_kind, own_eyes, records_in, view_in
from ..shared.record_file import RECORD_FORMS, RecordFile, serialize_record

if TYPE_CHECKING:
    from hexholm.game.game import Record, SeatView

EXAMPLE: Final = "hexholm convert games.jsonl --out games.hexholm --seat blue"
FORMS_BY_KIND: Final = {
    "records": ("text", "jsonl", "parquet"),
    "position": ("text", "json"),
    "view": ("text", "json"),
    "board": ("toml",),
}
CONVERTED_FORMS: Final = {**RECORD_FORMS, "json": "json", "toml": "toml"}


def convert(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Games, a position, a view or a board; - is standard input.")
    ],
    to: Annotated[
        str | None,
        typer.Option(
            help="text, jsonl or parquet for games; text or json for a position; toml for a board."
            " [default: by the name of --out]",
            show_default=False,
            autocompletion=complete_from(*dict.fromkeys(form for forms in FORMS_BY_KIND.values() for form in forms)),
        ),
    ] = None,
    out: Annotated[str, typer.Option(help="The output file; - is standard output.")] = "-",
    game: GameNumberOption = None,
    seat: Annotated[
        str | None,
        typer.Option(help="Write the copy for this player: a color.", show_default=False, autocompletion=seat_names),
    ] = None,
    public: Annotated[bool, typer.Option("--public", help="Write the copy for a spectator.")] = False,
) -> int:
    """Write games, positions and boards in another format.

    The input is checked: a file with an impossible game, position or board is refused. A position or a board is written
    in its canonical spelling. Parquet can only be written: games.parquet has a row per game, games.steps.parquet a row
    per step.
    """
    text = read_text(file)
    kind = input_kind(text, file)
    form = wanted_form(kind, to, out)
    if kind != "records" and game is not None:
        raise BadCall(f"--game is for files with games; {display_name(file)} holds {INPUT_KIND_NAMES[kind]}")
    if kind == "board":
        if seat is not None or public:
            raise BadCall("--seat and --public are for games and positions; a board is known to all")
        from ..shared.game_options import own_board

        save(out, own_board(file, text).to_toml(), "--out")
    elif kind == "records":
        records = records_in(text, file)
        if game is not None:
            records = [choose_record(records, file, game)]
        write_records([requested_copy(record, seat, public) for record in records], form, out)
    else:
        save(out, converted_position(text, kind, form, seat, public), "--out")
    return 0


def wanted_form(kind: str, to: str | None, out: str) -> str:
    """The form that is asked for, by name or by the ending of the file; the canonical text if nothing is said."""
    forms = FORMS_BY_KIND[kind]
    form = to.strip().lower() if to is not None else CONVERTED_FORMS.get(ending_of(out))
    if form is None:
        if kind != "records":
            return forms[0]
        raise BadCall(f"say what the games should become: --to {', '.join(forms)}")
    if form == "json" and kind == "records":
        form = "jsonl"
    if form not in forms:
        raise BadCall(f"--to {form}: {INPUT_KIND_NAMES[kind]} can be written as {', '.join(forms)}")
    return form


def requested_copy(record: Record, seat_flag: str | None, public: bool) -> Record:
    """The copy for a seat or the public, if one is asked for."""
    if seat_flag is None and not public:
        return record
    if record.eyes is not None:
        own_eyes(record.eyes, seat_flag, public)
        return record
    return record.seen_by(eyes_of(record.colors, seat_flag, public))


def write_records(records: list[Record], form: str, out: str) -> None:
    """Write games to a file or to standard output."""
    if out == "-":
        if form == "parquet":
            raise BadCall("--to parquet does not write text; name files with --out games.parquet")
        for number, record in enumerate(records):
            typer.echo(serialize_record(record, form, number), nl=False)
        return
    interrupted = False
    with RecordFile(out, "--out", form) as record_file:
        try:
            for record in records:
                record_file.add(record)
        except KeyboardInterrupt:
            interrupted = True
    note = REPLACED if record_file.replaced else ""
    if interrupted:
        note = f", of {len(records):,}: interrupted{note}"
    typer.echo(
        f"wrote {count_noun(record_file.games_written, 'game')} to {' and '.join(record_file.files)}{note}", err=True
    )
    if interrupted:
        raise KeyboardInterrupt


def converted_position(text: str, kind: str, form: str, seat_flag: str | None, public: bool) -> str:
    """A position or a view in its canonical spelling, or as data."""
    from hexholm.game.game import Game

    game: Game | None = None
    if kind == "view":
        view: SeatView = view_in(text, seat_flag, public)
    else:
        game = Game.from_position(text)
        view = game.view(eyes_of(game.colors, seat_flag, public))
        if seat_flag is not None or public:
            game = None
    if form == "json":
        return json.dumps(position_data(view, game), ensure_ascii=False)
    return game.position() if game is not None else view.text()
