"""What a request asks for behind the question mark, read and checked."""

from __future__ import annotations

import math

from starlette.requests import Request

from ...wire.host_refusals import Declined


def query_choice(request: Request, name: str, choices: tuple[str, ...]) -> str | None:
    """One of some words in the query; None if nothing is said."""
    said = request.query_params.get(name)
    if said is not None and said not in choices:
        raise Declined.because("bad_choice", name=name, said=said[:40], choices=choices)
    return said


def query_number(request: Request, name: str, default: int, least: int, most: int) -> int:
    """A number in the query."""
    said = request.query_params.get(name)
    if said is None:
        return default
    if not (said.isascii() and said.isdigit() and len(said) <= 9 and least <= int(said) <= most):
        raise Declined.because("bad_number", name=name, said=said[:40], least=least, most=most)
    return int(said)


def query_time(request: Request, name: str) -> float | None:
    """A time in the query, in unix seconds; None if nothing is said."""
    said = request.query_params.get(name)
    if said is None:
        return None
    try:
        found = float(said)
    except ValueError:
        found = math.nan
    if not 0 <= found < math.inf:
        raise Declined.because("bad_time", name=name, said=said[:40])
    return found
