"""What a request asks for behind the question mark, read and checked."""

from __future__ import annotations

import math

from starlette.requests import Request

from ...wire.host_refusals import Declined


def query_choice(request: Request, name: str, choices: tuple[str, ...]) -> str | None:
    """One of some words in the query; None if nothing is said."""
    text = request.query_params.get(name)
    if text is not None and text not in choices:
        raise Declined.because("bad_choice", name=name, said=text[:40], choices=choices)
    return text


def query_number(request: Request, name: str, default: int, least: int, most: int) -> int:
    """A number in the query."""
    text = request.query_params.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and least <= int(text) <= most):
        raise Declined.because("bad_number", name=name, said=text[:40], least=least, most=most)
    return int(text)


def query_time(request: Request, name: str) -> float | None:
    """A time in the query, in unix seconds; None if nothing is said."""
    text = request.query_params.get(name)
    if text is None:
        return None
    try:
        time = float(text)
    except ValueError:
        time = math.nan
    if not 0 <= time < math.inf:
        raise Declined.because("bad_time", name=name, said=text[:40])
    return time
