"""What is said between a table and its guests: one model for browser, assistants, command line and bots.

A *command* goes to the table, with an id of the sender's own; a repeat of the id gets the same answer. A *message*
comes back. Numbered messages are what one pair of eyes has seen: each seat, and the public, counts on its own, so that
a gap tells nothing of what happened behind somebody's back. An action is its canonical text (docs/formats/actions.md).
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

from hexholm.game.action import OutcomeKind

from ..table_literals import (
    USUAL_ABSENCE,
    Absence,
    BotPace,
    ChanceSource,
    LessonName,
    Sitter,
    TableStatus,
    UnratedReason,
    Visibility,
)
from .shapes import (
    BY_COLOR,
    ColorData,
    EventData,
    OptionsData,
    PromptData,
    ReasonNameData,
    ReasonValuesData,
    RefusalCodeData,
    RefusalsData,
    ResourceData,
    SpeakerData,
    TableChangeData,
    TerrainData,
    ViewData,
    WishesData,
)

PROTOCOL_VERSION: Final = 1
"""The version of this page; a guest names it in its hello."""
LONGEST_ID: Final = 64
LONGEST_TEXT: Final = 500
LONGEST_NAME: Final = 40
TABLE_CHANGES: Final = (
    "seated", "began", "wished", "paused", "left", "ended", "over", "restarted", "silenced", "muted", "freed",
    "rematch", "renamed", "paced", "took_back", "mistold", "promised", "words_asked", "word_opened", "waited",
    "long_gone", "kick_wished",
)  # fmt: skip
"""What `changed` can tell of."""


class Wire(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True, kw_only=True):
    """Anything on the wire."""


# --- commands: from a guest to the table ------------------------------------------------------------------------------


class Command(Wire, frozen=True):
    """Something a guest wants; `id` is its own name for it, at most 64 characters."""

    id: str


class Act(Command, tag="act", frozen=True):
    """Play an action. `request` is the number of the question it answers; None: whatever is asked now."""

    action: str
    question_number: int | None = msgspec.field(default=None, name="request")


class Say(Command, tag="say", frozen=True):
    """Say something to everybody at the table. One who watches may where `spectators_speak`, by its name here."""

    text: str


class Begin(Command, tag="begin", frozen=True):
    """Begin the game. By the table's creator; all seats must be taken."""


class SeatBot(Command, tag="put", frozen=True):
    """Put a bot on a seat, or empty the seat. By the creator, before the game. `player`: a bot's name, or None."""

    color: ColorData = msgspec.field(name="seat")
    bot_name: str | None = msgspec.field(default=None, name="player")


class Kick(Command, tag="kick", frozen=True):
    """Take a person's seat away. Before the game by the creator.

    In a running game ask for it, or agree: it happens when all who play and are not away want it, and they are at least
    two, or the person has been away for days. A bot goes on; if the person is away, only until they are back.
    `on` False: I no longer ask for it.
    """

    color: ColorData = msgspec.field(name="seat")
    on: bool = True


class Pause(Command, tag="pause", frozen=True):
    """Ask for a pause, or agree to one: all who play and are not away must. `on` False: I no longer ask for it."""

    on: bool = True


class Resume(Command, tag="resume", frozen=True):
    """Go on after a pause."""


class Away(Command, tag="away", frozen=True):
    """Let a bot play for me until I am back."""


class Back(Command, tag="back", frozen=True):
    """I am here again."""


class Resign(Command, tag="resign", frozen=True):
    """Give up: a bot plays my seat to the end."""


class End(Command, tag="end", frozen=True):
    """Ask to end the game without a winner, or agree to that: all who play must, but for those away for days.

    Before it began the creator's word is enough. `on` False: I no longer ask for it.
    """

    on: bool = True


class Leave(Command, tag="leave", frozen=True):
    """Give up my seat before the game begins: it is free again, and my token is void."""


class Mute(Command, tag="mute", frozen=True):
    """Tell me no more of what a seat says (""; those who watch), or do so again. Nobody else is told."""

    color: SpeakerData = msgspec.field(name="seat")
    on: bool = True


class Silence(Command, tag="silence", frozen=True):
    """Let a seat ("": those who watch) speak no more, or again. By the creator, for everybody."""

    color: SpeakerData = msgspec.field(name="seat")
    on: bool = True


class Rename(Command, tag="rename", frozen=True):
    """Be called by another name at this table, at most 40 characters."""

    name: str


class Pace(Command, tag="pace", frozen=True):
    """Let the bots of the table play faster or slower from now on. By the creator, at any time."""

    pace: BotPace


class Deal(Command, tag="deal", frozen=True):
    """Tell what came out at the real table: `dice 3 4`, `stolen ore`, `drawn knight`.

    Only where people decide that; `number` is that of the question it answers. Dice before the roll are that roll too.
    """

    outcome: str
    number: int


class TakeBack(Command, tag="take_back", frozen=True):
    """Take back the last action with what came out. Only where people roll or draw, and not what the host has dealt.

    `number` is that of the latest message the sender has seen: two who undo the same mistake undo it once.
    """

    number: int


class PromiseWord(Command, tag="promise_word", frozen=True):
    """Promise a word for the dice before the game begins: the SHA-256 of `hexholm-dice-1 word TABLE COLOR WORD`.

    A later promise takes the place of an earlier one.
    """

    promise: str


class OpenWord(Command, tag="open_word", frozen=True):
    """Open the word that I promised, when the game is about to begin (`opening` in `DiceLine`)."""

    word: str


class Why(Command, tag="why", frozen=True):
    """Ask whether I may play an action, and if not why not. Nothing is stored and nothing changes."""

    action: str


TableCommand = (
    Act
    | Say
    | Begin
    | SeatBot
    | Kick
    | Pause
    | Resume
    | Away
    | Back
    | Resign
    | End
    | Leave
    | Mute
    | Silence
    | Rename
    | Pace
    | Deal
    | TakeBack
    | PromiseWord
    | OpenWord
)
"""What changes something; `Why` only asks."""


# --- messages: from the table to a guest ------------------------------------------------------------------------------


class SeatLine(Wire, frozen=True):
    """Who sits on a seat, as everybody may know it."""

    color: ColorData
    kind: Sitter
    name: str = ""
    bot_name: str | None = msgspec.field(default=None, name="player")
    """The bot that plays here, now or while its person is away."""
    away: bool = False
    resigned: bool = False
    silenced: bool = False
    """The creator lets this seat speak no more."""
    reserved: str = ""
    """Whom the free seat is kept for, after a rematch."""
    long_gone: bool = False
    """Its person has been away for days: an end no longer needs their word."""
    kick_wishes: tuple[ColorData, ...] = ()
    """Who asks that the seat be taken away in the running game."""
    kick_missing: tuple[ColorData, ...] = ()
    """Whose word is still missing for that."""


class TableLine(Wire, frozen=True):
    """What everybody may know of a table beside the game."""

    id: str
    status: TableStatus
    title: str
    edition: str
    options: OptionsData
    seats: tuple[SeatLine, ...]
    created: float
    """When it was set up, in unix seconds."""
    creator_color: ColorData = msgspec.field(name="creator", default="")
    """The color of the creator's seat, if it has one."""
    paused: bool = False
    clock: float | None = None
    """Seconds for a decision; None: no clock."""
    pace: BotPace = "normal"
    """How fast the bots play."""
    chance_source: ChanceSource = msgspec.field(default="host", name="chance")
    """Who rolls, draws and steals."""
    lesson: LessonName = ""
    """The lesson that this game is: its dice are scripted at first."""
    visibility: Visibility = "unlisted"
    """Whether it stands in the lobby."""
    watchable: bool = True
    """Whoever has the link may watch the game; else only those who sit there and the one who set it up."""
    spectators_speak: bool = False
    """Those who watch hear what is said, and may speak."""
    spectators_silenced: bool = False
    """But the creator lets them speak no more."""
    wishes: WishesData = {}
    """Who asks for a pause ("pause") or an end ("end")."""
    missing: WishesData = {}
    """Whose word is still missing for what is asked for."""
    absence: Absence = USUAL_ABSENCE
    """After how long a bot stands in for somebody who is gone and keeps the others waiting, in seconds, or "wait"."""
    plays_on: bool = False
    """The game goes on when nobody is there; else it waits."""
    waiting: bool = False
    """Nobody is there: clocks and bots stand still until somebody is."""
    ended: float | None = None
    winner: ColorData | None = None
    scores: Annotated[dict[ColorData, int], BY_COLOR] | None = None
    """All points by color, hidden ones too; only when the game is over."""
    rematch: str | None = None
    """The id of the table that follows this one."""
    rated: bool = False
    """The result counts for the ratings of the people who play."""
    unrated: UnratedReason = ""
    """Why it did not count after all; only when the game is over."""


class DiceLine(Wire, frozen=True):
    """How the dice of a table can be checked (docs/formats/dice-proof.md)."""

    commitment: str
    """Of the host's key."""
    promises: Annotated[dict[ColorData, str], BY_COLOR] = {}
    """Of the seats' words."""
    words: Annotated[dict[ColorData, str], BY_COLOR] = {}
    """Those that were opened."""
    opening: bool = False
    """The words are opened: before the game for a few seconds, and from then on."""
    key: str | None = None
    """The host's key, told to the seats once the game is over; never of a game that was abandoned."""


class HexLine(Wire, frozen=True):
    """One hex of a board."""

    at: str
    terrain: TerrainData
    number: int | None
    """None on the desert."""


class HarborLine(Wire, frozen=True):
    """One harbor: the two corners that have it, and so many cards of a kind (None: of any one kind) for one."""

    corners: tuple[str, str]
    kind: ResourceData | None
    rate: int


class BoardLine(Wire, frozen=True):
    """What lies where. Places are named as in docs/formats/places.md."""

    hexes: tuple[HexLine, ...]
    harbors: tuple[HarborLine, ...]


class ChanceQuestion(Wire, frozen=True):
    """What somebody is asked to tell about the real dice and cards."""

    kind: OutcomeKind
    player: ColorData
    """Who rolls, steals or draws."""
    number: int
    outcomes: tuple[str, ...] = ()
    """What can be told; empty for dice: `dice 1 1` to `dice 6 6`."""


class Projection(Wire, frozen=True):
    """The game through one pair of eyes: what is there, what is asked, what may be done and why the rest may not."""

    color: ColorData | None = msgspec.field(name="seat")
    """None: the public."""
    view: ViewData
    question_number: int = msgspec.field(name="request")
    """The number of what is asked now; it changes when the question does."""
    asked: bool
    prompt: PromptData
    legal: tuple[str, ...]
    refusals: RefusalsData
    """By kind of action that is not possible now: `rule`, `message`, `why` (its name) and `values`.

    `take_back` is among them at a table with real dice, where nothing can be taken back.
    """
    deadline: float | None = None
    """When the clock runs out, in unix seconds."""
    chance_question: ChanceQuestion | None = msgspec.field(default=None, name="chance")
    """What is to be told about real dice and cards, where people have them."""


class Present(Wire, tag="present", frozen=True):
    """Not numbered: who is there now. Replaces the one before."""

    seats: tuple[ColorData, ...]
    """The colors whose person has an open connection."""
    watching: int
    """How many others look on."""


class Hello(Wire, tag="hello", frozen=True):
    """The first message on a connection: the table, the game, and what was missed since `since`."""

    protocol: int
    color: ColorData | None = msgspec.field(name="seat")
    """The color of the one who is greeted; None: one who watches."""
    table: TableLine
    board: BoardLine
    projection: Projection | None
    number: int
    """The number of the latest numbered message."""
    present: Present
    time: float
    """The host's clock now, to which deadlines refer."""
    muted: tuple[SpeakerData, ...] = ()
    """The seats whose remarks this seat does not want to hear."""
    dice: DiceLine | None = None
    """None: the dice of this table have no proof: people roll them, a lesson has them, or it is from before."""
    warming: bool = False
    """The host still compiles rules and players; `GET /api/statistics` tells how far it is."""


class Told(Wire, tag="told", frozen=True):
    """Numbered: something happened in the game."""

    number: int
    time: float
    events: tuple[EventData, ...]


class Chatted(Wire, tag="chatted", frozen=True):
    """Numbered: somebody said something. The words are other people's words."""

    number: int
    time: float
    by: SpeakerData
    """The color of the seat; "": one who watches, by the name in `spectator`."""
    text: str
    spectator: str = ""


class Changed(Wire, tag="changed", frozen=True):
    """Numbered: something about the table changed: seats, pause, wishes, status."""

    number: int
    time: float
    what: TableChangeData
    table: TableLine
    muted: tuple[SpeakerData, ...] = ()
    """As in `Hello`."""
    by: ColorData | None = None
    """The seat that took something back; None: another change, or one with no seat."""
    dice: DiceLine | None = None
    """As in `Hello`."""


class Now(Wire, tag="now", frozen=True):
    """How the game looks now; replaces the one before."""

    projection: Projection
    number: int = 0
    """The number of the latest numbered message that is in it."""


class Done(Wire, tag="done", frozen=True):
    """A command was carried out."""

    id: str
    number: int
    """The number of the sender's latest message once it was."""


class Refused(Wire, tag="refused", frozen=True):
    """A command was not carried out, and nothing changed."""

    id: str | None
    code: RefusalCodeData
    message: str
    rule: str | None = None
    legal: tuple[str, ...] = ()
    why: ReasonNameData = ""
    """The name of the reason: of the rules (docs/reference/refusals.md), or the host's own (host-refusals.md)."""
    values: ReasonValuesData = {}
    """What the sentence is made with, as data."""


class WhyAnswer(Wire, tag="because", frozen=True):
    """The answer to `Why`, from what the seat can see alone; the fields as in `Refused`, empty for what is legal."""

    id: str
    legal: bool
    rule: str | None = None
    message: str = ""
    why: ReasonNameData = ""
    values: ReasonValuesData = {}


Numbered = Told | Chatted | Changed
TableMessage = Hello | Told | Chatted | Changed | Now | Present | Done | Refused | WhyAnswer
