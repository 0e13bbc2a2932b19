"""A finished game in numbers: dice, cards, robber, trade, points, luck.

    >>> import hexholm
    >>> from hexholm.game.records.summary import summarize
    >>> game = hexholm.simulated(hexholm.options("fifth", points_to_win=5), seed=1)
    >>> summary = summarize(game)
    >>> summary.how, summary.winner, summary.players[summary.winner].points
    ('won', 'red', 6)
    >>> summary.dice.rolls == sum(line.rolled for line in summary.dice.sums)
    True
    >>> summary.players["red"].gained["production"]["ore"]
    18

Everything is counted from the events of the game, except what dice *could* have brought, which is in no event. That
is counted from the buildings on the board: the expectation, what the robber blocked, and what the supply could not
pay. For every player and kind, everything gained minus everything lost is the hand at the end. You can also summarize
a game before it is over, but not a seat's copy of a record, because it hides what was stolen.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Final

from hexholm.rules.boards.number_tokens import SUMS, ways_to_roll
from hexholm.rules.colors import Color
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.structs import CARD_KINDS, NATURE, RESOURCES, State
from hexholm.rules.names import PIECE_KINDS
from hexholm.rules.places import N_HEXES
from hexholm.rules.queries import claims_of_roll, hex_yield, odds_of_outcome, odds_total

from .. import events
from ..events.kinds import Award
from ..game import Game, Record
from ..result import GameEnding
from .timeline import REFEREE, Timeline

FAIR: Final = tuple(ways_to_roll(total) / 36 for total in SUMS)
GAINED: Final = ("start", "production", "stolen", "players", "supply", "year-of-plenty", "monopoly")
"""Where cards come from. `start` also has the hand with which a game began that was set up by hand; `players` and
`supply` are trade."""
LOST: Final = ("spent", "discarded", "stolen", "monopoly", "players", "supply")
"""Where cards go; `spent` is for pieces and development cards."""
Kinds = dict[str, int]
"""Numbers of cards by kind, all five kinds."""


@dataclass(frozen=True, slots=True)
class DiceSum:
    """How often a sum was rolled, how often fair dice roll it on average, and the range 95 times in 100."""

    total: int
    rolled: int
    expected: float
    low: int
    high: int

    @property
    def usual(self) -> bool:
        """Whether it was rolled about as often as usual; with eleven sums, one is often out of its range."""
        return self.low <= self.rolled <= self.high


@dataclass(frozen=True, slots=True)
class Dice:
    """The dice of all turns; starting rolls do not count."""

    rolls: int
    sums: tuple[DiceSum, ...]
    """2 to 12."""
    by_player: dict[Color, tuple[int, ...]]
    """How often each player rolled each sum, 2 to 12."""
    balanced: bool
    """Balanced dice, a house rule, keep closer to the average than the ranges, which are those of fair dice."""


@dataclass(frozen=True, slots=True)
class Luck:
    """Production compared with the average, by the buildings and the robber's hex at each roll.

    A supply that cannot pay is bad luck, too. `spread` is the standard deviation: in two games of three the difference
    is smaller than that, in 95 of 100 smaller than twice that.
    """

    received: int
    expected: float
    spread: float

    @property
    def difference(self) -> float:
        """Cards more than expected; below 0: fewer."""
        return self.received - self.expected


@dataclass(frozen=True, slots=True)
class AwardChange:
    """An award that went from `loser` to `player`, at a step of a turn; see the event `AwardMoved`."""

    award: Award
    turn: int
    step: int
    player: Color | None
    loser: Color | None
    size: int


@dataclass(frozen=True, slots=True)
class TurnSummary:
    """A turn: the moment at which it begins (:mod:`.timeline`), whose it is, and what was rolled.

    The set-up is turn 0 and nobody's; nothing is rolled on a turn that was won, or stopped, before the roll.
    """

    turn: int
    step: int
    player: Color | None
    roll: int | None


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """The figures of one player."""

    name: str
    points: int
    """With the hidden ones."""
    visible: int
    """Those on the table."""
    turns: int
    gained: dict[str, Kinds]
    """By source (GAINED) and kind."""
    lost: dict[str, Kinds]
    """By what became of them (LOST) and kind."""
    hand: Kinds
    """At the end: all that was gained less all that was lost."""
    blocked: Kinds
    """What buildings at the robber's hex would have got when its number was rolled."""
    unpaid: Kinds
    """What was due from a roll and the supply could not pay (PROD-08, PROD-09)."""
    luck: Luck
    built: dict[str, int]
    """Roads, settlements and cities, with those of the set-up and free ones."""
    bought: int
    """Development cards."""
    played: dict[str, int]
    """Development cards, by kind."""
    unplayed: dict[str, int]
    """Development cards still held at the end, by kind."""
    trades: dict[Color, int]
    """How often there was an exchange with each of the others."""
    supply_trades: int

    @property
    def knights(self) -> int:
        return self.played["knight"]


@dataclass(frozen=True, slots=True)
class Summary:
    """A game in numbers."""

    edition: str
    how: GameEnding | None
    """won, agreed, abandoned or capped; None: the game is not over."""
    winner: Color | None
    length: int
    """How many turns were begun."""
    steps: int
    decisions: int
    """Steps that were not chance."""
    dice: Dice
    players: dict[Color, PlayerSummary]
    """By color, in the order of the seats."""
    turns: tuple[TurnSummary, ...]
    points: dict[Color, tuple[int, ...]]
    """By color: the points at the end of each of `turns`, hidden ones included."""
    visible: dict[Color, tuple[int, ...]]
    """By color: the points on the table at the end of each of `turns`."""
    awards: tuple[AwardChange, ...]
    """Every time Longest Road or Largest Army changed hands, in order."""

    def as_dict(self) -> dict[str, Any]:
        """Plain data, fit for JSON; what is no whole number is rounded."""
        data: dict[str, Any] = _rounded_data(self)
        return data


def _rounded_data(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: _rounded_data(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {key: _rounded_data(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_rounded_data(item) for item in value]
    return round(value, 4) if isinstance(value, float) else value


def summarize(game: Game | Record | Timeline) -> Summary:
    """Summarize a game; a record is replayed for this."""
    if isinstance(game, Record):
        game = game.game(known=True)  # what the players had inferred is not asked here
    return _Summarizer(game if isinstance(game, Timeline) else Timeline(game)).summary()


def usual_range(rolls: int, ways: int) -> tuple[int, int]:
    """Between what, 95 times in 100, the number of rolls lies that show one of `ways` out of 36 pairs of dice.

    What is left over is at most 2.5 % on either side.
    """
    probability = ways / 36
    low, cumulated = 0, 0.0
    for n in range(rolls + 1):
        ways_to = math.lgamma(rolls + 1) - math.lgamma(n + 1) - math.lgamma(rolls - n + 1)
        cumulated += math.exp(ways_to + n * math.log(probability) + (rolls - n) * math.log1p(-probability))
        if cumulated <= 0.025:
            low = n + 1
        elif cumulated >= 0.975:
            return low, n
    return low, rolls


# --- counting ---------------------------------------------------------------------------------------------------------


class _Tally:
    """What is counted for one player."""

    def __init__(self, others: Iterable[str]) -> None:
        self.gained = {source: dict.fromkeys(RESOURCES, 0) for source in GAINED}
        self.lost = {source: dict.fromkeys(RESOURCES, 0) for source in LOST}
        self.blocked, self.unpaid = dict.fromkeys(RESOURCES, 0), dict.fromkeys(RESOURCES, 0)
        self.rolled = dict.fromkeys(SUMS, 0)
        self.built: dict[str, int] = dict.fromkeys(PIECE_KINDS, 0)
        self.played = dict.fromkeys(CARD_KINDS, 0)
        self.trades = dict.fromkeys(others, 0)
        self.bought = self.supply_trades = 0
        self.expected = self.variance = 0.0


class _Summarizer:
    """A game while it is summed up."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline, self.colors = timeline, timeline.colors
        self.tallies = {color: _Tally(other for other in self.colors if other != color) for color in self.colors}
        self.rolls: dict[int, int] = {}
        self.awards: list[AwardChange] = []
        self.turn = timeline.turns[0].turn
        board = timeline.state(0)
        self.terrain = [board.terrain[hexagon] for hexagon in range(N_HEXES)]
        self._claims: dict[tuple[int, ...], dict[int, dict[int, list[int]]]] = {}
        opening = timeline.faces(0, REFEREE)
        if not any(isinstance(event, events.GameBegan) for event in opening):  # set up by hand, with cards in hand
            for color, holding in timeline.truth(0).players.items():
                _add(self.tallies[color].gained["start"], holding.hand)
        for step in range(timeline.count + 1):
            for event in opening if step == 0 else timeline.faces(step, REFEREE):
                self.count_event(event, step)

    def count_event(self, event: events.Event, step: int) -> None:
        tallies = self.tallies
        match event:
            case events.StartCards(player, cards):
                _add(tallies[player].gained["start"], cards)
            case events.TurnBegan(_, number):
                self.turn = number
            case events.Rolled(player, _, total):
                tallies[player].rolled[total] += 1
                self.rolls[self.turn] = total
                self.add_roll(self.timeline.state(step - 1), total)
            case events.Produced(gains):
                for player, cards in gains.items():
                    _add(tallies[player].gained["production"], cards)
                    _add(tallies[player].unpaid, cards, -1)
            case events.Discarded(player, cards):
                _add(tallies[player].lost["discarded"], cards)
            case events.Stole(player, victim, card):
                assert card is not None, "the referee knows what was stolen"
                tallies[player].gained["stolen"][card] += 1
                tallies[victim].lost["stolen"][card] += 1
            case events.Built(player, piece, _, price):
                tallies[player].built[piece] += 1
                _add(tallies[player].lost["spent"], price)
            case events.Bought(player, price):
                tallies[player].bought += 1
                _add(tallies[player].lost["spent"], price)
            case events.PlayedCard(player, card):
                tallies[player].played[card] += 1
            case events.TookFromSupply(player, cards):
                _add(tallies[player].gained["year-of-plenty"], cards)
            case events.Monopolised(player, resource, losses):
                for victim, n in losses.items():
                    tallies[player].gained["monopoly"][resource] += n
                    tallies[victim].lost["monopoly"][resource] += n
            case events.SupplyTraded(player, give, take, _):
                tallies[player].supply_trades += 1
                _add(tallies[player].lost["supply"], give)
                _add(tallies[player].gained["supply"], take)
            case events.Traded(_, player, partner, give, take):
                for color, partner_color, cards_given, cards_taken in (
                    (player, partner, give, take),
                    (partner, player, take, give),
                ):
                    tallies[color].trades[partner_color] += 1
                    _add(tallies[color].lost["players"], cards_given)
                    _add(tallies[color].gained["players"], cards_taken)
            case events.AwardMoved(award, player, loser, size):
                self.awards.append(AwardChange(award, self.turn, step, player, loser, size))
            case _:
                pass

    def add_roll(self, state: State, total: int) -> None:
        """What the buildings claim of this roll, and what they could expect of any; `state` is before the roll."""
        claims, robber = self.claims(state), state.robber
        probabilities = _probabilities(state)
        for seat, color in enumerate(self.colors):
            tally, mean, square = self.tallies[color], 0.0, 0.0
            for hexagon, hex_claims in claims[total].items():
                tally.unpaid[RESOURCES[self.terrain[hexagon]]] += hex_claims[seat]
            if state.number[robber] == total:
                tally.blocked[RESOURCES[self.terrain[robber]]] += hex_yield(state, seat, robber)
            for number, probability in zip(SUMS, probabilities, strict=True):
                claim = sum(hex_claims[seat] for hex_claims in claims[number].values())
                mean += probability * claim
                square += probability * claim * claim
            tally.expected += mean
            tally.variance += square - mean * mean

    def claims(self, state: State) -> dict[int, dict[int, list[int]]]:
        """What each roll owes, with the buildings and the robber as they stand."""
        seats = range(len(self.colors))
        key = (state.robber, *(state.settlements[seat] for seat in seats), *(state.cities[seat] for seat in seats))
        if key not in self._claims:
            self._claims[key] = {number: claims_of_roll(state, number) for number in SUMS}
        return self._claims[key]

    # --- the whole -------------------------------------------------------------------------------------------

    def summary(self) -> Summary:
        timeline, result = self.timeline, self.timeline.result
        ends = [*(turn.step for turn in timeline.turns[1:]), timeline.count]
        return Summary(
            edition=timeline.options.edition,
            how=None if result is None else result.how,
            winner=None if result is None else result.winner,
            length=sum(turn.player is not None for turn in timeline.turns),
            steps=timeline.count,
            decisions=sum(seat != NATURE for seat, _ in timeline.steps),
            dice=self.dice(),
            players={color: self.player(color, name) for color, name in zip(self.colors, timeline.names, strict=True)},
            turns=tuple(TurnSummary(*turn, self.rolls.get(turn.turn)) for turn in timeline.turns),
            points={color: tuple(points[end] for end in ends) for color, points in timeline.points.items()},
            visible={color: tuple(points[end] for end in ends) for color, points in timeline.visible.items()},
            awards=tuple(self.awards),
        )

    def dice(self) -> Dice:
        by_player = {color: tuple(tally.rolled.values()) for color, tally in self.tallies.items()}
        counts = [sum(column) for column in zip(*by_player.values(), strict=True)]
        rolls = sum(counts)
        sums = tuple(
            DiceSum(total, n, rolls * ways_to_roll(total) / 36, *usual_range(rolls, ways_to_roll(total)))
            for total, n in zip(SUMS, counts, strict=True)
        )
        return Dice(rolls, sums, by_player, self.timeline.options.balanced_dice)

    def player(self, color: Color, name: str) -> PlayerSummary:
        tally, timeline = self.tallies[color], self.timeline
        received = sum(tally.gained["production"].values())
        return PlayerSummary(
            name=name,
            points=timeline.points[color][-1],
            visible=timeline.visible[color][-1],
            turns=sum(turn.player == color for turn in timeline.turns),
            gained=tally.gained,
            lost=tally.lost,
            hand=dict(timeline.truth(timeline.count).players[color].hand),
            blocked=tally.blocked,
            unpaid=tally.unpaid,
            luck=Luck(received, tally.expected, math.sqrt(max(tally.variance, 0.0))),
            built=tally.built,
            bought=tally.bought,
            played=tally.played,
            unplayed=dict(timeline.truth(timeline.count).players[color].development),
            trades=tally.trades,
            supply_trades=tally.supply_trades,
        )


def _add(kinds: Kinds, cards: Mapping[str, int], times: int = 1) -> None:
    for kind, n in cards.items():
        kinds[kind] += times * n


def _probabilities(state: State) -> tuple[float, ...]:
    """How likely each sum is now; balanced dice, a house rule, remember what was rolled."""
    if not state.balanced_dice:
        return FAIR
    counts = dict.fromkeys(SUMS, 0)
    for a in range(1, 7):
        for b in range(1, 7):
            counts[a + b] += odds_of_outcome(state, act.dice_outcome(a, b))
    return tuple(n / odds_total(state) for n in counts.values())
