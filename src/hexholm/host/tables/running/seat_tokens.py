"""The tokens of a table: whoever has one plays its seat. Only their hashes are kept."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Collection, Iterable
from typing import Final

from hexholm.rules.colors import Color

from ...storage import Seal, token_hash

MOST_TOKENS: Final = 5
"""Tokens of a seat that work at the same time."""


def new_token(color: Color, now: float) -> tuple[str, Seal]:
    """A token, which is told once, and what is kept of it."""
    token = secrets.token_urlsafe(24)
    return token, Seal(token_hash(token), color, now)


class Tokens:
    """Which seat each token opens, by its hash, the oldest first."""

    def __init__(self, seals: Iterable[Seal] = ()) -> None:
        self._colors = {seal.hash: seal.color for seal in seals}

    def find(self, token: str) -> tuple[str, Color | None]:
        """The hash of a token, and the seat that it opens; None: it opens nothing."""
        digest, opened_color = token_hash(token.encode(errors="replace").decode()), None
        for known_digest, color in self._colors.items():
            if hmac.compare_digest(known_digest, digest):
                opened_color = color
        return digest, opened_color

    def color_of(self, digest: str) -> Color | None:
        """The color of the seat that a token opens, by its hash; None: it opens nothing any more."""
        return self._colors.get(digest)

    def add(self, seal: Seal) -> None:
        self._colors[seal.hash] = seal.color

    def renew(self, color: Color, seals: Iterable[Seal]) -> None:
        """From now on these tokens open a seat, and no others."""
        self.void([digest for digest, opened_color in self._colors.items() if opened_color == color])
        for seal in seals:
            self.add(seal)

    def surplus(self, color: Color) -> list[str]:
        """The tokens of a seat that must go before it gets one more, by their hashes: the oldest."""
        own_digests = [digest for digest, opened_color in self._colors.items() if opened_color == color]
        return own_digests[: max(0, len(own_digests) + 1 - MOST_TOKENS)]

    def void(self, digests: Collection[str]) -> None:
        """These open nothing any more."""
        self._colors = {digest: color for digest, color in self._colors.items() if digest not in digests}
