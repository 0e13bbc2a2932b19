"""What is said over REST and at the opening of a socket. Everything that is said at a table is in :mod:`.messages`.

One error shape serves all of REST, `{"error": {"code", "message", "rule", "why", "values"}}`; the message `refused` of
a socket has the same fields.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import Meta, field

from . import messages as m
from .shapes import ColorData, EventData, ReasonNameData, RefusalCodeData, ReplayViewData, ResultData, shape

LONGEST_TITLE: Final = 80
LONGEST_BOARD: Final = 16_384
LARGEST_BOARD_SEED: Final = 2**53 - 1
"""What every program can read from JSON."""
COOKIE: Final = "hexholm_guest"

Name = Annotated[str, Meta(min_length=1, max_length=m.LONGEST_NAME)]
Title = Annotated[str, Meta(max_length=LONGEST_TITLE)]
Color = Annotated[str, Meta(max_length=20)]
TokenText = Annotated[str, Meta(max_length=200)]
Since = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Seed = Annotated[int, Meta(ge=0, le=LARGEST_BOARD_SEED)]
Clock = Annotated[float, Meta(ge=5, le=86_400)]

# --- the opening of a socket ------------------------------------------------------------------------------------------


class Greeting(m.Wire, tag="hello", frozen=True):
    """The first thing a guest says: the version it speaks, the token of its seat, the last number it has seen.

    Without a token it watches. `since` 0 asks for everything from the beginning, None for nothing of the past.
    """

    protocol: int
    token: TokenText | None = None
    since: Since | None = None


class Ping(m.Wire, tag="ping", frozen=True):
    """Are you there? For clients that cannot see the pings of the socket itself."""


class Pong(m.Wire, tag="pong", frozen=True):
    """The answer to a ping."""


Incoming = m.TableCommand | m.Why | Ping
"""What a guest may say after its greeting."""
Outgoing = m.TableMessage | Pong
"""What it may hear."""

# --- REST -------------------------------------------------------------------------------------------------------------


class TableSettings(m.Wire, frozen=True):
    """What the one who sets up a table chooses for it: from the request to the first entry of the log."""

    name: Name
    title: Title = ""
    options: dict[str, Any] = field(default_factory=dict)
    """As for `hexholm.options`: edition, players, setup, points_to_win and so on."""
    board_seed: Seed | None = None
    board: Annotated[str, Meta(max_length=LONGEST_BOARD)] | None = None
    """A board of one's own (docs/formats/board.md)."""
    clock: Clock | None = None
    """Seconds for a decision; None: no clock."""
    ranges: bool = False
    """Show everybody what can be inferred of the other hands."""
    pace: m.BotPace = "normal"
    """How fast the bots play."""
    chance: m.ChanceSource = "host"
    """Who rolls, draws and steals: the host, or people with real dice, or with real dice and cards."""
    lesson: m.Teaches = ""
    """A game that teaches by playing. It decides everything else but `name`, `title` and the edition in `options`."""
    seats: dict[Color, Color | None] = field(default_factory=dict)
    seat: Color | None = None
    """The colour of the one who sets it up. None: the first seat that is free."""


class NewTable(TableSettings, frozen=True):
    """A table to set up. Everything may be left out but the name of the one who does it.

    `seats` puts bots on seats, by colour: `{"blue": "easy"}`.
    """

    sit: bool = True
    """Whether the one who sets it up plays; else no seat is taken, and only the cookie says whose table it is."""
    begin: bool = False
    """Begin at once; no seat may be free."""
    key: Annotated[str, Meta(min_length=16, max_length=64)] | None = None
    """Random characters of one's own: who sends the same key again gets the same table, and no second one.

    Keep it to yourself: until you have the cookie it says who you are."""


class TakeSeat(m.Wire, frozen=True):
    """Who wants to sit down, and where."""

    name: Name


class SeatTaken(m.Wire, frozen=True):
    """A seat is yours. Keep the token: whoever has it plays your seat. Who set up a table to watch has none."""

    table: m.TableLine
    seat: str | None
    token: str | None
    link: str
    """Where you play; the token is behind the #, which browsers do not send."""
    watch: str
    """For everybody: where others watch."""


class TableList(m.Wire, frozen=True):
    """Tables, and how many there are."""

    tables: tuple[m.TableLine, ...]
    total: int


class TableAnswer(m.Wire, frozen=True):
    """One table: what everybody may know, and the game through the eyes of the one who asks."""

    table: m.TableLine
    board: str
    """The board as TOML (docs/formats/board.md)."""
    projection: m.Projection | None
    number: int
    """The number of the latest message for these eyes."""


class OptionLine(m.Wire, frozen=True):
    """Something one can choose for a table: what the books offer, and house rules."""

    name: str
    """As in `NewTable.options`."""
    kind: Literal["bool", "int", "choice"]
    help: str
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()
    default: bool | int | str | None = None
    """What counts if nothing is said; None: something the host picks."""
    setup: str | None = None
    """Only in this set-up."""
    house_rule: bool = False
    """No book offers it."""
    players: int | None = None
    """So many may play with it, and only with it."""


class BotLine(m.Wire, frozen=True):
    """A player that can be put on a seat."""

    name: str
    line: str = ""
    """What it is, in one line."""


class EditionLine(m.Wire, frozen=True):
    """An edition one can play, with everything a form for a new table or the rim of a board needs."""

    name: str
    title: str
    players: tuple[int, int]
    """The fewest and the most."""
    colors: tuple[ColorData, ...]
    points: int
    """To win."""
    setup: str
    """What its book plays first: "fixed" or "variable"."""
    words: dict[str, str]
    setups: tuple[str, ...]
    costs: Annotated[dict[str, dict[str, int]], shape("Costs")]
    """Of a road, a settlement, a city and a card."""
    worth: Annotated[dict[str, int], shape("Worth")]
    """Points of a settlement, a city and the awards."""
    hand_limit: int
    """Hands over this are halved on a seven."""
    supply: Annotated[dict[str, int], shape("ResourceCounts")]
    """How many cards of each resource there are."""
    deck: Annotated[dict[str, int], shape("AllCardCounts")]
    """How many development cards of each kind there are."""
    pieces: Annotated[dict[str, int | None], shape("PiecesLeft")]
    """How many roads, settlements and cities a player has; None: no limit."""
    options: tuple[OptionLine, ...]
    lessons: tuple[str, ...] = ()
    """`NewTable.lesson`s that can be had in this edition."""


class ChanceLine(m.Wire, frozen=True):
    """Who rolls and deals, as in `NewTable.chance`, and what goes with it."""

    name: m.ChanceSource
    bots: bool = True
    """Bots can play."""
    clock: bool = True
    """There can be a clock."""
    without: tuple[str, ...] = ()
    """Options that cannot be chosen."""


class EditionList(m.Wire, frozen=True):
    """The editions, who rolls and deals, and who can be put on a seat."""

    editions: tuple[EditionLine, ...]
    bots: tuple[BotLine, ...]
    chances: tuple[ChanceLine, ...]


class FairPart(m.Wire, frozen=True):
    """One of the questions that fairness is made of: seats, resources, corners, regions."""

    name: str
    points: int
    """0 to 100."""
    why: str
    """In English."""
    values: dict[str, str | int | float] = field(default_factory=dict)
    """What it is made of, for other languages: shares in percent, resources and places by their names."""


class FairLine(m.Wire, frozen=True):
    """How fair a board is."""

    score: int
    """0 to 100."""
    tried: int
    """It is the fairest of so many."""
    parts: tuple[FairPart, ...]


class BoardAnswer(m.Wire, frozen=True):
    """A board that a table could have."""

    board: m.BoardLine
    colors: tuple[ColorData, ...]
    """The seats of a table with these options."""
    toml: str
    """The same as text (docs/formats/board.md)."""
    seed: int
    """`NewTable.board_seed` that gives this board."""
    map: int | None = None
    """The number of a printed map, if it is one."""
    fairness: FairLine | None = None
    """If a fair one was asked for."""


class RuleTopic(m.Wire, frozen=True):
    """An entry of the almanac in its list."""

    name: str
    title: str
    short: str


class RuleGroup(m.Wire, frozen=True):
    """Entries that belong together, in the order in which they are best read."""

    title: str
    entries: tuple[RuleTopic, ...]


class RuleContents(m.Wire, frozen=True):
    """The almanac of an edition: its entries, and what leads to them."""

    edition: str
    language: str
    editions: dict[str, str]
    """The titles of all editions in the language, by name."""
    groups: tuple[RuleGroup, ...]
    rules: dict[str, tuple[str, ...]]
    """By the id of a rule: the entries that explain it, the one that says most of it first."""
    words: dict[str, str]
    """By a word in small letters: the entry it leads to. After `log:`: in a log alone; after the name of an event and a
    colon: in its lines alone."""


class RuleSpan(m.Wire, frozen=True):
    """A part of a text; `to` is the entry it leads to."""

    text: str
    to: str | None = None


class RuleHeading(m.Wire, tag_field="kind", tag="heading", frozen=True):
    """A heading within an entry."""

    text: str


class RuleParagraph(m.Wire, tag_field="kind", tag="paragraph", frozen=True):
    """A paragraph. `role` is "" for the rule itself, "hint" for advice, "reading" for a point the book leaves open."""

    spans: tuple[RuleSpan, ...]
    role: str = ""
    rules: tuple[str, ...] = ()


class RuleList(m.Wire, tag_field="kind", tag="list", frozen=True):
    """A list, in steps if `ordered`."""

    ordered: bool
    items: tuple[RuleParagraph, ...]


class RuleTable(m.Wire, tag_field="kind", tag="table", frozen=True):
    """A table made from the data of the edition."""

    name: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    rules: tuple[str, ...] = ()


class RuleExample(m.Wire, tag_field="kind", tag="example", frozen=True):
    """A worked example: /api/rules/examples/NAME.svg draws it."""

    name: str
    title: str
    caption: str
    position: str
    """As in docs/formats/position.md."""
    marks: dict[str, str]
    """Letters, and the places that bear them."""


class RuleEntry(m.Wire, frozen=True):
    """An entry of the almanac, in the words of an edition."""

    name: str
    title: str
    short: str
    group: str
    blocks: tuple[RuleHeading | RuleParagraph | RuleList | RuleTable | RuleExample, ...]
    see: tuple[str, ...]
    """Where to read on."""
    rules: tuple[str, ...]
    topic: str | None = None
    """The topic of the books' almanacs that it answers."""


class RuleHit(m.Wire, frozen=True):
    """An entry that was found, with the place in it that fits best."""

    entry: str
    title: str
    excerpt: str
    block: int
    """The number of the block that the excerpt is from."""
    rules: tuple[str, ...]
    score: float


class RuleHits(m.Wire, frozen=True):
    """What a search found, best first."""

    hits: tuple[RuleHit, ...]


class RuleRow(m.Wire, frozen=True):
    """One thing in which editions can differ; `values` are by edition."""

    key: str
    label: str
    values: dict[str, str]
    rules: tuple[str, ...]
    same: bool
    """Whether the editions agree, be it in other words."""
    word: bool = False
    """Whether it is about what something is called."""


class RuleComparison(m.Wire, frozen=True):
    """Editions side by side."""

    editions: dict[str, str]
    """Their titles, by name."""
    rows: tuple[RuleRow, ...]


class MyTable(m.Wire, frozen=True):
    """A table of the guest who asks."""

    table: m.TableLine
    seat: str | None
    """The colour it holds."""
    creator: bool
    """Whether it set up the table."""


class Me(m.Wire, frozen=True):
    """The guest who asks: its last name, and its tables, newest first."""

    name: str
    tables: tuple[MyTable, ...]


class NewToken(m.Wire, frozen=True):
    """One more token of the seat one holds."""

    seat: str
    token: str
    link: str


class RematchAnswer(m.Wire, frozen=True):
    """The table that follows."""

    table: str


class TurnLine(m.Wire, frozen=True):
    """Where a turn begins in a replay."""

    turn: int
    step: int
    player: str | None


class ReplayAnswer(m.Wire, frozen=True):
    """A finished game through a pair of eyes, step by step; step 0 is before the first one."""

    board: m.BoardLine
    colors: tuple[str, ...]
    names: dict[str, str]
    """By colour."""
    steps: int
    turns: tuple[TurnLine, ...]
    points: dict[str, tuple[int, ...]]
    """By colour, for each step from 0 on."""
    events: tuple[tuple[EventData, ...], ...]
    """What each step from 0 on brought."""
    result: ResultData


class ReplayViews(m.Wire, frozen=True):
    """How a finished game looked after some steps in a row."""

    views: tuple[ReplayViewData, ...]


class Statistics(m.Wire, frozen=True):
    """How much is going on."""

    version: str
    protocol: int
    tables: dict[str, int]
    """How many, by status."""
    sockets: int
    warming: bool
    """The compiled rules are not ready yet: everything works, but slowly."""
    link: str | None
    """Where others reach this server; None: only from the machine it runs on."""


class Health(m.Wire, frozen=True):
    """Whether the server is well."""

    status: str
    version: str


class Problem(m.Wire, frozen=True):
    """Why a request was refused."""

    code: RefusalCodeData
    message: str
    rule: str | None = None
    why: ReasonNameData = ""
    """The name of the reason, and what the sentence is made with: as in `refused`."""
    values: dict[str, Any] = field(default_factory=dict)


class Failure(m.Wire, frozen=True):
    """The one shape of an error."""

    error: Problem
