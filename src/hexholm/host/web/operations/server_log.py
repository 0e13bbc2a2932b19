"""The log of the server: one line for each thing worth knowing, as JSON or for a person; never a secret.

What could be one (tokens, cookies, hands, seeds) is not handed to it. Should it happen all the same, what bears such a
name is struck out. An unforeseen error is logged with its kind and where it came from, but without its message, which
might hold anything; `HEXHOLM_DEBUG=1` adds that.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from time import monotonic
from typing import Any, Final, TextIO

import structlog

from ..admission.limits import Bucket, Rate
from ..error_fields import error_fields

LONGEST_LOGGED: Final = 300
SECRET: Final = ("token", "cookie", "auth", "secret", "hand", "seed", "deck", "key")
LogFields = MutableMapping[str, Any]
STRANGERS_LINES: Final = Rate(20, 0.2)
"""Lines of one kind that strangers can bring about; what is beyond is counted."""


class LogBrake:
    """Lets few lines through of those that strangers can bring about as often as they like."""

    def __init__(self, rate: Rate = STRANGERS_LINES) -> None:
        self._bucket = Bucket(rate, monotonic())
        self._left_out = 0

    def count_line(self) -> int | None:
        """Count a line: how many were left out before it; None: it is left out, too."""
        if not self._bucket.spend(monotonic()):
            self._left_out += 1
            return None
        left_out, self._left_out = self._left_out, 0
        return left_out


def new_logger(stream: TextIO | None = None, *, as_json: bool | None = None, level: int = logging.INFO) -> Any:
    """A logger that writes to `stream` (stderr). Unless told otherwise a terminal gets lines for people."""
    output = sys.stderr if stream is None else stream
    json_lines = not output.isatty() if as_json is None else as_json
    render: Any = structlog.processors.JSONRenderer() if json_lines else structlog.dev.ConsoleRenderer(colors=False)
    return structlog.wrap_logger(
        structlog.PrintLogger(output),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            redact,
            render,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=False,
    )


def redact(_logger: Any, _method: str, fields: LogFields) -> LogFields:
    """Strike out what has the name of a secret; keep texts short and on one line."""
    for name, value in fields.items():
        if any(word in name for word in SECRET):
            fields[name] = "(struck out)"
        elif isinstance(value, str):
            plain = value if value.isprintable() else value.encode("unicode_escape").decode()
            fields[name] = plain if len(plain) <= LONGEST_LOGGED else plain[:LONGEST_LOGGED] + "..."
    return fields


class LibraryLogHandler(logging.Handler):
    """What libraries log by themselves goes into our log, without tracebacks."""

    def __init__(self, logger: Any) -> None:
        super().__init__(logging.WARNING)
        self._logger = logger
        self._brake = LogBrake()

    def emit(self, record: logging.LogRecord) -> None:
        """One line of a library."""
        more: dict[str, Any] = {}
        if record.exc_info and record.exc_info[1] is not None:
            more = error_fields(record.exc_info[1])
        # Text that is no UTF-8 is its sender's fault, though the library calls it an error.
        level = logging.WARNING if more.get("error") == "UnicodeDecodeError" else record.levelno
        if level < logging.ERROR:
            left_out = self._brake.count_line()
            if left_out is None:
                return
            more["left_out"] = left_out
        self._logger.log(level, "library", library=record.name, said=record.getMessage(), **more)
