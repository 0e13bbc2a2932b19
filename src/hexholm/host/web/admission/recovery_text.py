"""The text that brings a guest to another device: 130 random bits for people to copy and to type.

Letters and digits without those that are taken for others (Crockford's base 32), in groups of four; the last two
characters follow from the rest, so that a mistake in typing is noticed without asking what is stored.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Final

from ...wire.host_refusals import Declined

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
RANDOM_CHARACTERS: Final = 26
"""Of five bits each."""
CHECK_CHARACTERS: Final = 2
GROUP: Final = 4
_MISTAKEN: Final = str.maketrans("OILU", "011V")
"""What people write for characters that look alike."""
_BETWEEN: Final = re.compile(r"[^0-9A-Za-z]+")
_IN_LINK: Final = re.compile(r".*[#&]recover=", re.DOTALL)


def new_secret() -> str:
    """A secret that nobody can guess, as it is read."""
    random = "".join(secrets.choice(ALPHABET) for _ in range(RANDOM_CHARACTERS))
    return random + _check(random)


def recovery_text(secret: str) -> str:
    """A secret as it is shown: `7Q2M-...`."""
    return "-".join(secret[i : i + GROUP] for i in range(0, len(secret), GROUP))


def read_recovery_text(text: str) -> str:
    """The secret in what somebody has typed or pasted, also a whole link. Raises Declined for a mistake."""
    plain = _BETWEEN.sub("", _IN_LINK.sub("", text)).upper().translate(_MISTAKEN)
    random, check = plain[:RANDOM_CHARACTERS], plain[RANDOM_CHARACTERS:]
    if set(plain) - set(ALPHABET) or check != _check(random):
        raise Declined.because("recovery_misspelled", most=RANDOM_CHARACTERS + CHECK_CHARACTERS)
    return plain


def _check(random: str) -> str:
    number = int.from_bytes(hashlib.sha256(f"hexholm {random}".encode()).digest()[:2])
    return "".join(ALPHABET[number >> (5 * i) & 31] for i in range(CHECK_CHARACTERS))
