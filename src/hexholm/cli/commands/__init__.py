"""The commands of `hexholm`, one module each, named like the command: `tournament.py` holds `hexholm tournament`.

A module holds a function of its own name, whose signature declares the options and whose body begins the work; it
returns the exit code. A hyphen in the name of a command is an underscore there. A module is imported when its command
is called, so what `hexholm --help` says of it stands here.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, Final

COMMANDS: Final = {
    "play": "Play a game against bots in the terminal.",
    "board": "Make a board, or check your own; draw and save it.",
    "show": "Draw a position: the table, whose turn it is, what is legal.",
    "replay": "Tell recorded games in words, summarize them, or verify them.",
    "verify-dice": "Check the dice of a recorded game against its host's key.",
    "convert": "Write games, positions and boards in another format.",
    "simulate": "Play many games of random players and count who wins.",
    "tournament": "Find out which players are stronger, and how sure that is.",
    "bots": "List the players, one per line, or check one.",
    "rules": "Look up the rules: the almanac of an edition.",
    "perft": "Count the ways a game can begin.",
    "serve": "Host tables for people and programs, and play in the browser.",
    "mcp": "Give an AI assistant a seat: MCP over stdin and stdout.",
    "watch": "Follow a table in the terminal until its game is over.",
    "backup": "Copy a server's database, even while it is running.",
    "restore": "Replace a server's database with a backup.",
    "admin": "Look after people and words: reports, mutes, bans.",
    "upgrade": "Upgrade a server's database to this version.",
    "prune": "Delete old finished games from a server's database.",
    "doctor": "Show versions, the cache and what is installed.",
}
"""Every command with the first line of its docstring, in the order of `hexholm --help`."""


def load(name: str) -> tuple[Callable[..., Any], str | None]:
    """The function of a command, and the example that its help ends with."""
    module = _module_of(name)
    return getattr(module, name.replace("-", "_")), getattr(module, "EXAMPLE", None)


def load_subcommands(name: str) -> dict[str, Callable[..., Any]]:
    """The functions of a command that consists of others, by their names; empty: it does not."""
    return getattr(_module_of(name), "SUBCOMMANDS", {})


def _module_of(name: str) -> ModuleType:
    return import_module(f".{name.replace('-', '_')}", __package__)
