"""What the option parser refuses, told as every other refusal is: one line, in plain words.

    hexholm: simulate: --seed abc: give a whole number (hexholm simulate --help)

The parser of Typer is Click, or a copy of it that Typer carries; both raise the same classes, so these are told apart
by their names and by what they hold.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

import typer

UsageError: Final[type[Exception]] = typer.BadParameter.__mro__[1]
"""What the parser raises: of `BadParameter`, which Typer offers, the class above it."""


def refusal_line(error: Any, words: Sequence[str], commands: Iterable[str]) -> str:
    """The refusal of a command line that consists of these `words`, in one line without `hexholm: `."""
    command = _called_command(error, words, commands)
    explanation = " ".join(_explain(error, words).split())
    program = f"hexholm {command}".strip()
    return f"{command}: {explanation} ({program} --help)" if command else f"{explanation} ({program} --help)"


def _called_command(error: Any, words: Sequence[str], commands: Iterable[str]) -> str:
    """Which command was called; the parser does not always say."""
    if error.ctx is not None:
        return str(error.ctx.command_path).partition(" ")[2]
    return next((word for word in words if word in commands), "")


def _explain(error: Any, words: Sequence[str]) -> str:
    """What was said, what is wrong with it, and what would be right."""
    message = str(error.message)
    kind = type(error).__name__
    if kind == "MissingParameter":
        return f"{_param_name(error.param)} is missing" if error.param is not None else str(error.format_message())
    if kind == "BadParameter" and error.param is not None:
        return _bad_value(error.param, message, words)
    if kind == "NoSuchOption":
        names = [option for param in error.ctx.command.params for option in param.opts] if error.ctx is not None else []
        return f"{error.option_name}: there is no such option{_suggestion_for(error.option_name, [*names, '--help'])}"
    if kind == "BadOptionUsage":
        if "does not take" in message or "takes no" in message:
            return f"{error.option_name} takes no value"
        several = re.search(r"requires (\d+) arguments", message)
        return f"{error.option_name} needs {f'{several[1]} values' if several else 'a value'}"
    if message.startswith("Missing command"):
        return "name one of its commands"
    if match := re.match(r"No such command '(.*?)'\.", message):
        names = [name for name, command in error.ctx.command.commands.items() if not command.hidden]
        return f"{match[1]}: there is no such command{_suggestion_for(match[1], names)}"
    if match := re.search(r"extra argument\S* \((.*)\)$", message):
        return f"{match[1]}: that is more than the command takes"
    return str(error.format_message())


def _bad_value(param: Any, message: str, words: Sequence[str]) -> str:
    """An option whose value is no number, or one out of range."""
    subject = (
        f"{_param_name(param)} {value or repr(value)}"
        if (value := _given_value(param, words)) is not None
        else _param_name(param)
    )
    if param.nargs > 1 and "number" in message:
        return f"{subject}: give {param.nargs} numbers"
    kind = getattr(getattr(param, "type_descriptor", None), "annotation", None)  # Typer with a parser of its own
    kind = kind.__name__ if isinstance(kind, type) else getattr(getattr(param, "type", None), "name", "")  # Click
    if kind not in ("int", "integer", "integer range", "float", "float range"):
        return f"{subject}: {message.rstrip('.')}"
    number = "a whole number" if kind.startswith("int") else "a number"
    limits = param if hasattr(param, "min") else param.type
    least, most = getattr(limits, "min", None), getattr(limits, "max", None)
    if least is not None and most is not None:
        return f"{subject}: give {number} from {least} to {most}"
    if least is not None:
        return f"{subject}: give {number}, {least} or more"
    if most is not None:
        return f"{subject}: give {number}, {most} or less"
    return f"{subject}: give {number}"


def _param_name(param: Any) -> str:
    """An option by its longest name, an argument as the help shows it."""
    if param.param_type_name == "argument":
        return str(param.metavar or param.name.upper())
    return str(max(param.opts, key=len))


def _given_value(param: Any, words: Sequence[str]) -> str | None:
    """What an option was given; the last one counts, as for the parser."""
    value = None
    for at, word in enumerate(words):
        name, equals, behind = word.partition("=")
        if name in param.opts:
            values = words[at + 1 : at + 1 + max(1, param.nargs)]
            value = behind if equals else " ".join(values) if values else None
    return value


def _suggestion_for(word: str, known_words: Sequence[str]) -> str:
    """Advice on a word that is unknown."""
    near = difflib.get_close_matches(word, known_words, n=2)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def shorten_long_words(line: str) -> str:
    """A line that repeats no more than some 80 characters of one word that was said."""
    return re.sub(r"\S{120,}", lambda match: f"{match[0][:80]} ...", line)
