"""Sockets are open files, and systems let a process open few unless it asks for more: often 1,024."""

from __future__ import annotations

import contextlib
from typing import Any, Final

MOST: Final = 60_000
"""Sockets that are thought of where no number limits them."""
OTHERS: Final = 200
"""Files beside the sockets: the database, bots, the log, those who are just being turned away."""


def allow(sockets: int, log: Any) -> int | None:
    """Let this process open as many files as so many sockets need, or as many as it may; if few, the log says so.

    Returns how many it may open now; None where there is no such limit.
    """
    try:
        import resource
    except ImportError:  # Windows
        return None
    wanted = min(sockets, MOST) + OTHERS
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    endless = resource.RLIM_INFINITY
    if now == endless or now >= wanted:
        return None if now == endless else now
    more = wanted if most == endless else min(wanted, most)
    if more > now:
        with contextlib.suppress(OSError, ValueError):  # some systems allow less than they say
            resource.setrlimit(resource.RLIMIT_NOFILE, (more, most))
            now = more
    if now < wanted:
        log.warning("few open files", allowed=now, wanted=wanted, help="raise it with ulimit -n, or LimitNOFILE")
    return now
