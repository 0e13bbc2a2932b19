"""What is said over REST and at the opening of a socket. Everything that is said at a table is in :mod:`.messages`.

One error shape serves all of REST, `{"error": {"code", "message", "rule", "why", "values"}}`; the message `refused` of
a socket has the same fields.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, field

from hexholm.game.dice_proof import DrawStream
from hexholm.rules.boards.board_reader import LONGEST_BOARD
from hexholm.rules.colors import Color

from ..table_literals import BotPace, ChanceSource, LessonName, Visibility
from . import messages
from .shapes import (
    BY_COLOR,
    MARK,
    ColorData,
    EventData,
    OptionsData,
    ReasonNameData,
    ReasonValuesData,
    RefusalCodeData,
    ReplayViewData,
    ResultData,
    named_shape,
)

LONGEST_TITLE: Final = 80
LONGEST_REASON: Final = 300
LARGEST_BOARD_SEED: Final = 2**53 - 1
"""What every program can read from JSON."""
COOKIE: Final = "hexholm_guest"
HOST_COOKIE: Final = "__Host-hexholm_guest"
"""Its name over TLS: browsers take it from this very host alone, never from a neighbor under the same domain."""

Name = Annotated[str, Meta(min_length=1, max_length=messages.LONGEST_NAME)]
Title = Annotated[str, Meta(max_length=LONGEST_TITLE)]
ShortColor = Annotated[Color, Meta(max_length=20, extra_json_schema={MARK: "Color"})]
"""A color as somebody sends it."""
BotName = Annotated[str, Meta(max_length=20)]
TokenText = Annotated[str, Meta(max_length=200)]
Since = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Seed = Annotated[int, Meta(ge=0, le=LARGEST_BOARD_SEED)]
Clock = Annotated[float, Meta(ge=5, le=86_400)]
AbsenceSeconds = Annotated[float, Meta(ge=30, le=7 * 86_400)]

# --- the opening of a socket ------------------------------------------------------------------------------------------


class Greeting(messages.Wire, tag="hello", frozen=True):
    """The first thing a guest says: the version it speaks, the token of its seat, the last number it has seen.

    Without a token it watches. `since` 0 asks for everything from the beginning, None for nothing of the past.
    """

    protocol: int
    token: TokenText | None = None
    since: Since | None = None


class Ping(messages.Wire, tag="ping", frozen=True):
    """Are you there? For clients that cannot see the pings of the socket itself."""


class Pong(messages.Wire, tag="pong", frozen=True):
    """The answer to a ping."""


Incoming = messages.TableCommand | messages.Why | Ping
"""What a guest may say after its greeting."""
Outgoing = messages.TableMessage | Pong
"""What it may hear."""

# --- REST -------------------------------------------------------------------------------------------------------------


class NewTable(messages.Wire, frozen=True):
    """A table to set up. Everything may be left out but the name of the one who does it.

    `seats` puts bots on seats, by color: `{"blue": "easy"}`.
    """

    name: Name
    title: Title = ""
    options: OptionsData = field(default_factory=dict)
    """As for `hexholm.options`: edition, players, setup, points_to_win and so on."""
    board_seed: Seed | None = None
    board: Annotated[str, Meta(max_length=LONGEST_BOARD)] | None = None
    """A board of one's own (docs/formats/board.md)."""
    clock: Clock | None = None
    """Seconds for a decision; None: no clock."""
    absence: AbsenceSeconds | Literal["wait"] | None = None
    """Seconds after which a bot stands in for somebody who is gone and keeps the others waiting.

    "wait": none does, and their clock stands still; None: two minutes."""
    plays_on: bool = False
    """Go on when nobody is there, clocks and bots too; else the game waits, one of bots for somebody who looks on."""
    ranges: bool = False
    """Show everybody what can be inferred of the other hands."""
    pace: BotPace = "normal"
    """How fast the bots play."""
    chance_source: ChanceSource = field(default="host", name="chance")
    """Who rolls, draws and steals: the host, or people with real dice, or with real dice and cards."""
    rated: bool = False
    """The result counts for the ratings of the people who play: two at least, by the book, with a `clock`."""
    lesson: LessonName = ""
    """A game that teaches by playing. It decides everything else but `name`, `title` and the edition in `options`."""
    visibility: Visibility = "unlisted"
    """Whether the table stands in the lobby, or is found by its link alone."""
    watchable: bool = True
    """Let whoever has the link watch the game; else only those who sit there, and you."""
    spectators_speak: bool = False
    """Let those who watch read the chat and speak; only at an open table that can be watched."""
    seats: Annotated[dict[ShortColor, BotName | None], BY_COLOR] = field(default_factory=dict)
    """The bots that are put on seats, by color; None: the seat stays free."""
    color: ShortColor | None = field(default=None, name="seat")
    """The color of the one who sets it up. None: the first seat that is free."""
    sit: bool = True
    """Whether the one who sets it up plays; else no seat is taken, and only the cookie says whose table it is."""
    begin: bool = False
    """Begin at once; no seat may be free."""
    key: Annotated[str, Meta(min_length=16, max_length=64)] | None = None
    """Random characters of one's own: who sends the same key again gets the same table, and no second one.

    Keep it to yourself: until you have the cookie it says who you are."""


class TakeSeat(messages.Wire, frozen=True):
    """Who wants to sit down, and where."""

    name: Name


class SeatTaken(messages.Wire, frozen=True):
    """A seat is yours. Keep the token: whoever has it plays your seat. Who set up a table to watch has none."""

    table: messages.TableLine
    seat: ColorData | None
    token: str | None
    link: str
    """Where you play; the token is behind the #, which browsers do not send."""
    watch: str
    """For everybody: where others watch."""


class TableList(messages.Wire, frozen=True):
    """Tables, and how many there are."""

    tables: tuple[messages.TableLine, ...]
    total: int


class TableAnswer(messages.Wire, frozen=True):
    """One table: what everybody may know, and the game through the eyes of the one who asks."""

    table: messages.TableLine
    board: str
    """The board as TOML (docs/formats/board.md)."""
    projection: messages.Projection | None
    number: int
    """The number of the latest message for these eyes."""


class OptionLine(messages.Wire, frozen=True):
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
    player_count: int | None = field(default=None, name="players")
    """So many may play with it, and only with it."""


class BotLine(messages.Wire, frozen=True):
    """A player that can be put on a seat."""

    name: str
    line: str = ""
    """What it is, in one line."""


class EditionLine(messages.Wire, frozen=True):
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
    costs: Annotated[dict[str, dict[str, int]], named_shape("Costs")]
    """Of a road, a settlement, a city and a card."""
    worth: Annotated[dict[str, int], named_shape("Worth")]
    """Points of a settlement, a city and the awards."""
    hand_limit: int
    """Hands over this are halved on a seven."""
    supply: Annotated[dict[str, int], named_shape("ResourceCounts")]
    """How many cards of each resource there are."""
    deck: Annotated[dict[str, int], named_shape("AllCardCounts")]
    """How many development cards of each kind there are."""
    pieces: Annotated[dict[str, int | None], named_shape("PiecesLeft")]
    """How many roads, settlements and cities a player has; None: no limit."""
    options: tuple[OptionLine, ...]
    lessons: tuple[str, ...] = ()
    """`NewTable.lesson`s that can be had in this edition."""


class ChanceLine(messages.Wire, frozen=True):
    """Who rolls and deals, as in `NewTable.chance`, and what goes with it."""

    name: ChanceSource
    bots: bool = True
    """Bots can play."""
    clock: bool = True
    """There can be a clock."""
    without: tuple[str, ...] = ()
    """Options that cannot be chosen."""


class EditionList(messages.Wire, frozen=True):
    """The editions, who rolls and deals, and who can be put on a seat."""

    editions: tuple[EditionLine, ...]
    bots: tuple[BotLine, ...]
    chances: tuple[ChanceLine, ...]


class FairPart(messages.Wire, frozen=True):
    """One of the questions that fairness is made of: seats, resources, corners, regions."""

    name: str
    points: int
    """0 to 100."""
    why: str
    """In English."""
    values: dict[str, str | int | float] = field(default_factory=dict)
    """What it is made of, for other languages: shares in percent, resources and places by their names."""


class FairLine(messages.Wire, frozen=True):
    """How fair a board is."""

    score: int
    """0 to 100."""
    tried: int
    """It is the fairest of so many."""
    parts: tuple[FairPart, ...]


class BoardAnswer(messages.Wire, frozen=True):
    """A board that a table could have."""

    board: messages.BoardLine
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


class RuleTopic(messages.Wire, frozen=True):
    """An entry of the almanac in its list."""

    name: str
    title: str
    short: str


class RuleGroup(messages.Wire, frozen=True):
    """Entries that belong together, in the order in which they are best read."""

    title: str
    entries: tuple[RuleTopic, ...]


class RuleContents(messages.Wire, frozen=True):
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


ParagraphRole = Literal["", "hint", "reading"]
"""The rule itself; advice; a point the book leaves open."""


class RuleSpan(messages.Wire, frozen=True):
    """A part of a text; `to` is the entry it leads to."""

    text: str
    to: str | None = None


class RuleHeading(messages.Wire, tag_field="kind", tag="heading", frozen=True):
    """A heading within an entry."""

    text: str


class RuleParagraph(messages.Wire, tag_field="kind", tag="paragraph", frozen=True):
    """A paragraph. `role` is "" for the rule itself, "hint" for advice, "reading" for a point the book leaves open."""

    spans: tuple[RuleSpan, ...]
    role: ParagraphRole = ""
    rules: tuple[str, ...] = ()


class RuleList(messages.Wire, tag_field="kind", tag="list", frozen=True):
    """A list, in steps if `ordered`."""

    ordered: bool
    items: tuple[RuleParagraph, ...]


class RuleTable(messages.Wire, tag_field="kind", tag="table", frozen=True):
    """A table made from the data of the edition."""

    name: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    rules: tuple[str, ...] = ()


class RuleExample(messages.Wire, tag_field="kind", tag="example", frozen=True):
    """A worked example: /api/rules/examples/NAME.svg draws it."""

    name: str
    title: str
    caption: str
    position: str
    """As in docs/formats/position.md."""
    marks: dict[str, str]
    """Letters, and the places that bear them."""


class RuleEntry(messages.Wire, frozen=True):
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


class RuleHit(messages.Wire, frozen=True):
    """An entry that was found, with the place in it that fits best."""

    entry: str
    title: str
    excerpt: str
    block: int
    """The number of the block that the excerpt is from."""
    rules: tuple[str, ...]
    score: float


class RuleHits(messages.Wire, frozen=True):
    """What a search found, best first."""

    hits: tuple[RuleHit, ...]


class RuleRow(messages.Wire, frozen=True):
    """One thing in which editions can differ; `values` are by edition."""

    key: str
    label: str
    values: dict[str, str]
    rules: tuple[str, ...]
    same: bool
    """Whether the editions agree, be it in other words."""
    word: bool = False
    """Whether it is about what something is called."""


class RuleComparison(messages.Wire, frozen=True):
    """Editions side by side."""

    editions: dict[str, str]
    """Their titles, by name."""
    rows: tuple[RuleRow, ...]


class MyTable(messages.Wire, frozen=True):
    """A table of the guest who asks."""

    table: messages.TableLine
    color: ColorData | None = field(name="seat")
    """The color it holds."""
    is_creator: bool = field(name="creator")
    """Whether it set up the table."""
    asked_since: float | None = None
    """Since when the game waits for this guest, in unix seconds; None: it does not."""


class Me(messages.Wire, frozen=True):
    """The guest who asks: its last name, and its tables, newest first."""

    name: str
    tables: tuple[MyTable, ...]


class NewReport(messages.Wire, frozen=True):
    """A complaint about words at a table: somebody's name, a remark, the title of the table."""

    what: Literal["name", "chat", "title"]
    seat: ShortColor | None = None
    """Of the one whose name it is."""
    number: Since | None = None
    """Of the remark, as these eyes were told it (`chatted`)."""
    why: Annotated[str, Meta(max_length=LONGEST_REASON)] = ""
    """What is wrong with it."""


class ReportTaken(messages.Wire, frozen=True):
    """The operator of the house will see it."""

    taken: bool


class RatingLine(messages.Wire, frozen=True):
    """Somebody in the list of ratings."""

    rank: int
    name: str
    """What they were called in their last rated game; "": the name was removed."""
    rating: int
    games: int
    is_you: bool = field(default=False, name="you")


class RatingList(messages.Wire, frozen=True):
    """People by their ratings, the best first."""

    people: tuple[RatingLine, ...]
    total: int
    least_games: int
    """Who has fewer rated games is not listed."""


class RatedGameLine(messages.Wire, frozen=True):
    """A game that counted for somebody's rating."""

    table: str
    number: int
    """It was so many of the guest's rated games."""
    time: float
    place: int
    players: int
    rating: int
    """After the game."""
    change: int


class MyRatings(messages.Wire, frozen=True):
    """The rating of the guest who asks, and the games it came from, newest first."""

    rating: int | None
    """None: no game has counted yet."""
    games: int
    history: tuple[RatedGameLine, ...]
    least_games: int
    """With fewer one is not listed."""


class Introduction(messages.Wire, frozen=True):
    """What a guest wants to be called, as those are asked who only watch and want to say something."""

    name: Name


class NewToken(messages.Wire, frozen=True):
    """One more token of the seat one holds."""

    color: ColorData = field(name="seat")
    token: str
    link: str


class ShareAnswer(messages.Wire, frozen=True):
    """Whether you show a finished game to others."""

    shown: bool
    """There is a link of yours that shows it."""
    public: bool = False
    """Whoever has the link of the table sees it: a game from before, kept so by the operator."""
    link: str | None = None
    """Told once, when it is made: the secret is behind the #, which browsers do not send."""


class RematchAnswer(messages.Wire, frozen=True):
    """The table that follows."""

    table: str


class TurnLine(messages.Wire, frozen=True):
    """Where a turn begins in a replay."""

    turn: int
    step: int
    player: ColorData | None


class ReplayAnswer(messages.Wire, frozen=True):
    """A finished game through a pair of eyes, step by step; step 0 is before the first one."""

    board: messages.BoardLine
    colors: tuple[ColorData, ...]
    names: Annotated[dict[ColorData, str], BY_COLOR]
    """By color."""
    steps: int
    turns: tuple[TurnLine, ...]
    points: Annotated[dict[ColorData, tuple[int, ...]], BY_COLOR]
    """By color, for each step from 0 on."""
    events: tuple[tuple[EventData, ...], ...]
    """What each step from 0 on brought."""
    result: ResultData


class ReplayViews(messages.Wire, frozen=True):
    """How a finished game looked after some steps in a row."""

    views: tuple[ReplayViewData, ...]


class DiceDraw(messages.Wire, frozen=True):
    """A roll, theft or card drawn of a finished game, and the numbers that stand for what came out."""

    step: int
    turn: int
    """0: before the first turn."""
    player: ColorData
    """Who rolls, steals or draws."""
    outcome: str
    """As in docs/formats/actions.md: `dice 3 4`, `stolen ore`, `drawn knight`."""
    stream: DrawStream
    count: int
    """Its number in the stream."""
    chances: int
    first: int
    """The lowest of the numbers below `chances` that lead to this outcome."""
    last: int
    """The highest of them."""


class DiceAnswer(messages.Wire, frozen=True):
    """All that is needed to check the dice of a finished game, as docs/formats/dice-proof.md says it."""

    table: str
    dice: messages.DiceLine | None
    """None: the dice of this game have no proof. Without a `key` in it nothing can be checked: it was abandoned."""
    draws: tuple[DiceDraw, ...] = ()
    """In order; none where there is no key."""


class Statistics(messages.Wire, frozen=True):
    """How much is going on."""

    version: str
    protocol: int
    tables: dict[str, int]
    """How many are open to everybody and not over, by status."""
    sockets: int
    warming: bool
    """Rules and players are still being compiled: everything works, but slowly, and bots think less."""
    link: str | None
    """Where others reach this server; None: only from the machine it runs on."""
    compiled: float = 1.0
    """How much of them is compiled, from 0 to 1."""


class Health(messages.Wire, frozen=True):
    """Whether the server is well."""

    status: str
    version: str


class Problem(messages.Wire, frozen=True):
    """Why a request was refused."""

    code: RefusalCodeData
    message: str
    rule: str | None = None
    why: ReasonNameData = ""
    """The name of the reason, and what the sentence is made with: as in `refused`."""
    values: ReasonValuesData = field(default_factory=dict)


class Failure(messages.Wire, frozen=True):
    """The one shape of an error."""

    error: Problem
