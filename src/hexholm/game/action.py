"""An action in Python: a frozen dataclass between the core's integer code and people's text.

    >>> from hexholm import Action
    >>> action = Action.of("red offer 2 ore : 1 wool to blue white")
    >>> action.by, action.kind, action.give, action.to
    ('red', 'offer', Cards('2 ore'), ('blue', 'white'))
    >>> action
    Action.of('red offer 2 ore : 1 wool to blue white')
    >>> str(action)
    'offer 2 ore : 1 wool to blue white'

The text of an action does not say who acts; if that is needed, the color comes before it
(docs/formats/actions.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Final, Literal, Self, get_args

from hexholm.older_names import with_older_names
from hexholm.rules import notation
from hexholm.rules.colors import Color, SeatNumber, colors_in
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.lanes import unpack, widen
from hexholm.rules.encoding.structs import CARD_KINDS, NATURE, RESOURCES
from hexholm.rules.places import CORNER_NAMES, HEX_NAMES, SIDE_NAMES
from hexholm.rules.setup.editions import EDITIONS, FALLBACK_EDITION, edition

from .cards import Cards

PALETTES: Final = tuple(dict.fromkeys(edition(name).colors for name in (FALLBACK_EDITION, *EDITIONS)))
COLORS: Final = tuple(dict.fromkeys(color for colors in PALETTES for color in colors))
"""All colors of all editions."""
CHANCE: Final = "chance"
"""Who acts when dice fall or cards are drawn."""
OutcomeKind = Literal["dice", "stolen", "drawn"]
OUTCOMES: Final = get_args(OutcomeKind)
ACTION_KINDS: Final = act.KIND_NAMES[1:]
PLAYER_ACTIONS: Final = tuple(kind for kind in ACTION_KINDS if kind not in (*OUTCOMES, "discard-card"))
"""What a player can say. `discard-card` is one step of a discard, for those who compose it card by card."""


@with_older_names(take="want")
@dataclass(frozen=True, slots=True, repr=False, eq=False, init=False)
class Action:
    """What a player does, or what chance decides. Only the fields that belong to the `kind` are set."""

    kind: str
    """The first word of the action's text: "roll", "road", "offer", ... (`ACTION_KINDS`)."""
    by: Color | None = None
    """Who acts: a color or "chance"; None if unknown."""
    place: str | None = None
    """settlement, city: a corner; road: a side; robber: a hex."""
    player: Color | None = None
    """steal: from whom; confirm: with whom."""
    give: Cards | None = None
    """supply, offer, counter: what the acting player gives. discard: what is discarded."""
    want: Cards | None = None
    """supply, offer, counter, year-of-plenty: what the acting player wants."""
    to: tuple[Color, ...] = ()
    """offer: to whom."""
    offer: int | None = None
    """accept, reject, confirm, withdraw, counter: the number of the offer."""
    resource: str | None = None
    """monopoly, stolen, discard-card: one kind of resource."""
    card: str | None = None
    """drawn: the development card."""
    dice: tuple[int, int] | None = None
    """dice: what they show."""

    def __init__(
        self, kind: str, by: Color | None = None, place: str | None = None, player: Color | None = None,
        give: Cards | None = None, want: Cards | None = None, to: tuple[Color, ...] = (), offer: int | None = None,
        resource: str | None = None, card: str | None = None, dice: tuple[int, int] | None = None, *,
        take: Cards | None = None,
    ) -> None:  # fmt: skip
        """`take` is an older name of `want`."""
        values = (kind, by, place, player, give, want if take is None else take, to, offer, resource, card, dice)
        for name, value in zip(_FIELDS, values, strict=True):
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, text: str, by: Color | None = None) -> Self:
        """An action from a text, with or without the acting player's color before it."""
        if not isinstance(text, str):
            raise notation.UnreadableAction(f"{text!r} is not the text of an action; write it like 'road C3/ne'")
        speaker_and_text = split_speaker(text)
        if speaker_and_text is not None:
            if by not in (None, speaker_and_text[0]):
                raise notation.UnreadableAction(f"{text!r} of {by}: two players are named; name one")
            by, text = speaker_and_text
        words = text.lower().replace(",", " ").split()
        if words[:1] == ["offer"] and "all" in words:
            raise notation.UnreadableAction(
                f"{text!r}: who all are is known only in a game; name them, or play the text"
            )
        colors = _palette({by, *words} & set(COLORS))
        return cls.of_code(notation.read_action(text, colors, colors.index(by) if by in colors else None), colors, by)

    @classmethod
    def of_code(cls, code: int, colors: Sequence[Color], by: Color | None = None) -> Self:
        """An action from the core's integer code, in a game with these colors; raises UnreadableAction otherwise."""
        try:
            return cls._of_code(code, colors, by)
        except IndexError:
            raise notation.UnreadableAction(
                f"{code} is the code of no action in a game of {', '.join(colors)}"
            ) from None

    @classmethod
    def _of_code(cls, code: int, colors: Sequence[Color], by: Color | None) -> Self:
        kind, parameter = act.kind_of(code), act.parameter_of(code)
        action = cls(act.KIND_NAMES[kind] if kind < len(act.KIND_NAMES) else "nothing", by)
        match kind:
            case act.SETTLEMENT | act.CITY:
                return replace(action, place=CORNER_NAMES[parameter])
            case act.ROAD:
                return replace(action, place=SIDE_NAMES[parameter])
            case act.ROBBER:
                return replace(action, place=HEX_NAMES[parameter])
            case act.STEAL:
                return replace(action, player=colors[parameter])
            case act.MONOPOLY_CARD | act.STOLEN | act.DISCARD_CARD:
                return replace(action, resource=RESOURCES[parameter], by=CHANCE if kind == act.STOLEN else by)
            case act.DRAWN:
                return replace(action, card=CARD_KINDS[parameter], by=CHANCE)
            case act.DICE:
                return replace(action, dice=(act.first_die_of(code), act.second_die_of(code)), by=CHANCE)
            case act.YEAR_OF_PLENTY_CARD:
                taken_kinds = act.first_taken_of(code), act.second_taken_of(code)
                return replace(action, want=Cards(RESOURCES[k] for k in taken_kinds if k != act.NO_SECOND))
            case act.DISCARD:
                return replace(action, give=Cards.of_lanes(widen(parameter)))
            case act.SUPPLY:
                give = Cards({RESOURCES[act.supply_give_of(code)]: act.supply_given_of(code)})
                return replace(action, give=give, want=Cards.of_lanes(act.supply_want_of(code)))
            case act.OFFER:
                to = colors_in(act.to_of(code), colors)
                give, want = Cards.of_lanes(act.give_of(code)), Cards.of_lanes(act.want_of(code))
                return replace(action, give=give, want=want, to=to)
            case act.COUNTER:
                give, want = Cards.of_lanes(act.give_of(code)), Cards.of_lanes(act.want_of(code))
                return replace(action, give=give, want=want, offer=act.slot_of(code) + 1)
            case act.ACCEPT | act.REJECT | act.WITHDRAW:
                return replace(action, offer=act.slot_of(code) + 1)
            case act.CONFIRM:
                return replace(action, offer=act.slot_of(code) + 1, player=colors[act.partner_of(code)])
        return action

    def code(self, colors: Sequence[Color]) -> int:
        """The core's integer code in a game with these colors; raises UnreadableAction for other colors."""
        speaker = colors.index(self.by) if self.by in colors else None
        return notation.read_action(self.text, colors, speaker)

    @property
    def text(self) -> str:
        """The canonical text, without the acting player."""
        words = [self.kind]
        if self.offer is not None:
            words.append(f"#{self.offer}")
        if self.kind == "year-of-plenty" and self.want is not None:
            words += [name for name, n in zip(RESOURCES, unpack(self.want.lanes), strict=True) for _ in range(n)]
        elif self.want is not None:
            words += [str(self.give), ":", str(self.want)]
        elif self.give is not None:
            words.append(str(self.give))
        if self.to:
            words += ["to", *self.to]
        if self.dice is not None:
            words += [str(self.dice[0]), str(self.dice[1])]
        words += [word for word in (self.place, self.player, self.resource, self.card) if word is not None]
        return " ".join(map(str, words))

    def _fields(self) -> tuple[object, ...]:
        return (
            self.kind, self.by, self.place, self.player, self.give, self.want, self.to, self.offer, self.resource,
            self.card, self.dice,
        )  # fmt: skip

    # Written out, so that a type checker lets a text be looked for among legal actions.
    def __eq__(self, other: object) -> bool:
        return self._fields() == other._fields() if isinstance(other, Action) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._fields())

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        before = f"{self.by} " if self.by and self.by != CHANCE else ""
        return f"Action.of({before + self.text!r})"


_FIELDS: Final = tuple(field.name for field in fields(Action))


def _palette(wanted_colors: set[Color | None]) -> tuple[Color, ...]:
    """The colors of an edition that has all these."""
    for colors in PALETTES:
        if wanted_colors <= set(colors):
            return colors
    raise notation.UnreadableAction(f"no edition has {' and '.join(sorted(map(str, wanted_colors)))} together")


def split_speaker(text: str) -> tuple[str, str] | None:
    """`blue: accept #1` or `blue accept #1` as who speaks and what is said; None if no color stands before it."""
    first_word, _, action_text = text.strip().partition(" ")
    color = first_word.rstrip(":").lower()
    return (color, action_text) if color in COLORS else None


AnyAction = Action | str | int
"""An action in any of its three spellings: as an object, as text, as a code."""


def speaker_and_action(action: AnyAction) -> tuple[str | None, str | int]:
    """Who an action says that it is by, if it does; and the action without that, as a text or code."""
    if isinstance(action, Action):
        return action.by, action.text
    if isinstance(action, str):
        return split_speaker(action) or (None, action)
    return None, action


def actor_name(seat: SeatNumber, colors: Sequence[Color]) -> Color:
    """The name of a seat, or "chance"."""
    return CHANCE if seat == NATURE else colors[seat]
