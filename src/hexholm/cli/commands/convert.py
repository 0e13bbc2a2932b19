"""`hexholm convert`: games, positions, views and boards written in another form, or in their canonical spelling."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import typer

from ..shared.files import REPLACED, BadCall, ending, read_text, save, spoken
from ..shared.game_options import many, own_board
from ..shared.inputs import CALLED, chosen, eyes_of, own_eyes, records_in, what_is
from ..shared.record_file import FORMS as RECORD_FORMS
from ..shared.record_file import Store, written

if TYPE_CHECKING:
    from hexholm.game.records.data import Record
    from hexholm.game.views.seat_knowledge import SeatView

OFFERED: Final = {
    "records": ("text", "jsonl", "parquet"),
    "position": ("text", "json"),
    "view": ("text", "json"),
    "board": ("toml",),
}
ENDINGS: Final = {**RECORD_FORMS, "json": "json", "toml": "toml"}


def run(file: str, to: str | None, out: str, game: int | None, seat: str | None, public: bool) -> int:
    """Read, check and write; returns the exit code."""
    text = read_text(file)
    kind = what_is(text, file)
    form = wanted(kind, to, out)
    if kind != "records" and game is not None:
        raise BadCall(f"--game is for files with games; {spoken(file)} holds {CALLED[kind]}")
    if kind == "board":
        if seat is not None or public:
            raise BadCall("--seat and --public are for games and positions; a board is known to all")
        save(out, own_board(file, text).to_toml(), "--out")
    elif kind == "records":
        records = records_in(text, file)
        if game is not None:
            records = [chosen(records, file, game)]
        keep([seen(record, seat, public) for record in records], form, out)
    else:
        save(out, position(text, kind, form, seat, public), "--out")
    return 0


def wanted(kind: str, to: str | None, out: str) -> str:
    """The form that is asked for, by name or by the ending of the file; the canonical text if nothing is said."""
    offered = OFFERED[kind]
    form = to.strip().lower() if to is not None else ENDINGS.get(ending(out))
    if form is None:
        if kind != "records":
            return offered[0]
        raise BadCall(f"say what the games should become: --to {', '.join(offered)}")
    if form == "json" and kind == "records":
        form = "jsonl"
    if form not in offered:
        raise BadCall(f"--to {form}: {CALLED[kind]} can be written as {', '.join(offered)}")
    return form


def seen(record: Record, seat: str | None, public: bool) -> Record:
    """The copy for a seat or the public, if one is asked for."""
    if seat is None and not public:
        return record
    if record.eyes is not None:
        own_eyes(record.eyes, seat, public)
        return record
    return record.seen_by(eyes_of(record.colors, seat, public))


def keep(records: list[Record], form: str, out: str) -> None:
    """Write games to a file or to standard output."""
    if out == "-":
        if form == "parquet":
            raise BadCall("--to parquet is no text; name files with --out games.parquet")
        for number, record in enumerate(records):
            typer.echo(written(record, form, number), nl=False)
        return
    interrupted = False
    with Store(out, "--out", form) as store:
        try:
            for record in records:
                store.keep(record)
        except KeyboardInterrupt:
            interrupted = True
    note = REPLACED if store.replaced else ""
    if interrupted:
        note = f", of {len(records):,}: interrupted{note}"
    typer.echo(f"wrote {many(store.kept, 'game')} to {' and '.join(store.files)}{note}", err=True)
    if interrupted:
        raise KeyboardInterrupt


def position(text: str, kind: str, form: str, seat: str | None, public: bool) -> str:
    """A position or a view in its canonical spelling, or as data."""
    from hexholm.game.game import Game
    from hexholm.game.positions.position import view_text

    from ..reports.position import as_dict, view_in

    table: Game | None = None
    if kind == "view":
        view: SeatView = view_in(text, seat, public)
    else:
        table = Game.from_position(text)
        view = table.view(eyes_of(table.colors, seat, public))
        if seat is not None or public:
            table = None
    if form == "json":
        return json.dumps(as_dict(view, table), ensure_ascii=False)
    return table.position() if table is not None else view_text(view.options, view.layout, view.raw)
