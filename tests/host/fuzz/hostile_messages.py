"""Messages to trouble a server with. They are made from the types of the protocol, so a new kind of command is among
them from its first day.

Most begin as a command that can be read and are then spoilt: that gets deeper into a server than noise does, and noise
is among them too.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, get_args

import msgspec
from msgspec import inspect

from hexholm.bots import TABLE_BOTS
from hexholm.host.web.admission.limits import Limits
from hexholm.host.wire import api, messages
from hexholm.rules.encoding.structs import CARD_KINDS, RESOURCES

FRAME: Final = Limits().frame
RECENT: Final = 50
"""Ids that are used again."""
KINDS: Final[tuple[type[messages.Command], ...]] = get_args(messages.TableCommand)
SHAPES: Final[dict[str, tuple[inspect.Field, ...]]] = {
    str(info.tag): info.fields for info in inspect.multi_type_info(KINDS) if isinstance(info, inspect.StructType)
}
"""The fields of each kind of command, by its tag."""
SELDOM: Final = {"end": 0.02, "resign": 0.02, "kick": 0.05, "leave": 0.1, "away": 0.2, "pause": 0.05, "resume": 3.0}
"""How often a kind is chosen, against 1.0: what ends games would leave nothing to trouble."""


class Verbatim(str):
    """Goes into JSON as it is, whether or not that is JSON."""

    __slots__ = ()


ODD_TEXTS: Final = (
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "\udfff\ud800x",
    "\u202eltr\u202c",
    "\u200b\u200d\ufeff",
    "e" + "\u0301" * 300,
    "\U0001f3f4\u200d\u2620\ufe0f",
    "\x1b[2J\r\n",
    "\x85\u2028\u2029",
    "ﷺ" * 60,
    "²\u0661\u07c2",
    "<script>alert(1)</script>",
    "'; drop table entry; --",
    "%s%n{0}{__class__}",
    "../../etc/passwd",
    "a" * 64,
    "a" * 65,
    "é" * 64,
    "x" * 501,
    "y" * 20_000,
)
ODD_VALUES: Final[tuple[Any, ...]] = (
    *ODD_TEXTS,
    *(Verbatim(text) for text in ("1e999", "-1e999", "NaN", "-Infinity", "-0", "-0.0", "01", "0x10", "1.", "1e-999")),
    *(Verbatim(digits) for digits in ("9" * 30, "-" + "9" * 400, "7" * 5_000)),
    *(2**31, 2**53 + 1, 2**63 - 1, 2**63, 2**64, -1, 0, 1, 1.0, 1.5, 1e308),
    *(True, False, None, [], {}, [[]], [None] * 50, {"": ""}, {"type": "act"}, {"id": {"id": "x"}}),
)
WORDS: Final = (
    *"roll end buy road settlement city robber discard offer counter accept reject withdraw confirm supply".split(),
    *"knight monopoly year-of-plenty road-building dice stolen drawn chance to : ? free bank steal".split(),
    *"red blue white orange brown green RED C3 C3n C3/ne A1s Z9 C33n #1 #2 #9 #0 #-1 0 1 2 3 -1 1.5 19 99".split(),
    *(*RESOURCES, *CARD_KINDS, "#" + "9" * 30, "9" * 300, "²", "\u0661", "\0", "\ud800", ""),
)


@dataclass
class Sight:
    """What one who sends knows of the game: what it was shown, and the ids it has used."""

    colors: tuple[str, ...] = ("red", "blue", "white", "orange")
    legal: tuple[str, ...] = ()
    request: int = 0
    asked: bool = False
    chance: messages.ChanceQuestion | None = None
    """What is to be told about real dice and cards."""
    number: int = 0
    """Of the latest message."""
    used: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Message:
    """One message as it is sent, and which way of troubling it is."""

    raw: str | bytes
    family: str
    as_text: bool = True
    """Else it is sent as bytes."""

    @property
    def closes(self) -> bool:
        """Whether the server has to end the connection."""
        size = len(self.raw if isinstance(self.raw, bytes) else self.raw.encode())
        return size > FRAME or self.family == "no UTF-8"

    @property
    def is_ping(self) -> bool:
        try:
            return isinstance(msgspec.json.decode(self.raw, type=api.Incoming), api.Ping)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            return False

    @property
    def data(self) -> dict[str, Any]:
        """What it says, if it can be read at all and is an object."""
        try:
            data = msgspec.json.decode(self.raw)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            return {}
        return data if isinstance(data, dict) else {}


def spell(value: Any) -> str:
    """JSON, or nearly: pairs stand for an object, so that a key can come twice."""
    match value:
        case Verbatim():
            return str(value)
        case dict():
            return spell(tuple(value.items()))
        case tuple():
            return "{" + ",".join(f"{json.dumps(str(key))}:{spell(item)}" for key, item in value) + "}"
        case list():
            return "[" + ",".join(map(spell, value)) + "]"
    return json.dumps(value)


class Words:
    """Makes messages; the same seed and the same sights, the same messages."""

    def __init__(self, pick: random.Random) -> None:
        self.pick = pick
        self.count = 0
        self.weights = [SELDOM.get(kind, 1.0) for kind in SHAPES]

    # --- what can be read ----------------------------------------------------------------------------------------

    def new_id(self) -> str:
        """An id that was not used before."""
        self.count += 1
        return f"{self.count}-{self.pick.randrange(10**6)}"

    def command(self, sight: Sight, kind: str | None = None) -> dict[str, Any]:
        """A command that can be read; whether it is allowed is another thing."""
        kind = kind or self.pick.choices(list(SHAPES), self.weights)[0]
        command: dict[str, Any] = {"type": kind, "id": self.new_id()}
        for shape_field in SHAPES[kind]:
            if shape_field.name != "id" and (shape_field.required or self.pick.random() < 0.6):
                command[shape_field.encode_name] = self.value(shape_field.type, shape_field.encode_name, sight)
        return command

    def value(self, kind: inspect.Type, name: str, sight: Sight) -> Any:
        """Something of a type, that makes sense in a field of this name where we know one."""
        match kind:
            case inspect.Metadata():
                return self.value(kind.type, name, sight)
            case inspect.UnionType():
                return self.value(self.pick.choice(kind.types), name, sight)
            case inspect.LiteralType():
                return self.pick.choice(kind.values)
            case inspect.StrType():
                return self.text(name, sight)
            case inspect.BoolType():
                return self.pick.random() < 0.5
            case inspect.IntType():
                return self.number(name, sight)
            case inspect.FloatType():
                return self.pick.random() * 100
            case inspect.NoneType():
                return None
            case inspect.ListType() | inspect.VarTupleType():
                return [self.value(kind.item_type, name, sight) for _ in range(self.pick.randrange(4))]
            case inspect.DictType():
                return {self.text("", sight): self.value(kind.value_type, name, sight)}
        return self.pick.choice((1, "a", None, [], {}))

    def number(self, name: str, sight: Sight) -> int:
        """A whole number for a field of this name."""
        if name == "request":
            return sight.request
        known_numbers = (sight.number, 0 if sight.chance is None else sight.chance.number)
        return self.pick.choice(
            (*known_numbers, *known_numbers, self.pick.randrange(100)) if name == "number" else range(100)
        )

    def outcome(self, sight: Sight) -> str:
        """What came out at the real table, mostly what could have."""
        dice = f"dice {self.pick.randint(1, 6)} {self.pick.randint(1, 6)}"
        if self.pick.random() < 0.2:
            return self.pick.choice(("dice 0 7", "dice", "stolen", f"stolen {RESOURCES[0]}", "drawn sand", "roll", ""))
        return dice if sight.chance is None or sight.chance.kind == "dice" else self.pick.choice(sight.chance.outcomes)

    def text(self, name: str, sight: Sight) -> str:
        """A text for a field of this name."""
        match name:
            case "outcome":
                return self.outcome(sight)
            case "action":
                return self.action(sight)
            case "seat":
                return self.pick.choice((*sight.colors, *sight.colors, "pink", "public"))
            case "player":
                return self.pick.choice((*TABLE_BOTS, *TABLE_BOTS, "genius"))
        return self.pick.choice(("hello", "gg", "1 ore for 1 wool?", "żółw", "hm" * 100))

    def action(self, sight: Sight) -> str:
        """An action: one that is legal, one like it, or words of the language in any order."""
        luck = self.pick.random()
        if sight.legal and luck < 0.35:
            return self.pick.choice(sight.legal)
        if sight.legal and luck < 0.6:
            words = self.pick.choice(sight.legal).split()
            words[self.pick.randrange(len(words))] = self.pick.choice(WORDS)
            return " ".join(words)
        return " ".join(self.pick.choices(WORDS, k=self.pick.randint(1, 8)))

    # --- families ------------------------------------------------------------------------------------------------

    def play(self, sight: Sight) -> Message:
        """What a good guest would do now."""
        action = self.pick.choice(sight.legal) if sight.legal else "roll"
        return self._message("play", {"type": "act", "id": self.new_id(), "action": action, "request": sight.request})

    def tell(self, sight: Sight) -> Message:
        """What somebody at the real table would tell now."""
        number = 0 if sight.chance is None else sight.chance.number
        command = {"type": "deal", "id": self.new_id(), "outcome": self.outcome(sight), "number": number}
        return self._message("tell", command)

    def take_back(self, sight: Sight) -> Message:
        """As somebody who sees a mistake."""
        return self._message("take back", {"type": "take_back", "id": self.new_id(), "number": sight.number})

    def plain(self, sight: Sight) -> Message:
        """Any command, as it should be written; by whomever it is sent."""
        return self._message("plain", self.command(sight))

    def closed(self, sight: Sight) -> Message:
        """An act that answers another question than the one asked now."""
        request = self.pick.choice((sight.request - 1, sight.request + 1, 0, -1, 2**53, 2**63 - 1, Verbatim("9" * 40)))
        return self._message("closed", {**self.command(sight, "act"), "request": request})

    def again(self, sight: Sight) -> Message:
        """Anything under an id that was used before."""
        command = self.command(sight)
        return self._message("again", {**command, "id": self.pick.choice(sight.used[-RECENT:] or [command["id"]])})

    def wrong_value(self, sight: Sight) -> Message:
        """One field holds something odd."""
        command = self.command(sight)
        return self._message("wrong value", {**command, self.pick.choice(list(command)): self.pick.choice(ODD_VALUES)})

    def wrong_fields(self, sight: Sight) -> Message:
        """A field is missing, there is one too many, or one comes twice."""
        pairs = list(self.command(sight).items())
        match self.pick.randrange(3):
            case 0:
                pairs.pop(self.pick.randrange(len(pairs)))
            case 1:
                pairs.append(
                    (self.pick.choice(("seat", "token", "since", "\0", "x" * 99)), self.pick.choice(ODD_VALUES))
                )
            case _:
                pairs.append((self.pick.choice(pairs)[0], self.pick.choice(ODD_VALUES)))
        self.pick.shuffle(pairs)
        return self._message("wrong fields", tuple(pairs))

    def wrong_kind(self, sight: Sight) -> Message:
        """A message that only the server may send, a second greeting, or a kind that does not exist."""
        tags = ("hello", "told", "done", "refused", "now", "changed", "pong", "Act", "ACT", "", "constructor")
        command = {**self.command(sight), "type": self.pick.choice(tags)}
        greeting = {"type": "hello", "protocol": messages.PROTOCOL_VERSION, "token": None, "since": 0}
        return self._message("wrong kind", self.pick.choice((command, greeting)))

    def truncated(self, sight: Sight) -> Message:
        """A command whose end is missing."""
        raw = spell(self.command(sight))
        return Message(raw[: self.pick.randrange(len(raw))], "truncated")

    def flipped(self, sight: Sight) -> Message:
        """A command with some bytes that are others, not sent as text."""
        raw = bytearray(spell(self.command(sight)).encode())
        for _ in range(self.pick.randint(1, 4)):
            raw[self.pick.randrange(len(raw))] = self.pick.randrange(256)
        return Message(bytes(raw), "flipped", as_text=False)

    def noise(self, _sight: Sight) -> Message:
        """Bytes."""
        return Message(self.pick.randbytes(self.pick.choice((0, 1, 2, 30, 300, 3_000))), "noise", as_text=False)

    def any_json(self, _sight: Sight) -> Message:
        """JSON that has nothing to do with us."""

        def grown(depth: int) -> Any:
            luck = self.pick.randrange(4 if depth else 2)
            if luck == 2:
                return [grown(depth - 1) for _ in range(self.pick.randrange(5))]
            if luck == 3:
                names = (*ODD_TEXTS[:12], "type", "id", "action")
                return {self.pick.choice(names): grown(depth - 1) for _ in range(self.pick.randrange(5))}
            return self.pick.choice(ODD_VALUES)

        return self._message("any JSON", grown(4))

    def deep(self, sight: Sight) -> Message:
        """As deep as fits into a message."""
        opening = self.pick.choice(('{"a":', "[", '{"type":"act","id":"1","action":', '[{"id":'))
        deep = opening * self.pick.randrange(1, 32_000 // len(opening))
        whole = spell({**self.command(sight), "x": Verbatim("[" * 9_000 + "]" * 9_000)})
        return Message(self.pick.choice((deep, whole)), "deep")

    def large(self, sight: Sight) -> Message:
        """Just below the limit of a message."""
        command = self.command(sight)
        name = self.pick.choice([key for key in command if key != "type"] or ["x"])
        return self._message("large", {**command, name: "z" * (31_500 - len(spell(command)))})

    def ping(self, _sight: Sight) -> Message:
        """Are you there?"""
        return Message('{"type":"ping"}', "ping")

    # --- what must end a connection --------------------------------------------------------------------------------

    def oversized(self, sight: Sight) -> Message:
        """More than a message may have; in characters or only in bytes."""
        command, letter = self.command(sight), self.pick.choice("zé")
        size = 33_000 if letter == "z" else 17_000
        raw = spell({**command, "id": Verbatim('"' + letter * self.pick.choice((size, 4 * size)) + '"')})
        return Message(raw, "oversized")

    def no_utf_8(self, sight: Sight) -> Message:
        """Text that is none."""
        return Message(spell(self.command(sight)).encode() + b"\xff\xfe", "no UTF-8")

    # --- choosing --------------------------------------------------------------------------------------------------

    def _message(self, family: str, data: Any) -> Message:
        """A message of this family."""
        return Message(spell(data), family)

    def any(self, sight: Sight) -> Message:
        """One of those after which the connection goes on; if it is our turn, mostly a good one: games must move on."""
        if sight.asked and self.pick.random() < 0.2:
            return self.play(sight)
        if sight.chance is not None and self.pick.random() < 0.3:
            return self.tell(sight)
        families = list(self.FAMILIES)
        return self.pick.choices(families, list(self.FAMILIES.values()))[0](self, sight)

    def last(self, sight: Sight) -> Message:
        """One of those after which it must not."""
        return self.pick.choice((self.oversized, self.no_utf_8))(sight)

    FAMILIES: Final[dict[Callable[[Words, Sight], Message], float]] = {
        play: 4,
        plain: 14,
        tell: 2,
        take_back: 1,
        closed: 4,
        again: 8,
        wrong_value: 12,
        wrong_fields: 8,
        wrong_kind: 4,
        truncated: 9,
        flipped: 7,
        noise: 7,
        any_json: 9,
        deep: 1,
        large: 1,
        ping: 3,
    }
