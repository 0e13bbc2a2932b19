"""What a table's log holds: everything that happened to it, in order. The log is the truth; the table is made from it.

Each body is stored as JSON with its `kind`. Entries of a game carry the hash of the position after them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Final, Literal, Self

import msgspec
from msgspec.structs import replace

from hexholm.game.action import CHANCE
from hexholm.game.game import Game
from hexholm.game.result import Stop
from hexholm.rules.colors import Color
from hexholm.rules.names import NATURE
from hexholm.rules.notation import read_action
from hexholm.rules.referee import Step

from ..storage import EntryRow, PersonalText
from ..storage.values import RESERVED_SLOT
from ..table_literals import USUAL_ABSENCE, Absence, BotPace, Sitter, Wish
from .table_terms import Reservation, TableTerms

HAGGLING_KINDS: Final = ("offer", "counter", "accept", "reject", "confirm", "withdraw")
"""Kinds of actions that can follow one another without end while nobody rolls and nothing is built."""
Chooser = Literal["person", "bot", "clock"]
"""Who chose an action: whoever sits there, a bot, or a bot because time was up."""


class Body(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", forbid_unknown_fields=True):
    """What an entry says. Beside its fields each kind says here what follows from it for those who keep something.

    What it changes at the table itself stands in :meth:`.table.Table.enter`, where no kind can be left out.
    """

    keeps_views: ClassVar[bool] = False
    """Whether the views of the game stay as they are."""
    changes_lists: ClassVar[bool] = True
    """Whether it changes what lists say of a table whose game goes on."""
    is_activity: ClassVar[bool] = True
    """Whether it tells that somebody is there."""

    @property
    def tag(self) -> str:
        """What the kind is called in the log, and where a change is told."""
        return str(self.__struct_config__.tag)

    @property
    def revoked_color(self) -> Color | None:
        """The seat whose tokens open nothing any more; None: of no seat."""
        return None

    @property
    def heard_color(self) -> Color | None:
        """The seat whose person is heard of by it; None: it tells of no one seat."""
        return None

    @property
    def told_color(self) -> Color | None:
        """The seat that is named to all as the one who did it; None: what has changed says enough."""
        return None

    @property
    def share_color(self) -> Color | None:
        """The seat whose share of the log this takes up, "": of the creator without one; None: nobody's.

        What moves the game takes none, nor what ends or undoes something else, which can follow it only once.
        """
        return None

    @property
    def resumes_game(self) -> bool:
        """Whether from now on the game waits for those who sit there, who cannot be blamed for the time before."""
        return False

    def personal_texts(self) -> tuple[PersonalText, ...]:
        """What guests wrote of it, without what is empty or of nobody, such as the names of bots."""
        return ()

    def with_text(self, slot: str, words: str) -> Self:
        """The same with a text of a guest in its place, or with none."""
        return replace(self, **{slot: words})


class Opened(TableTerms, Body, tag="opened", frozen=True, kw_only=True):
    """A table was set up: its terms, the rules, the board, the seats."""

    absence: Absence = USUAL_ABSENCE
    creator_id: str = msgspec.field(name="creator")
    """The guest who did it."""
    options: dict[str, Any]
    board: str
    """The board as TOML (docs/formats/board.md)."""
    own_board: bool = False
    """The board was given, not made from the options."""
    reserved: dict[Color, Reservation] = {}
    """Seats that are kept for those who sat there in the game before."""
    reserved_until: float = 0.0
    version: str = ""
    """Of the program that wrote this and what follows, until a restart."""
    bot_seed: str = msgspec.field(default="", name="taste")
    """A secret from which the bots of this table draw, so that nobody can tell beforehand what they do."""
    dice_commitment: str = ""
    """What was published of the key of the dice, which lies elsewhere; "": the dice have no proof."""

    def personal_texts(self) -> tuple[PersonalText, ...]:
        reserved = (
            PersonalText(f"{RESERVED_SLOT}{color}", reservation.guest_id, reservation.name)
            for color, reservation in self.reserved.items()
        )
        return _written((PersonalText("title", self.title_by or self.creator_id, self.title), *reserved))

    def with_text(self, slot: str, words: str) -> Self:
        if not slot.startswith(RESERVED_SLOT):
            return replace(self, **{slot: words})
        color = slot.removeprefix(RESERVED_SLOT)
        return replace(self, reserved={**self.reserved, color: replace(self.reserved[color], name=words)})


class Seated(Body, tag="seated", frozen=True):
    """Somebody sat down, a bot was put there, or the seat was emptied."""

    color: Color = msgspec.field(name="seat")
    sitter: Sitter = msgspec.field(name="who")
    """Who sits there now, as in `Seat.sitter`."""
    name: str = ""
    guest_id: str = msgspec.field(default="", name="guest")
    bot_name: str | None = msgspec.field(default=None, name="player")
    kicked: str = ""
    """The guest who was kicked from the seat before the game."""
    keeps_words: bool = False
    """The opening of words goes on. In older logs it was called off, and all promises with it."""

    @property
    def revoked_color(self) -> Color:
        return self.color

    @property
    def heard_color(self) -> Color:
        return self.color

    def personal_texts(self) -> tuple[PersonalText, ...]:
        return _written((PersonalText("name", self.guest_id, self.name),))


class Began(Body, tag="began", frozen=True):
    """The game began; `steps` are the start rolls, if there are any."""

    steps: tuple[str, ...] = ()

    @property
    def resumes_game(self) -> bool:
        return True


class Played(Body, tag="played", frozen=True):
    """An action and all chance that followed it: `red roll`, `chance dice 3 4`."""

    changes_lists: ClassVar[bool] = False

    color: Color = msgspec.field(name="seat")
    steps: tuple[str, ...]
    chooser: Chooser = msgspec.field(default="person", name="by")
    weak: bool = False
    """The bot that sits there played below its strength: it failed, or could not search yet."""

    @property
    def share_color(self) -> Color | None:
        is_haggling = any(step.split(" ", 2)[1] in HAGGLING_KINDS for step in self.steps[:1])
        return self.color if is_haggling and self.chooser == "person" else None


class Said(Body, tag="said", frozen=True):
    """Somebody said something."""

    keeps_views: ClassVar[bool] = True
    changes_lists: ClassVar[bool] = False

    text: str
    """"": the guest was forgotten, or the words were removed."""
    color: Color = msgspec.field(default="", name="seat")
    """"": somebody who watches, by this name."""
    name: str = ""
    guest_id: str = msgspec.field(default="", name="guest")

    def personal_texts(self) -> tuple[PersonalText, ...]:
        texts = PersonalText("text", self.guest_id, self.text), PersonalText("name", self.guest_id, self.name)
        return _written(texts)


class Wished(Body, tag="wished", frozen=True):
    """A seat asks for a pause or an end, or no longer."""

    keeps_views: ClassVar[bool] = True

    color: Color = msgspec.field(name="seat")
    what: Wish
    on: bool = True

    @property
    def share_color(self) -> Color | None:
        return None if self.on and self.what == "end" else self.color  # to ask for the end there is always room


class Paused(Body, tag="paused", frozen=True):
    """The game is paused, or goes on."""

    on: bool
    by: Color

    @property
    def share_color(self) -> Color | None:
        return self.by if self.on else None

    @property
    def resumes_game(self) -> bool:
        return not self.on


class Waited(Body, tag="waited", frozen=True):
    """Nobody is there and the game waits, or somebody is there again and it goes on."""

    changes_lists: ClassVar[bool] = False
    is_activity: ClassVar[bool] = False

    on: bool


class AwayChanged(Body, tag="left", frozen=True):
    """A person is away and a bot stands in or, without a name of one, is waited for; or is back; or has given up."""

    color: Color = msgspec.field(name="seat")
    away: bool
    bot_name: str | None = msgspec.field(default=None, name="player")
    resigned: bool = False

    @property
    def heard_color(self) -> Color:
        return self.color

    @property
    def share_color(self) -> Color | None:
        return self.color if self.away and not self.resigned else None


class LongGone(Body, tag="long_gone", frozen=True):
    """A person has been away for so long that an end no longer needs their word."""

    is_activity: ClassVar[bool] = False

    color: Color = msgspec.field(name="seat")


class KickWished(Body, tag="kick_wished", frozen=True):
    """A seat asks that another person's be taken away, or no longer."""

    keeps_views: ClassVar[bool] = True

    by: Color
    color: Color = msgspec.field(name="seat")
    on: bool = True

    @property
    def share_color(self) -> Color:
        return self.by


class Ended(Body, tag="ended", frozen=True):
    """The game was ended without a winner; "abandoned": before it began, or nobody came any more."""

    how: Stop
    note: str = ""


class Restarted(Body, tag="restarted", frozen=True):
    """The server was down for so many seconds; clocks stood still."""

    is_activity: ClassVar[bool] = False

    seconds: float
    version: str = ""
    """Of the program that wrote this and what follows."""


class Muted(Body, tag="muted", frozen=True):
    """A seat does not want to hear another one, or does again."""

    keeps_views: ClassVar[bool] = True

    by: Color
    color: Color = msgspec.field(name="seat")
    on: bool = True

    @property
    def share_color(self) -> Color:
        return self.by


class Silenced(Body, tag="silenced", frozen=True):
    """The creator lets a seat speak no more, or again."""

    keeps_views: ClassVar[bool] = True

    color: Color = msgspec.field(name="seat")
    on: bool = True

    @property
    def share_color(self) -> Color:
        return ""


class Renamed(Body, tag="renamed", frozen=True):
    """A person is called by another name."""

    keeps_views: ClassVar[bool] = True

    color: Color = msgspec.field(name="seat")
    name: str
    guest_id: str = msgspec.field(default="", name="guest")

    @property
    def share_color(self) -> Color:
        return self.color

    def personal_texts(self) -> tuple[PersonalText, ...]:
        return _written((PersonalText("name", self.guest_id, self.name),))


class Paced(Body, tag="paced", frozen=True):
    """The bots play faster or slower from now on."""

    keeps_views: ClassVar[bool] = True

    pace: BotPace

    @property
    def share_color(self) -> Color:
        return ""


class TookBack(Body, tag="took_back", frozen=True):
    """The last action was taken back, with what came out: so many steps are left."""

    color: Color = msgspec.field(name="seat")
    """Who did it; "": the creator, who has no seat."""
    steps_left: int = msgspec.field(name="left")

    @property
    def told_color(self) -> Color | None:
        return self.color or None

    @property
    def share_color(self) -> Color:
        return self.color


class Mistold(Body, tag="mistold", frozen=True):
    """A seat told of a card that it cannot have drawn or stolen."""

    color: Color = msgspec.field(name="seat")

    @property
    def told_color(self) -> Color:
        return self.color

    @property
    def share_color(self) -> Color:
        return self.color


class Promised(Body, tag="promised", frozen=True):
    """A seat promised a word for the dice."""

    color: Color = msgspec.field(name="seat")
    promise: str

    @property
    def share_color(self) -> Color:
        return self.color


class WordsAsked(Body, tag="words_asked", frozen=True):
    """The game is to begin: no word is promised any more, and those that were are opened."""


class WordOpened(Body, tag="word_opened", frozen=True):
    """A seat opened its word for the dice."""

    color: Color = msgspec.field(name="seat")
    word: str


class Freed(Body, tag="freed", frozen=True):
    """Seats are no longer kept for those who sat there in the game before."""


class Rematched(Body, tag="rematch", frozen=True):
    """Another table follows this one."""

    table_id: str = msgspec.field(name="table")


EntryBody = (
    Opened
    | Seated
    | Began
    | Played
    | Said
    | Wished
    | Paused
    | Waited
    | AwayChanged
    | LongGone
    | KickWished
    | Ended
    | Restarted
    | Muted
    | Silenced
    | Renamed
    | Paced
    | TookBack
    | Mistold
    | Promised
    | WordsAsked
    | WordOpened
    | Freed
    | Rematched
)


class LogEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a table's log."""

    seq: int
    time: float
    body: EntryBody
    position_hash: str | None = None
    """Of the position after it; None: it does not touch the game."""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(EntryBody).decode


def entry_row(entry: LogEntry) -> EntryRow:
    """An entry as storage takes it: what guests wrote goes apart from the body."""
    body: Body = entry.body
    texts = body.personal_texts()
    for text in texts:
        body = body.with_text(text.slot, "")
    return EntryRow(entry.seq, entry.time, body.tag, _encode(body).decode(), entry.position_hash, texts)


def read_row(row: EntryRow) -> LogEntry:
    """An entry as storage gives it back; raises msgspec.ValidationError."""
    body = _decode(row.body)
    for text in row.texts:
        body = body.with_text(text.slot, text.text)
    return LogEntry(seq=row.seq, time=row.time, body=body, position_hash=row.position_hash)


def _written(texts: Iterable[PersonalText]) -> tuple[PersonalText, ...]:
    """What is not empty, and of somebody."""
    return tuple(text for text in texts if text.text and text.guest_id)


def log_step(game: Game, seat: int, code: int) -> str:
    """A step of a game as an entry has it: who, and the action."""
    speaker = CHANCE if seat == NATURE else game.colors[seat]
    return f"{speaker} {game.referee.action_text(code)}"


def read_log_step(text: str, colors: tuple[Color, ...]) -> Step:
    """A step from an entry."""
    speaker, _, action = text.partition(" ")
    if speaker == CHANCE:
        return Step(NATURE, read_action(action, colors))
    seat = colors.index(speaker)
    return Step(seat, read_action(action, colors, seat))
