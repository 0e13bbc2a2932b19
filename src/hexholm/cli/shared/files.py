"""Files that commands read and write: `-` is standard input or output, and what goes wrong is one line."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Final

import typer

from hexholm.rules.errors import BadInput

PARQUET: Final = b"PAR1"
"""How a Parquet file begins."""
TABLES_DATABASE: Final = "tables.db"
"""The database of a server, in the folder of its user."""
ROOM_GONE: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
REPLACED: Final = ", in place of what was there"


class BadCall(BadInput):
    """Options of a command that cannot be read, or that do not go together."""


class BadBoardFile(BadInput):
    """A board of one's own with faults: `lines` tells them one by one."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__("; ".join(line.strip() for line in lines))
        self.lines = lines


def display_name(file: str) -> str:
    """The name of a file as messages say it."""
    return "standard input" if file == "-" else file


def read_text(file: str, flag: str = "FILE") -> str:
    """The text of a file or of standard input; `flag` is the option that names it."""
    if not file:
        raise BadCall(f"{flag} '': name a file, or - for standard input")
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise BadCall(f"cannot read {display_name(file)}: {_reason_of(error)}") from None
    except ValueError as error:  # a null character in the name, or in the text what no UTF-8 has
        reason = "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else str(error)
        if isinstance(error, UnicodeDecodeError) and error.object.startswith(PARQUET):
            reason = "Parquet can only be written; read the .jsonl or .hexholm file that the games came from"
        raise BadCall(f"cannot read {display_name(file)}: {reason}") from None
    return text.removeprefix("\ufeff")  # some editors begin a file with this mark


def _reason_of(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    return "it is a folder" if isinstance(error, IsADirectoryError) else error.strerror or str(error)


def save(file: str, content: str | bytes, flag: str) -> None:
    """Write a file, or to standard output; `flag` is the option that names it. Says on stderr what was written."""
    if file == "-":
        typer.echo(content, nl=isinstance(content, str) and not content.endswith("\n"))
        return
    check_writable(file, flag)
    note = REPLACED if holds_something(file) else ""
    try:
        if isinstance(content, str):
            Path(file).write_text(content if content.endswith("\n") else content + "\n", encoding="utf-8", newline="\n")
        else:
            Path(file).write_bytes(content)
    except OSError as error:
        raise write_error(file, error) from None
    typer.echo(f"wrote {file}{note}", err=True)


def check_writable(file: str, flag: str) -> None:
    """Refuse early what could not be written in the end."""
    if not file:
        raise BadCall(f"{flag} '': name a file, or - for standard output")
    if "\0" in file:
        raise BadCall(f"cannot write {file!r}: a name has no null characters")
    folder = Path(file).parent
    if Path(file).is_dir():
        raise BadCall(f"cannot write {file}: it is a folder; name a file in it")
    if not folder.is_dir():
        raise BadCall(f"cannot write {file}: there is no folder {folder}")


def holds_something(file: str) -> bool:
    """Whether there is a file with something in it; a device, a pipe or an empty file holds nothing to lose."""
    path = Path(file)
    return path.is_file() and path.stat().st_size > 0


def refuse_replacing(file: str) -> None:
    """Refuse to replace a file that holds something."""
    if holds_something(file):
        raise BadCall(f"cannot write {file}: it already exists; name another, or add --force to replace it")


def write_error(file: str, error: OSError) -> Exception:
    """The line for a file that cannot be written; a full disk is no fault of the caller and stays what it is."""
    return error if error.errno in ROOM_GONE else BadCall(f"cannot write {file}: {error.strerror or error}")


def ending_of(file: str) -> str:
    """The ending of a file's name, without the dot, in small letters; of `games.jsonl` it is `jsonl`."""
    return Path(file).suffix.lower().removeprefix(".") if file != "-" else ""


def data_folder(*parts: str) -> Path:
    """The folder of this user in which games, tournaments or databases are kept if nobody says where."""
    import platformdirs

    folder = Path(os.environ.get("HEXHOLM_DATA") or platformdirs.user_data_dir("hexholm")).joinpath(*parts)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def named_database(file_or_address: str | None, own_file: str = TABLES_DATABASE) -> str:
    """The database: the file or the address that is given, or a file of this user."""
    if file_or_address is None:
        return str(data_folder() / own_file)
    return file_or_address if _is_address(file_or_address) else str(Path(file_or_address))


def existing_database(file_or_address: str | None) -> str:
    """The database, which must be there: none is made by the way. What a server does not have it says itself."""
    database = named_database(file_or_address)
    if not _is_address(database) and not Path(database).is_file():
        hint = "name one with --db" if file_or_address is None else "name one that is there"
        raise BadCall(f"{database}: there is no such database; {hint}")
    return database


def shown_database(database: str) -> str:
    """A database as messages say it: an address has no password then."""
    if not _is_address(database):
        return database
    from hexholm.host.storage import shown_address

    return shown_address(database)


def _is_address(database: str) -> bool:
    return "://" in database
