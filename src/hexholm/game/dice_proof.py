"""Dice that anybody can check: chance that follows from a key which was committed to before the first draw.

    >>> import hexholm
    >>> from hexholm.game.dice_proof import DiceProof, commitment
    >>> key = bytes(32)
    >>> proof = DiceProof("table7", commitment("table7", key), words={"red": "any-words-of-reds"}, key=key)
    >>> game = hexholm.Game(edition="fifth", dealer=proof.dealer())
    >>> proof.check_commitment()
    True

Before the game the host draws a secret key of 256 bits and publishes its commitment, a SHA-256 of table and key. Then
each seat may promise a word of its own, by a SHA-256 of table, color and word; when all promises are in, the words are
opened. Key and words together make the key of the draws (HMAC-SHA256), so nobody knows or chooses it alone. Every
draw is an HMAC-SHA256 of its stream and its number there, as docs/decisions/0002 counts them, read as a number below
the chances of the pending outcome, with numbers rejected that would favor some. After the game the key is shown, and
:func:`hexholm.game.records.verify_dice.verify_dice` repeats every draw. docs/decisions/0010 says who could cheat how.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, Self

from hexholm.rules.colors import Color
from hexholm.rules.errors import BadInput
from hexholm.rules.queries import draw_count, draw_stream, odds_total, outcome_at
from hexholm.rules.random_numbers import STREAM_CARDS, STREAM_DICE, STREAM_START, STREAM_THEFT

from .dealers import Chance

PROOF_FORMAT: Final = "hexholm-dice-1"
PROOF_TAG: Final = "Dice"
"""The tag of a record that holds the proof."""
DICE_KEY_BYTES: Final = 32
WORD: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")
"""A word that a seat brings. A short one could be guessed from its promise, and then be answered by another word."""
DrawStream = Literal["start", "dice", "theft", "card"]
STREAM_NAMES: Final[dict[int, DrawStream]] = {
    STREAM_START: "start",
    STREAM_DICE: "dice",
    STREAM_THEFT: "theft",
    STREAM_CARDS: "card",
}
_HEX: Final = re.compile(r"[0-9a-f]{64}")
_TABLE: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_DIGEST_RANGE: Final = 1 << 256


class BadProof(BadInput):
    """The proof of the dice cannot be read, or is not whole."""


def new_key() -> bytes:
    """A key from the operating system."""
    return secrets.token_bytes(DICE_KEY_BYTES)


def commitment(table: str, key: bytes) -> str:
    """What is published of a key before the game."""
    return _digest(f"{PROOF_FORMAT} key {table} {key.hex()}")


def word_promise(table: str, color: Color, word: str) -> str:
    """What is published of a seat's word before all words are opened."""
    return _digest(f"{PROOF_FORMAT} word {table} {color} {word}")


def check_word(word: str) -> None:
    """Raises BadProof for a word that cannot be one."""
    if WORD.fullmatch(word) is None:
        raise BadProof(f"{word[:80]!r}: a word for the dice has 16 to 64 letters, digits, '-' or '_'")


def check_promise(promise: str) -> None:
    """Raises BadProof for what is no promise of a word."""
    if _HEX.fullmatch(promise) is None:
        raise BadProof(f"{promise[:80]!r}: the promise of a word is its SHA-256, 64 digits of 0-9 and a-f")


@dataclass(frozen=True, slots=True)
class ProvableDraw:
    """One draw: where it stands, out of how many chances, and the number that came out."""

    stream: DrawStream
    count: int
    chances: int
    number: int


@dataclass(frozen=True, slots=True)
class ProvableDealer:
    """Deals by the key that host and seats have made together; the same question always gets the same answer."""

    draw_key: bytes = field(repr=False)

    def deal(self, chance: Chance) -> int:
        """The outcome that the key decides."""
        return outcome_at(chance.state, self.draw(chance).number)

    def draw(self, chance: Chance) -> ProvableDraw:
        """How that outcome comes about."""
        stream, count, chances = locate_draw(chance)
        return ProvableDraw(stream, count, chances, draw_number(self.draw_key, stream, count, chances))


def locate_draw(chance: Chance) -> tuple[DrawStream, int, int]:
    """Where the pending outcome stands: its stream, its number there, and out of how many chances it comes."""
    state = chance.state
    return STREAM_NAMES[draw_stream(state)], draw_count(state, chance.draws), odds_total(state)


def draw_number(draw_key: bytes, stream: str, count: int, chances: int) -> int:
    """A number below `chances`, each equally likely: the remainder of the first digest that favors none."""
    unfair_from = _DIGEST_RANGE - _DIGEST_RANGE % chances
    attempt = 0
    while True:
        message = f"{stream} {count} {attempt}".encode()
        number = int.from_bytes(hmac.digest(draw_key, message, "sha256"))
        if number < unfair_from:
            return number % chances
        attempt += 1


@dataclass(frozen=True, slots=True)
class DiceProof:
    """What was published before the game and shown after it."""

    table: str
    commitment: str
    """Of the host's key."""
    promises: Mapping[str, str] = field(default_factory=dict)
    """Of the seats' words, by color."""
    words: Mapping[str, str] = field(default_factory=dict)
    """The words that were opened, by color. A seat without one counts as having an empty word."""
    key: bytes | None = field(default=None, repr=False)
    """None: it is not shown (yet)."""

    def check_commitment(self) -> bool:
        """Whether the key is the one that was committed to."""
        return self.key is not None and hmac.compare_digest(commitment(self.table, self.key), self.commitment)

    def broken_promises(self) -> tuple[str, ...]:
        """The colors whose word is not the one that was promised."""
        return tuple(
            color
            for color, word in self.words.items()
            if self.promises.get(color) != word_promise(self.table, color, word)
        )

    def draw_key(self) -> bytes:
        """The key of the draws, from the host's key and all words; raises BadProof where the key is not shown."""
        if self.key is None:
            raise BadProof("the key of this game was not shown; it is after the end, unless the game was abandoned")
        lines = [f"{PROOF_FORMAT} draws {self.table}"]
        lines += [f"{color} {word}" for color, word in sorted(self.words.items()) if word]
        return hmac.digest(self.key, "\n".join(lines).encode(), "sha256")

    def dealer(self) -> ProvableDealer:
        """The dealer of the game; raises BadProof where the key is not shown."""
        return ProvableDealer(self.draw_key())

    def text(self) -> str:
        """The proof as one line, as a record has it in its tag `Dice`."""
        words = [PROOF_FORMAT, f"table={self.table}", f"commitment={self.commitment}"]
        words += [f"{color}={promise}:{self.words.get(color, '')}" for color, promise in sorted(self.promises.items())]
        if self.key is not None:
            words.append(f"key={self.key.hex()}")
        return " ".join(words)

    @classmethod
    def read(cls, text: str) -> Self:
        """A proof from its line; raises BadProof."""
        head, *pairs = text.split() or [""]
        if head != PROOF_FORMAT:
            raise BadProof(f"{head!r}: the proof of the dice begins with {PROOF_FORMAT}")
        values: dict[str, str] = {}
        for pair in pairs:
            name, separator, value = pair.partition("=")
            if not separator or name in values:
                raise BadProof(f"{pair[:80]!r}: the proof of the dice is written as name=value, each name once")
            values[name] = value
        table, digest, key = values.pop("table", ""), values.pop("commitment", ""), values.pop("key", None)
        if _TABLE.fullmatch(table) is None:
            raise BadProof("the proof of the dice names its table: table=...")
        if _HEX.fullmatch(digest) is None:
            raise BadProof("the proof of the dice has a commitment of 64 digits of 0-9 and a-f")
        if key is not None and _HEX.fullmatch(key) is None:
            raise BadProof("the key in the proof of the dice has 64 digits of 0-9 and a-f")
        promises, words = {}, {}
        for color, value in values.items():
            promise, _, word = value.partition(":")
            check_promise(promise)
            promises[color] = promise
            if word:
                check_word(word)
                words[color] = word
        return cls(table, digest, promises, words, None if key is None else bytes.fromhex(key))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
