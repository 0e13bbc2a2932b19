"""Where the games of `hexholm play` are kept, how one is begun or taken up again, and who sits where in it.

A game that was begun by a person has the name of that person in its record, and everybody else is called by a level. So
a record says which seat to go on with, and against whom: by these names alone, for the format has no other place for
it, and games that were kept so can always be resumed.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from hexholm.bots.shipped_bots import TABLE_BOTS
from hexholm.game.dealers import Seeded
from hexholm.game.game import Game, Record
from hexholm.game.language.phrases import count_noun
from hexholm.rules.colors import Color

from ..shared.files import BadCall, check_writable, data_folder, display_name, read_text
from ..shared.game_options import is_default, options_and_board
from ..shared.inputs import input_kind, no_such_seat, records_in
from ..shared.terminal import program_command

EASIEST: Final = TABLE_BOTS[0]
OPPONENT: Final = "simple player"
"""The name of the players of the default level."""
LEVEL_NAMES: Final = {name: OPPONENT if name == EASIEST else f"{name} player" for name in TABLE_BOTS}
"""What everybody who is no person is called, by level; so a record says which seat is the person's."""
SIMPLE_LEVELS: Final = (EASIEST, "random")
"""Levels that need no compiled rules."""
BOT_NAMES: Final = frozenset(LEVEL_NAMES.values())
PERSON: Final = "person"


def level_of(level: str | None) -> str:
    """A level by name; None: the default."""
    if level is None or level.strip().lower() in LEVEL_NAMES:
        return level.strip().lower() if level else EASIEST
    raise BadCall(f"--level {level}: choose one of {', '.join(LEVEL_NAMES)}")


def level_in(game: Game) -> str:
    """The level of the players in a game that is taken up."""
    return next((level for level, player_name in LEVEL_NAMES.items() if player_name in game.names), EASIEST)


def new_terminal_game(
    player_count: int | None,
    seed: int,
    seat_flag: str | None,
    name: str | None,
    file: str | None,
    level: str,
    **flags: Any,
) -> tuple[Game, str]:
    """A new game, and the person's color."""
    options, layout = options_and_board(file, players=4 if player_count is None else player_count, **flags)
    me = _color_of_seat(seat_flag, options.colors) or options.colors[0]
    person_name = _clean_name(name) or PERSON
    names = [person_name if color == me else LEVEL_NAMES[level] for color in options.colors]
    # Interpreted rules are quick enough for a person and a simple player, and loading compiled ones would double the
    # time to the first question (0.9 s of processor time instead of 0.45 s).
    compiled = False if level in SIMPLE_LEVELS else None
    return Game.with_options(options, seed, board=layout, names=names, compiled=compiled), me


def resume_game(file: str, seed: int, seat_flag: str | None, name: str | None = None) -> tuple[Game, str]:
    """The game of a record, and the person's color: the seat that is no bot's, or the one asked for.

    Who takes another seat is named there too: the record says of every seat whether a person ever played it.
    """
    record = _record_to_resume(file)
    game = _game_taken_up(record, file, seed, compiled=False)
    people = [color for color, old in zip(game.colors, game.names, strict=True) if old not in BOT_NAMES]
    me = _color_of_seat(seat_flag, game.colors)
    if me is None:
        if len(people) != 1:
            candidates = ", ".join(people or game.colors)
            raise BadCall(f"{file} does not say which seat is yours; add --seat and one of {candidates}")
        me = people[0]
    own_seat = game.colors.index(me)
    new_name = _clean_name(name)
    if new_name is None and game.names[own_seat] in BOT_NAMES:
        new_name = game.names[game.colors.index(people[0])] if len(people) == 1 else PERSON
    names = tuple(
        new_name if new_name and color == me else old for color, old in zip(game.colors, game.names, strict=True)
    )
    compiled = False if level_in(game) in SIMPLE_LEVELS else None
    if names != game.names or compiled is None:
        game = _game_taken_up(replace(record, names=names), file, seed, compiled=compiled)
    return game, me


def take_up_game(file: str, seed: int) -> Game:
    """The unfinished game of a file, with new dice."""
    return _game_taken_up(_record_to_resume(file), file, seed, compiled=None)


def _record_to_resume(file: str) -> Record:
    """The one record of a file."""
    text = read_text(file, "--resume")
    if not text.strip() or input_kind(text, file) != "records":
        raise BadCall(f"{display_name(file)} holds no game")
    if text.lstrip().startswith("{"):
        text_name = Path(file).with_suffix(".hexholm").name if file != "-" else "game.hexholm"
        raise BadCall(
            f"{display_name(file)} holds JSON; first make a text of it:"
            f" {program_command()} convert {file} --out {text_name}"
        )
    records = records_in(text, file)
    if len(records) != 1:
        raise BadCall(
            f"{display_name(file)} holds {count_noun(len(records), 'game')}; only a file with one game can be resumed"
        )
    if records[0].eyes is not None:
        replay_hint = f"to read it: {program_command()} replay {shlex.quote(file)}"
        raise BadCall(
            f"{display_name(file)} is what {records[0].eyes} saw of a game, and cannot be played on; {replay_hint}"
        )
    return records[0]


def _game_taken_up(record: Record, file: str, seed: int, *, compiled: bool | None) -> Game:
    game = Game.from_record(record, dealer=Seeded(seed), compiled=compiled)
    if game.result is not None:
        raise BadCall(
            f"{display_name(file)}: that game is over; to read it: {program_command()} replay {shlex.quote(file)}"
        )
    if game.chance is not None:
        game.deal()
    return game


def refuse_with_record(**flags: Any) -> None:
    """Refuse options that say what is played beside a record that does."""
    for option, value in flags.items():
        if not is_default(option, value):
            raise BadCall(f"--resume and --{option.replace('_', '-')}: the record says what is played; leave it out")


def _clean_name(name: str | None) -> str | None:
    """A name as it is written down; None: none was given."""
    cleaned = " ".join((name or "").split())
    if cleaned in BOT_NAMES:
        raise BadCall(f"--name {cleaned!r}: that is what the others are called; choose another name")
    return cleaned or None


def _color_of_seat(seat_flag: str | None, colors: tuple[Color, ...]) -> str | None:
    if seat_flag is None or seat_flag.strip().lower() in colors:
        return seat_flag and seat_flag.strip().lower()
    raise no_such_seat(seat_flag, colors)


# --- files ------------------------------------------------------------------------------------------------------------


def file_of_game(record: str | None, resume: str | None = None) -> Path:
    """The file that a game is kept in: as asked, where it was, or a new one in the folder of games."""
    if record is not None:
        check_writable(record, "--record")
        if record == "-":
            raise BadCall("--record -: standard output shows the game; name a file")
        if resume is None or not _is_same_file(record, resume):
            _must_be_free(record)
        return Path(record)
    if resume is not None and resume != "-":
        return Path(resume)
    folder = data_folder("games")
    timestamp = dt.datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    path, n = folder / f"{timestamp}.hexholm", 1
    while path.exists():
        n += 1
        path = folder / f"{timestamp}-{n}.hexholm"
    return path


def _is_same_file(file: str, other_file: str) -> bool:
    with contextlib.suppress(OSError):
        return Path(file).samefile(other_file)
    return False


def _must_be_free(file: str) -> None:
    """Never write over what somebody may want; an empty file is as good as none, and so is a device."""
    path = Path(file)
    if not path.is_file() or path.stat().st_size == 0:
        return
    game = False
    with contextlib.suppress(BadCall):
        game = input_kind(read_text(file), file) == "records"
    if game:
        raise BadCall(f"{file} holds a game already: go on with --resume {shlex.quote(file)}, or name another file")
    raise BadCall(f"{file} is there already and holds no game: name another file")


def write_whole(path: Path, text: str) -> None:
    """Write a file at one stroke: whatever happens, it is whole, the old one or the new one."""
    path = path.resolve()  # a link stays one
    if path.exists() and not path.is_file():  # a device or a pipe must not be replaced by a file
        path.write_text(text, encoding="utf-8", newline="\n")
        return
    new_file = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        new_file.write_text(text, encoding="utf-8", newline="\n")
        new_file.replace(path)
    finally:
        with contextlib.suppress(OSError):
            new_file.unlink(missing_ok=True)


def resume_command(path: Path, seat_flag: str | None, seed: int | None) -> str:
    """The command that takes a game up again, with the options that this one was called with."""
    words = [program_command(), "play --resume", shlex.quote(str(path))]
    words += ["--seat", seat_flag.strip().lower()] if seat_flag is not None else []
    words += ["--seed", str(seed)] if seed is not None else []
    return " ".join(words)


def replay_command(path: Path) -> str:
    """The command that tells a game again."""
    return f"{program_command()} replay {shlex.quote(str(path))}"
