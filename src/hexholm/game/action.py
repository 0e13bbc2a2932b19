"""An action, the Python spelling: a frozen dataclass between the core's integer code and people's text.

    >>> from hexholm import Action
    >>> action = Action.of("red offer 2 ore : 1 wool to blue white")
    >>> action.by, action.kind, action.give, action.to
    ('red', 'offer', Cards('2 ore'), ('blue', 'white'))
    >>> action
    Action.of('red offer 2 ore : 1 wool to blue white')
    >>> str(action)
    'offer 2 ore : 1 wool to blue white'

The text of an action does not say who acts; where that must be said the colour stands before it
(docs/formats/actions.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, Self, get_args

from hexholm.rules import notation
from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.lanes import total, unpack, widen
from hexholm.rules.core.encoding.structs import CARD_KINDS, NATURE, RESOURCES
from hexholm.rules.editions import EDITIONS, edition
from hexholm.rules.places import CORNER_NAMES, HEX_NAMES, SIDE_NAMES

from .cards import Cards

PALETTES: Final = tuple(dict.fromkeys(edition(name).colors for name in ("fifth", *EDITIONS)))
COLORS: Final = tuple(dict.fromkeys(color for colors in PALETTES for color in colors))
"""All colours of all editions."""
CHANCE: Final = "chance"
"""Who acts when dice fall or cards are drawn."""
OutcomeKind = Literal["dice", "stolen", "drawn"]
OUTCOMES: Final = get_args(OutcomeKind)
ACTION_KINDS: Final = act.KIND_NAMES[1:]
PLAYER_ACTIONS: Final = tuple(kind for kind in ACTION_KINDS if kind not in (*OUTCOMES, "discard-card"))
"""What a player can say. `discard-card` is one step of a discard, for those who compose it card by card."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Action:
    """What a player does, or what chance decides. Only the fields that belong to its `kind` are set."""

    kind: str
    """One of the words that an action's text begins with: "roll", "road", "offer", ... (`ACTION_KINDS`)."""
    by: str | None = None
    """Who acts: a colour, or "chance"; None: not said."""
    place: str | None = None
    """settlement, city: a corner; road: a side; robber: a hex."""
    player: str | None = None
    """steal: from whom; confirm: with whom."""
    give: Cards | None = None
    """supply, offer, counter: what the one who acts gives. discard: what is discarded."""
    take: Cards | None = None
    """supply, offer, counter: what the one who acts wants. year-of-plenty: what is taken."""
    to: tuple[str, ...] = ()
    """offer: to whom."""
    offer: int | None = None
    """accept, reject, confirm, withdraw, counter: the number of the offer."""
    resource: str | None = None
    """monopoly, stolen, discard-card: one kind of resource."""
    card: str | None = None
    """drawn: the development card."""
    dice: tuple[int, int] | None = None
    """dice: what they show."""

    @classmethod
    def of(cls, text: str, by: str | None = None) -> Self:
        """From a text, with or without the colour of the one who acts before it."""
        if not isinstance(text, str):
            raise notation.UnreadableAction(f"{text!r} is no text of an action; write it like 'road C3/ne'")
        said = split_speaker(text)
        if said is not None:
            if by not in (None, said[0]):
                raise notation.UnreadableAction(f"{text!r} of {by}: two players are named; name one")
            by, text = said
        words = text.lower().replace(",", " ").split()
        if words[:1] == ["offer"] and "all" in words:
            raise notation.UnreadableAction(
                f"{text!r}: who all are is known only in a game; name them, or play the text"
            )
        colors = _palette({by, *words} & set(COLORS))
        return cls.of_code(notation.read(text, colors, colors.index(by) if by in colors else None), colors, by)

    @classmethod
    def of_code(cls, code: int, colors: Sequence[str], by: str | None = None) -> Self:
        """From the core's integer code in a game with these colours; raises UnreadableAction if it is none."""
        try:
            return cls._of_code(code, colors, by)
        except IndexError:
            raise notation.UnreadableAction(
                f"{code} is the code of no action in a game of {', '.join(colors)}"
            ) from None

    @classmethod
    def _of_code(cls, code: int, colors: Sequence[str], by: str | None) -> Self:
        kind, x = act.kind_of(code), act.parameter_of(code)
        new = cls(act.KIND_NAMES[kind] if kind < len(act.KIND_NAMES) else "nothing", by)
        match kind:
            case act.SETTLEMENT | act.CITY:
                return replace(new, place=CORNER_NAMES[x])
            case act.ROAD:
                return replace(new, place=SIDE_NAMES[x])
            case act.ROBBER:
                return replace(new, place=HEX_NAMES[x])
            case act.STEAL:
                return replace(new, player=colors[x])
            case act.MONOPOLY_CARD | act.STOLEN | act.DISCARD_CARD:
                return replace(new, resource=RESOURCES[x], by=CHANCE if kind == act.STOLEN else by)
            case act.DRAWN:
                return replace(new, card=CARD_KINDS[x], by=CHANCE)
            case act.DICE:
                return replace(new, dice=(x & 7, x >> 3), by=CHANCE)
            case act.YEAR_OF_PLENTY_CARD:
                return replace(new, take=Cards(RESOURCES[k] for k in (x & 7, x >> 3) if k != act.NO_SECOND))
            case act.DISCARD:
                return replace(new, give=Cards.of_lanes(widen(x)))
            case act.SUPPLY:
                taken = widen(x >> 6)
                given = {RESOURCES[x & 7]: total(taken) * ((x >> 3) & 7)}
                return replace(new, give=Cards(given), take=Cards.of_lanes(taken))
            case act.OFFER:
                to = tuple(color for seat, color in enumerate(colors) if (act.to_of(code) >> seat) & 1)
                give, want = Cards.of_lanes(act.give_of(code)), Cards.of_lanes(act.want_of(code))
                return replace(new, give=give, take=want, to=to)
            case act.COUNTER:
                give, want = Cards.of_lanes(act.give_of(code)), Cards.of_lanes(act.want_of(code))
                return replace(new, give=give, take=want, offer=act.to_of(code) + 1)
            case act.ACCEPT | act.REJECT | act.WITHDRAW:
                return replace(new, offer=(x & 7) + 1)
            case act.CONFIRM:
                return replace(new, offer=(x & 7) + 1, player=colors[x >> 3])
        return new

    def code(self, colors: Sequence[str]) -> int:
        """The core's integer code in a game with these colours; raises UnreadableAction for a colour not in it."""
        speaker = colors.index(self.by) if self.by in colors else None
        return notation.read(self.text, colors, speaker)

    @property
    def text(self) -> str:
        """The canonical text, without who acts."""
        words = [self.kind]
        if self.offer is not None:
            words.append(f"#{self.offer}")
        if self.kind == "year-of-plenty" and self.take is not None:
            words += [name for name, n in zip(RESOURCES, unpack(self.take.lanes), strict=True) for _ in range(n)]
        elif self.take is not None:
            words += [str(self.give), ":", str(self.take)]
        elif self.give is not None:
            words.append(str(self.give))
        if self.to:
            words += ["to", *self.to]
        if self.dice is not None:
            words += [str(self.dice[0]), str(self.dice[1])]
        words += [word for word in (self.place, self.player, self.resource, self.card) if word is not None]
        return " ".join(map(str, words))

    def _all(self) -> tuple[object, ...]:
        return (
            self.kind, self.by, self.place, self.player, self.give, self.take, self.to, self.offer, self.resource,
            self.card, self.dice,
        )  # fmt: skip

    # Written out, so that a type checker lets a text be looked for among legal actions.
    def __eq__(self, other: object) -> bool:
        return self._all() == other._all() if isinstance(other, Action) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._all())

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        before = f"{self.by} " if self.by and self.by != CHANCE else ""
        return f"Action.of({before + self.text!r})"


def _palette(named: set[str | None]) -> tuple[str, ...]:
    """The colours of an edition that has all these."""
    for colors in PALETTES:
        if named <= set(colors):
            return colors
    raise notation.UnreadableAction(f"no edition has {' and '.join(sorted(map(str, named)))} together")


def split_speaker(text: str) -> tuple[str, str] | None:
    """`blue: accept #1` or `blue accept #1` as who speaks and what is said; None if no colour stands before it."""
    first, _, rest = text.strip().partition(" ")
    color = first.rstrip(":").lower()
    return (color, rest) if color in COLORS else None


def seat_name(seat: int, colors: Sequence[str]) -> str:
    """The name of a seat, or "chance"."""
    return CHANCE if seat == NATURE else colors[seat]
