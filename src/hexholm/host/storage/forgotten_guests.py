"""Who was deleted, known without asking the database: every request and every command is held against it."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable
from typing import Final

from .values import token_hash

_DIGITS: Final = 16
"""Hexadecimal digits of a hash that are remembered: eight bytes for each guest, and no two alike by chance."""


class ForgottenGuests:
    """The guests who were deleted, by the beginnings of the hashes of their ids, in order."""

    def __init__(self, digests: Iterable[str] = ()) -> None:
        self._beginnings = array("Q", sorted(int(digest[:_DIGITS], 16) for digest in digests))

    def __contains__(self, guest_id: str) -> bool:
        if not self._beginnings:
            return False
        beginning, place = self._find(guest_id)
        return place < len(self._beginnings) and self._beginnings[place] == beginning

    def add(self, guest_id: str) -> None:
        """A guest is nobody from now on."""
        if guest_id not in self:
            beginning, place = self._find(guest_id)
            self._beginnings.insert(place, beginning)

    def discard(self, guest_id: str) -> None:
        """It was not deleted after all."""
        if guest_id in self:
            self._beginnings.pop(self._find(guest_id)[1])

    def _find(self, guest_id: str) -> tuple[int, int]:
        beginning = int(token_hash(guest_id)[:_DIGITS], 16)
        return beginning, bisect_left(self._beginnings, beginning)
