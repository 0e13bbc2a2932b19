"""Where the games of `hexholm play` are kept, how one is begun or taken up again, and who sits where in it.

A game that was begun by a person has the name of that person in its record, and everybody else is a player by level. So
a record says which seat to go on with, and against whom.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import shlex
from pathlib import Path
from typing import Any, Final

from hexholm.bots.shipped_bots import TABLE_BOTS
from hexholm.game.dealers import Seeded
from hexholm.game.game import Game
from hexholm.game.language.phrases import count_noun

from ..shared.files import BadCall, data_folder, display_name, read_text, writable
from ..shared.game_options import is_default, options_and_board
from ..shared.inputs import input_kind, records_in
from ..shared.terminal import program_called

EASIEST: Final = TABLE_BOTS[0]
OPPONENT: Final = "simple player"
"""The name of the players of the default level."""
LEVELS: Final = {name: OPPONENT if name == EASIEST else f"{name} player" for name in TABLE_BOTS}
"""What everybody who is no person is called, by level; so a record says which seat is the person's."""
SIMPLE: Final = (EASIEST, "random")
"""Levels that need no compiled rules."""
BOTS: Final = frozenset(LEVELS.values())
PERSON: Final = "person"


def level_of(level: str | None) -> str:
    """A level by name; None: the default."""
    if level is None or level.strip().lower() in LEVELS:
        return level.strip().lower() if level else EASIEST
    raise BadCall(f"--level {level}: choose one of {', '.join(LEVELS)}")


def level_in(game: Game) -> str:
    """The level of the players in a game that is taken up."""
    return next((level for level, called in LEVELS.items() if called in game.names), EASIEST)


def new_terminal_game(
    players: int | None, luck: int, seat: str | None, name: str | None, file: str | None, level: str, **given: Any
) -> tuple[Game, str]:
    """A new game, and the person's colour."""
    chosen, own = options_and_board(file, players=4 if players is None else players, **given)
    me = _color_of_seat(seat, chosen.colors) or chosen.colors[0]
    called = _clean_name(name) or PERSON
    names = [called if color == me else LEVELS[level] for color in chosen.colors]
    # Interpreted rules are quick enough for a person and a simple player, and loading compiled ones would double the
    # time to the first question (0.9 s of processor time instead of 0.45 s).
    compiled = False if level in SIMPLE else None
    return Game(seed=luck, board=own, names=names, compiled=compiled, **chosen.as_dict()), me


def resume_game(file: str, luck: int, seat: str | None, name: str | None = None) -> tuple[Game, str]:
    """The game of a record, and the person's colour: the seat that is no bot's, or the one asked for.

    Who takes another seat is named there too: the record says of every seat whether a person ever played it.
    """
    game = take_up_game(file, luck)
    if level_in(game) not in SIMPLE:
        game = take_up_game(file, luck, compiled=None)
    people = [color for color, called in zip(game.colors, game.names, strict=True) if called not in BOTS]
    me = _color_of_seat(seat, game.colors)
    if me is None:
        if len(people) != 1:
            which = ", ".join(people or game.colors)
            raise BadCall(f"{file} does not say which seat is yours; add --seat and one of {which}")
        me = people[0]
    at = game.colors.index(me)
    called = _clean_name(name)
    if called is None and game.names[at] in BOTS:
        called = game.names[game.colors.index(people[0])] if len(people) == 1 else PERSON
    game.names = tuple(
        called if called and color == me else old for color, old in zip(game.colors, game.names, strict=True)
    )
    return game, me


def take_up_game(file: str, luck: int, *, compiled: bool | None = False) -> Game:
    """The unfinished game of a file, with new dice."""
    text = read_text(file, "--resume")
    if not text.strip() or input_kind(text, file) != "records":
        raise BadCall(f"{display_name(file)} holds no game")
    if text.lstrip().startswith("{"):
        new = Path(file).with_suffix(".hexholm").name if file != "-" else "game.hexholm"
        raise BadCall(
            f"{display_name(file)} holds JSON; first make a text of it: {program_called()} convert {file} --out {new}"
        )
    records = records_in(text, file)
    if len(records) != 1:
        raise BadCall(
            f"{display_name(file)} holds {count_noun(len(records), 'game')}; only a file with one game can be resumed"
        )
    if records[0].eyes is not None:
        read = f"to read it: {program_called()} replay {shlex.quote(file)}"
        raise BadCall(f"{display_name(file)} is what {records[0].eyes} saw of a game, and cannot be played on; {read}")
    game = Game.from_record(records[0], dealer=Seeded(luck), compiled=compiled)
    if game.result is not None:
        raise BadCall(
            f"{display_name(file)}: that game is over; to read it: {program_called()} replay {shlex.quote(file)}"
        )
    if game.chance is not None:
        game.deal()
    return game


def only_the_record(**given: Any) -> None:
    """Refuse options that say what is played beside a record that does."""
    for option, value in given.items():
        if not is_default(option, value):
            raise BadCall(f"--resume and --{option.replace('_', '-')}: the record says what is played; leave it out")


def _clean_name(name: str | None) -> str | None:
    """A name as it is written down; None: none was given."""
    called = " ".join((name or "").split())
    if called in BOTS:
        raise BadCall(f"--name {called!r}: that is what the others are called; choose another name")
    return called or None


def _color_of_seat(seat: str | None, colors: tuple[str, ...]) -> str | None:
    if seat is None or seat.strip().lower() in colors:
        return seat and seat.strip().lower()
    raise BadCall(f"--seat {seat}: the players are {', '.join(colors)}")


# --- files ------------------------------------------------------------------------------------------------------------


def file_of_game(record: str | None, resume: str | None = None) -> Path:
    """The file that a game is kept in: as asked, where it was, or a new one in the folder of games."""
    if record is not None:
        writable(record, "--record")
        if record == "-":
            raise BadCall("--record -: standard output shows the game; name a file")
        if resume is None or not _same_file(record, resume):
            _must_be_free(record)
        return Path(record)
    if resume is not None and resume != "-":
        return Path(resume)
    folder = data_folder("games")
    now = dt.datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    path, n = folder / f"{now}.hexholm", 1
    while path.exists():
        n += 1
        path = folder / f"{now}-{n}.hexholm"
    return path


def _same_file(one: str, other: str) -> bool:
    with contextlib.suppress(OSError):
        return Path(one).samefile(other)
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
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        beside.write_text(text, encoding="utf-8", newline="\n")
        beside.replace(path)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def resume_command(path: Path, seat: str | None, seed: int | None) -> str:
    """The command that takes a game up again, with the options that this one was called with."""
    parts = [program_called(), "play --resume", shlex.quote(str(path))]
    parts += ["--seat", seat.strip().lower()] if seat is not None else []
    parts += ["--seed", str(seed)] if seed is not None else []
    return " ".join(parts)


def replay_command(path: Path) -> str:
    """The command that tells a game again."""
    return f"{program_called()} replay {shlex.quote(str(path))}"
