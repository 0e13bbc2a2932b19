"""The tokens of a table: whoever has one plays its seat. Only their hashes are kept."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Collection, Iterable
from typing import Final

from ..storage import Seal, token_hash

MOST_TOKENS: Final = 5
"""Tokens of a seat that work at the same time."""


def new_token(seat: str, now: float) -> tuple[str, Seal]:
    """A token, which is told once, and what is kept of it."""
    token = secrets.token_urlsafe(24)
    return token, Seal(token_hash(token), seat, now)


class Tokens:
    """Which seat each token opens, by its hash, the oldest first."""

    def __init__(self, seals: Iterable[Seal] = ()) -> None:
        self._seats = {seal.hash: seal.seat for seal in seals}

    def find(self, token: str) -> tuple[str, str | None]:
        """The hash of a token, and the seat that it opens; None: it opens nothing."""
        hashed, found = token_hash(token.encode(errors="replace").decode()), None
        for known, seat in self._seats.items():
            if hmac.compare_digest(known, hashed):
                found = seat
        return hashed, found

    def seat_of(self, hashed: str) -> str | None:
        """The seat that a token opens, by its hash; None: it opens nothing any more."""
        return self._seats.get(hashed)

    def add(self, seal: Seal) -> None:
        self._seats[seal.hash] = seal.seat

    def renew(self, seat: str, seals: Iterable[Seal]) -> None:
        """From now on these tokens open a seat, and no others."""
        self.void([hashed for hashed, whose in self._seats.items() if whose == seat])
        for seal in seals:
            self.add(seal)

    def surplus(self, seat: str) -> list[str]:
        """The tokens of a seat that must go before it gets one more, by their hashes: the oldest."""
        own = [hashed for hashed, whose in self._seats.items() if whose == seat]
        return own[: max(0, len(own) + 1 - MOST_TOKENS)]

    def void(self, hashes: Collection[str]) -> None:
        """These open nothing any more."""
        self._seats = {hashed: whose for hashed, whose in self._seats.items() if hashed not in hashes}
