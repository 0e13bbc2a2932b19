"""`hexholm convert`: games, positions, views and boards written in another form, or in their canonical spelling."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Final

import typer

from hexholm.game.language.phrases import count_noun

from ..reports.position_text import position_data
from ..shared.common_options import GameNumberOption, choices, seat_names
from ..shared.files import REPLACED, BadCall, display_name, ending, read_text, save
from ..shared.inputs import FORMS_CALLED, choose_record, eyes_of, input_kind, own_eyes, records_in, view_in
from ..shared.record_file import RECORD_FORMS, RecordFile, serialize_record

if TYPE_CHECKING:
    from hexholm.game.game import Record, SeatView

EXAMPLE: Final = "hexholm convert games.jsonl --out games.hexholm --seat blue"
OFFERED: Final = {
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
            " [default: by the ending of --out]",
            show_default=False,
            autocompletion=choices(*dict.fromkeys(form for forms in OFFERED.values() for form in forms)),
        ),
    ] = None,
    out: Annotated[str, typer.Option(help="Where to; - is standard output.")] = "-",
    game: GameNumberOption = None,
    seat: Annotated[
        str | None,
        typer.Option(help="Make the copy of this player: a colour.", show_default=False, autocompletion=seat_names),
    ] = None,
    public: Annotated[bool, typer.Option("--public", help="Make the copy of an onlooker.")] = False,
) -> int:
    """Write games, positions and boards in another form.

    What is read is checked: a file that cannot be true is refused. A position or a board is written in its one
    canonical spelling. Parquet can only be written: to games.parquet, a row a game, and to games.steps.parquet, a row a
    step.
    """
    text = read_text(file)
    kind = input_kind(text, file)
    form = wanted_form(kind, to, out)
    if kind != "records" and game is not None:
        raise BadCall(f"--game is for files with games; {display_name(file)} holds {FORMS_CALLED[kind]}")
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
    offered = OFFERED[kind]
    form = to.strip().lower() if to is not None else CONVERTED_FORMS.get(ending(out))
    if form is None:
        if kind != "records":
            return offered[0]
        raise BadCall(f"say what the games should become: --to {', '.join(offered)}")
    if form == "json" and kind == "records":
        form = "jsonl"
    if form not in offered:
        raise BadCall(f"--to {form}: {FORMS_CALLED[kind]} can be written as {', '.join(offered)}")
    return form


def requested_copy(record: Record, seat: str | None, public: bool) -> Record:
    """The copy for a seat or the public, if one is asked for."""
    if seat is None and not public:
        return record
    if record.eyes is not None:
        own_eyes(record.eyes, seat, public)
        return record
    return record.seen_by(eyes_of(record.colors, seat, public))


def write_records(records: list[Record], form: str, out: str) -> None:
    """Write games to a file or to standard output."""
    if out == "-":
        if form == "parquet":
            raise BadCall("--to parquet is no text; name files with --out games.parquet")
        for number, record in enumerate(records):
            typer.echo(serialize_record(record, form, number), nl=False)
        return
    interrupted = False
    with RecordFile(out, "--out", form) as store:
        try:
            for record in records:
                store.add(record)
        except KeyboardInterrupt:
            interrupted = True
    note = REPLACED if store.replaced else ""
    if interrupted:
        note = f", of {len(records):,}: interrupted{note}"
    typer.echo(f"wrote {count_noun(store.kept, 'game')} to {' and '.join(store.files)}{note}", err=True)
    if interrupted:
        raise KeyboardInterrupt


def converted_position(text: str, kind: str, form: str, seat: str | None, public: bool) -> str:
    """A position or a view in its canonical spelling, or as data."""
    from hexholm.game.game import Game

    table: Game | None = None
    if kind == "view":
        view: SeatView = view_in(text, seat, public)
    else:
        table = Game.from_position(text)
        view = table.view(eyes_of(table.colors, seat, public))
        if seat is not None or public:
            table = None
    if form == "json":
        return json.dumps(position_data(view, table), ensure_ascii=False)
    return table.position() if table is not None else view.text()
