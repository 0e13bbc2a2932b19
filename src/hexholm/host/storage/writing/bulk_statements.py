"""Many rows in one statement, for what every command writes.

A driver that is handed many rows carries out its statement once for each, and each time the writer's thread has to wait
until the event loop lets it go on: a commit of fifty rows waited for a tenth of a second behind a busy loop. One
statement for many rows is carried out at one go, beside the loop. So that the database does not have to read ever new
statements, rows are written in a few sizes only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import Connection, Table

ROWS_AT_ONCE: Final = (64, 32, 16, 8, 4, 2, 1)
Row = tuple[Any, ...]


def insert_rows(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Insert rows, each with a value for every column in the order of the table."""
    names = tuple(column.name for column in table.columns)
    for portion in _portions(rows):
        _execute(connection, _insert_statement(table.name, names, len(portion)), portion)


def advance_tables(connection: Connection, rows: Sequence[Row]) -> int:
    """Move game tables on: (id, last entry before, last entry, when, status, summary), None for what stays.

    Returns how many were where they should have been.
    """
    return sum(_execute(connection, _advance_statement(len(portion)), portion) for portion in _portions(rows))


def _portions(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    at = 0
    for size in ROWS_AT_ONCE:
        while len(rows) - at >= size:
            yield rows[at : at + size]
            at += size


def _execute(connection: Connection, statement: str, rows: Sequence[Row]) -> int:
    if connection.dialect.paramstyle != "qmark":
        statement = statement.replace("?", "%s")  # our statements hold no other question mark, and no percent sign
    return connection.exec_driver_sql(statement, tuple(value for row in rows for value in row)).rowcount


@lru_cache
def _insert_statement(table_name: str, names: tuple[str, ...], rows: int) -> str:
    return f"INSERT INTO {table_name} ({', '.join(names)}) VALUES {_placeholders(len(names), rows)}"  # noqa: S608  # our own names


@lru_cache
def _advance_statement(rows: int) -> str:
    new_values = f"(VALUES {_placeholders(6, rows)}) AS new"
    return (
        "UPDATE game_table SET last = new.column3, changed = new.column4, "  # noqa: S608  # as above
        "status = coalesce(new.column5, game_table.status), summary = coalesce(new.column6, game_table.summary) "
        f"FROM {new_values} WHERE game_table.id = new.column1 AND game_table.last = new.column2"
    )


def _placeholders(columns: int, rows: int) -> str:
    return ", ".join([f"({', '.join('?' * columns)})"] * rows)
